import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { FactSheet } from '../../filing/factSheet.ts';

/** The two totals of the liabilities side that a filing states beside its lines (M1.29c). */
export type TotalSide = 'current' | 'noncurrent';

/** Face lines of the standard taxonomy that are no debt; which of them stand on a face is for its total to say. */
const identified: Readonly<Record<TotalSide, string>> = {
  current: `AccountsPayableAndAccruedLiabilitiesCurrent AccountsPayableCurrent AccountsPayableTradeCurrent
    AccruedLiabilitiesCurrent EmployeeRelatedLiabilitiesCurrent ContractWithCustomerLiabilityCurrent
    DeferredRevenueCurrent CustomerDepositsCurrent OperatingLeaseLiabilityCurrent FinanceLeaseLiabilityCurrent
    TaxesPayableCurrent AccruedIncomeTaxesCurrent DeferredTaxLiabilitiesCurrent DividendsPayableCurrent
    DerivativeLiabilitiesCurrent LiabilityForClaimsAndClaimsAdjustmentExpense`,
  noncurrent: `OperatingLeaseLiabilityNoncurrent FinanceLeaseLiabilityNoncurrent
    ContractWithCustomerLiabilityNoncurrent DeferredRevenueNoncurrent AccruedIncomeTaxesNoncurrent
    DeferredIncomeTaxLiabilitiesNet DeferredTaxLiabilitiesNoncurrent DerivativeLiabilitiesNoncurrent
    PensionAndOtherPostretirementDefinedBenefitPlansLiabilitiesNoncurrent`,
};

/** Lines without a name of their own: they may complete a total, and say nothing about what is in them. */
const unnamed: Readonly<Record<TotalSide, string>> = {
  current: 'OtherLiabilitiesCurrent AccruedLiabilitiesAndOtherLiabilities OtherAccruedLiabilitiesCurrent',
  noncurrent: 'OtherLiabilitiesNoncurrent',
};

/** More lines than this can be picked from in too many ways to prove anything. */
const linesMax = 12;

/**
 * The unnamed part of the lines that add up to a filed total together with `debt`, to the last digit; null when no
 * choice of lines does (M1.29c). For a filing of which only its facts are at hand, neither arcs nor their order.
 */
export function closingLines(
  sheet: FactSheet,
  side: TotalSide,
  debt: ExactDecimal,
): { readonly unnamed: ExactDecimal } | null {
  const total = totalOf(sheet, side);
  if (total === null) return null;
  const named = amountsOf(sheet, identified[side]);
  const other = amountsOf(sheet, unnamed[side]);
  const lines = [...named, ...other];
  if (lines.length > linesMax) return null;
  const chosen = pick(lines, total.minus(debt));
  return chosen === null
    ? null
    : { unnamed: sumOf(chosen.filter((at) => at >= named.length).map(valueAt(lines))) };
}

/** Current liabilities as filed; noncurrent what `Liabilities` leaves above them. */
function totalOf(sheet: FactSheet, side: TotalSide): ExactDecimal | null {
  const current = sheet.positive('us-gaap:LiabilitiesCurrent');
  if (current === null || side === 'current') return current;
  return sheet.positive('us-gaap:Liabilities')?.minus(current) ?? null;
}

function amountsOf(sheet: FactSheet, names: string): ExactDecimal[] {
  return names.split(/\s+/).flatMap((name) => sheet.positive(`us-gaap:${name}`) ?? []);
}

/** The first choice of lines, most of the early ones, that adds up to `target`; by index. */
function pick(lines: readonly ExactDecimal[], target: ExactDecimal, at = 0): readonly number[] | null {
  if (target.sign === 0) return [];
  const line = lines[at];
  if (line === undefined || target.sign < 0) return null;
  const rest = pick(lines, target.minus(line), at + 1);
  return rest === null ? pick(lines, target, at + 1) : [at, ...rest];
}

function valueAt(lines: readonly ExactDecimal[]) {
  return (at: number) => lines[at] ?? ExactDecimal.zero;
}
