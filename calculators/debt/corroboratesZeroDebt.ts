import { ExactDecimal } from '../../contract/exactDecimal.ts';
import { addDays } from '../civilDate.ts';
import { exceeds } from '../closeTo.ts';
import type { FactSheet } from '../factSheet.ts';
import type { Parameters } from '../parameters.ts';
import type { FiledFact } from '../rows.ts';
import { nonDebtLiabilities } from './nonDebtLiabilities.ts';

/**
 * True when the absence of debt facts is corroborated by the rest of the filing (M1.37 `legitimate_zero_debt`).
 *
 * Every clause must hold: `Liabilities` filed and explained (or small beside assets), no material interest
 * expense, no borrowing or repayment in the last four quarters, no `DebtInstrument*` fact. Whole-entity facts
 * are all that is seen here; the clause on dimensioned facts needs the instance.
 */
export function corroboratesZeroDebt(o: {
  sheet: FactSheet;
  /** Debt-activity flows of other filings that end in the year before the period. */
  activity: readonly FiledFact[];
  parameters: Parameters;
}): boolean {
  const { sheet } = o;
  const since = addDays(sheet.period, -365);
  const flows = [...sheet.facts, ...o.activity].filter(
    (fact) => fact.start !== null && fact.end > since && fact.end <= sheet.period,
  );
  return (
    explainsLiabilities(sheet, o.parameters) &&
    !sheet.facts.some((fact) => fact.concept.startsWith('DebtInstrument')) &&
    !sheet.facts.some((fact) => readsAsDebt(fact, sheet.period)) &&
    !flows.some(isBorrowing) &&
    !flows.some((fact) => isMaterialInterest(fact, sheet, o.parameters))
  );
}

function explainsLiabilities(sheet: FactSheet, { zeroDebt, identityTolerance }: Parameters): boolean {
  const [liabilities, assets] = [sheet.amount('us-gaap:Liabilities'), sheet.amount('us-gaap:Assets')];
  if (liabilities === null || assets === null) return false;
  const isSmall = liabilities.compare(share(assets, zeroDebt.liabilitiesOfAssets)) <= 0;
  const identified = nonDebtLiabilities(sheet);
  // above the total the lines overlap and prove nothing
  const isExplained =
    identified.compare(share(liabilities, zeroDebt.identifiedShare)) >= 0 &&
    !exceeds(identified, liabilities, identityTolerance);
  return isSmall || isExplained;
}

/** A balance that reads as debt though the dictionary lacks its concept (NXTT 2025-03-31: `OtherNotesPayableCurrent`). */
function readsAsDebt({ concept, value, unit, start, end }: FiledFact, period: string): boolean {
  const isBalance = unit === 'USD' && start === null && end === period && value.sign > 0;
  return (
    isBalance && /(NotesPayable|LoansPayable|Borrowings|Debt|Debentures)(Current|Noncurrent)?$/.test(concept)
  );
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
  if (!fact.concept.startsWith('InterestExpense') || fact.unit !== 'USD' || assets === null) return false;
  return fact.end === sheet.period && fact.value.compare(share(assets, zeroDebt.interestOfAssets)) > 0;
}

function share(amount: ExactDecimal, part: number): ExactDecimal {
  return amount.times(ExactDecimal.fromNumber(part));
}
