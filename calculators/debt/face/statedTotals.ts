import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { DebtInputs } from '../result/debtResolution.ts';
import { memberSums } from './memberSums.ts';

const faceAmount = 'us-gaap:DebtInstrumentFaceAmount';
const maturities = ['InNextTwelveMonths', 'RemainderOfFiscalYear', 'InYearTwo', 'InYearThree', 'InYearFour']
  .concat('InYearFive', 'AfterYearFive')
  .map((years) => `us-gaap:LongTermDebtMaturitiesRepaymentsOfPrincipal${years}`);

/**
 * What the notes of a filing say is owed at the period end, USD, smallest first: whole-entity amounts of debt or
 * principal, the table of maturities, and sums over the members of a debt axis. Principal may stand among them: they are
 * compared with a total and never enter one (M1.6, M1.36d).
 */
export function statedTotals({
  sheet,
  filing,
  parameters: { concepts },
}: Pick<DebtInputs, 'sheet' | 'filing' | 'parameters'>): readonly ExactDecimal[] {
  const debt = concepts.debt.filter(({ leasePart }) => leasePart === undefined);
  const named = [...debt.map(({ concept }) => concept), faceAmount];
  const positive = (concepts: readonly string[]) =>
    concepts.map((concept) => sheet.positive(concept)).filter((amount) => amount !== null);
  const due = positive(maturities);
  const counts = (concept: string) => named.includes(concept);
  return [
    ...positive(named),
    ...(due.length > 1 ? [sumOf(due)] : []),
    ...(filing === null ? [] : memberSums(filing, { period: sheet.period, counts })),
  ].sort((a, b) => a.compare(b));
}
