import { ExactDecimal } from '../../contract/exactDecimal.ts';
import { addDays } from '../civilDate.ts';
import { exceeds } from '../closeTo.ts';
import { compareText } from '../compareText.ts';
import { type FactSheet, qualifiedName } from '../factSheet.ts';
import type { Parameters } from '../parameters.ts';
import type { FiledFact } from '../rows.ts';
import type { XbrlFiling } from '../xbrlFiling.ts';
import type { DebtWalk } from './debtWalk.ts';
import { identifiedLiabilities } from './identifiedLiabilities.ts';
import { nonDebtLiabilities } from './nonDebtLiabilities.ts';

/**
 * What speaks against taking the absence of debt facts for a zero, or null when the rest of the filing corroborates
 * it (M1.37 `legitimate_zero_debt`).
 *
 * Every clause must hold: `Liabilities` filed and explained (or small beside assets), no material interest
 * expense, no borrowing or repayment in the last four quarters, no `DebtInstrument*` fact, dimensioned or not
 * where the instance is at hand. A network identifies the filer's own lines too.
 */
export function zeroDebtObjection(o: {
  sheet: FactSheet;
  /** Debt-activity flows of other filings that end in the year before the period. */
  activity: readonly FiledFact[];
  parameters: Parameters;
  walk: DebtWalk;
  filing: XbrlFiling | null;
}): string | null {
  const { sheet, walk } = o;
  const notDebt = walk.kind === 'walked' ? walk.notDebt : [];
  const since = addDays(sheet.period, -365);
  const flows = [...sheet.facts, ...o.activity].filter(
    (fact) => fact.start !== null && fact.end > since && fact.end <= sheet.period,
  );
  if (!explainsLiabilities(sheet, walk, o.parameters)) return 'liabilities are not explained without debt';
  const [instrument] = [
    ...sheet.facts.filter((fact) => fact.concept.startsWith('DebtInstrument')).map(qualifiedName),
    ...(o.filing?.facts ?? []).filter(isDebtInstrument).map((fact) => fact.concept),
  ].sort(compareText);
  if (instrument !== undefined) return `${instrument} is filed`;
  const balance = sheet.facts.find(
    (fact) => readsAsDebt(fact, sheet.period) && !notDebt.includes(qualifiedName(fact)),
  );
  if (balance !== undefined) return `${qualifiedName(balance)} reads as debt`;
  const flow = flows.find(isBorrowing) ?? flows.find((fact) => isMaterialInterest(fact, sheet, o.parameters));
  return flow === undefined ? null : `${qualifiedName(flow)} to ${flow.end} shows borrowing`;
}

/** Without assets a balance sheet can be explained only by the lines of its network. */
function explainsLiabilities(
  sheet: FactSheet,
  walk: DebtWalk,
  { zeroDebt, identityTolerance }: Parameters,
): boolean {
  const [liabilities, assets] = [sheet.amount('us-gaap:Liabilities'), sheet.amount('us-gaap:Assets')];
  if (liabilities === null || (assets === null && walk.kind !== 'walked')) return false;
  const isSmall = assets !== null && liabilities.compare(share(assets, zeroDebt.liabilitiesOfAssets)) <= 0;
  const identified = [
    ...(walk.kind === 'walked' ? [identifiedLiabilities(walk, sheet)] : []),
    ...(assets === null ? [] : [nonDebtLiabilities(sheet)]),
  ];
  const explains = (lines: ExactDecimal) =>
    lines.compare(share(liabilities, zeroDebt.identifiedShare)) >= 0 &&
    // above the total the lines overlap and prove nothing
    !exceeds(lines, liabilities, identityTolerance);
  return isSmall || identified.some(explains);
}

/** A balance that reads as debt though the dictionary lacks its concept (NXTT 2025-03-31: `OtherNotesPayableCurrent`). */
function readsAsDebt({ concept, value, unit, start, end }: FiledFact, period: string): boolean {
  const isBalance = unit === 'USD' && start === null && end === period && value.sign > 0;
  return (
    isBalance && /(NotesPayable|LoansPayable|Borrowings|Debt|Debentures)(Current|Noncurrent)?$/.test(concept)
  );
}

function isDebtInstrument({ concept, value }: XbrlFiling['facts'][number]): boolean {
  return value !== null && /:DebtInstrument/.test(concept);
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
