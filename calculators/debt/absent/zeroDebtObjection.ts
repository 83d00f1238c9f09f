import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { addDays } from '../../exact/civilDate.ts';
import { exceeds } from '../../exact/closeTo.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../../filing/factSheet.ts';
import type { FiledFact } from '../../filing/rows.ts';
import type { XbrlFiling } from '../../filing/xbrlFiling.ts';
import type { Concepts } from '../../parameters/concepts.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { debtAmounts } from '../face/debtAmounts.ts';
import { closingLines } from '../face/filedTotals.ts';
import { nonDebtLiabilities } from '../face/nonDebtLiabilities.ts';
import type { DebtWalk } from '../walk/debtWalk.ts';
import { identifiedLiabilities } from '../walk/identifiedLiabilities.ts';

/** What speaks against a zero: the concept it is about, and how it does so. */
export type ZeroDebtObjection = { readonly concept: string; readonly reason: string };

/**
 * What speaks against taking the absence of debt facts for a zero, or null when the rest of the filing corroborates
 * it (M1.37 `legitimate_zero_debt`, M1.37b).
 *
 * A liabilities side that adds up without a debt line corroborates by itself. Otherwise every clause must hold:
 * `Liabilities` filed and explained (or small beside assets), no amount of debt at the period end, dimensioned or not,
 * no material interest expense, no borrowing or repayment in the last four quarters. Rates, ratios, prices, terms and
 * limits are no amounts of debt.
 */
export function zeroDebtObjection(input: {
  sheet: FactSheet;
  /** Debt-activity flows of other filings that end in the year before the period. */
  activity: readonly FiledFact[];
  parameters: Parameters;
  walk: DebtWalk;
  filing: XbrlFiling | null;
}): ZeroDebtObjection | null {
  const { sheet, walk } = input;
  if (walk.kind === 'walked' && walk.closes) return null;
  if (!explainsLiabilities(sheet, walk, input.parameters))
    return { concept: 'us-gaap:Liabilities', reason: 'liabilities are not explained without debt' };
  const notDebt = walk.kind === 'walked' ? walk.notDebt : [];
  const [amount] = debtAmounts(input).filter(({ concept }) => !notDebt.includes(concept));
  if (amount !== undefined) {
    const { concept, value } = amount;
    return { concept, reason: `${concept} of ${value} is filed` };
  }
  const since = addDays(sheet.period, -365);
  const flows = [...sheet.facts, ...input.activity].filter(
    (fact) => fact.start !== null && fact.end > since && fact.end <= sheet.period,
  );
  const flow =
    flows.find(isBorrowing) ?? flows.find((fact) => isMaterialInterest(fact, sheet, input.parameters));
  if (flow === undefined) return null;
  const concept = qualifiedName(flow);
  return { concept, reason: `${concept} to ${flow.end} shows borrowing` };
}

/** Without assets a balance sheet can be explained only by the lines of its network. */
function explainsLiabilities(
  sheet: FactSheet,
  walk: DebtWalk,
  { zeroDebt, identityTolerance, concepts }: Parameters,
): boolean {
  const [liabilities, assets] = [sheet.amount('us-gaap:Liabilities'), sheet.amount('us-gaap:Assets')];
  if (liabilities === null || (assets === null && walk.kind !== 'walked')) return false;
  const isSmall = assets !== null && liabilities.compare(share(assets, zeroDebt.liabilitiesOfAssets)) <= 0;
  const identified = [
    ...(walk.kind === 'walked' ? [identifiedLiabilities(walk, sheet, concepts)] : []),
    ...(assets === null ? [] : [nonDebtLiabilities(sheet, concepts)]),
  ];
  const explains = (lines: ExactDecimal) =>
    lines.compare(share(liabilities, zeroDebt.identifiedShare)) >= 0 &&
    // above the total the lines overlap and prove nothing
    !exceeds(lines, liabilities, identityTolerance);
  return (
    isSmall ||
    identified.some(explains) ||
    closesWithoutDebt({ sheet, liabilities, named: zeroDebt.identifiedShare, concepts })
  );
}

/** Both filed totals add up to the last digit without debt, and lines without a name are a small part (M1.29c). */
function closesWithoutDebt({
  sheet,
  liabilities,
  named,
  concepts,
}: {
  readonly sheet: FactSheet;
  readonly liabilities: ExactDecimal;
  readonly named: number;
  readonly concepts: Concepts;
}): boolean {
  const sides = (['C', 'N'] as const).map((side) =>
    closingLines(sheet, { side, debt: ExactDecimal.zero, concepts }),
  );
  if (sides.some((side) => side === null)) return false;
  const unnamed = sumOf(sides.flatMap((side) => side?.unnamed ?? []));
  return liabilities.minus(unnamed).compare(share(liabilities, named)) >= 0;
}

/** Borrowing or repaying; lending and trading in securities are not. */
function isBorrowing({ concept, value }: FiledFact): boolean {
  return (
    value.sign !== 0 &&
    /^(ProceedsFrom.*(Debt|Notes|Loans|LinesOfCredit)|RepaymentsOf)/.test(concept) &&
    !/Receivable|Securities|Collection/.test(concept)
  );
}

function isMaterialInterest(fact: FiledFact, sheet: FactSheet, { zeroDebt }: Parameters): boolean {
  const assets = sheet.amount('us-gaap:Assets');
  if (!fact.concept.startsWith('InterestExpense') || fact.unit !== 'USD') return false;
  if (assets === null) return fact.value.sign > 0;
  return fact.end === sheet.period && fact.value.compare(share(assets, zeroDebt.interestOfAssets)) > 0;
}

function share(amount: ExactDecimal, part: number): ExactDecimal {
  return amount.times(ExactDecimal.fromNumber(part));
}
