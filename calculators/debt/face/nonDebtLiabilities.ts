import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { FactSheet } from '../../filing/factSheet.ts';

/** Balance-sheet lines that are surely not debt; a total stands for the parts behind it. */
const lines: readonly { readonly total: string; readonly parts: readonly string[] }[] = [
  {
    total: 'AccountsPayableAndAccruedLiabilitiesCurrent',
    parts: ['AccountsPayableCurrent', 'AccruedLiabilitiesCurrent'],
  },
  { total: 'EmployeeRelatedLiabilitiesCurrent', parts: [] },
  {
    total: 'ContractWithCustomerLiability',
    parts: ['ContractWithCustomerLiabilityCurrent', 'ContractWithCustomerLiabilityNoncurrent'],
  },
  { total: 'DeferredRevenue', parts: ['DeferredRevenueCurrent', 'DeferredRevenueNoncurrent'] },
  { total: 'CustomerDepositsCurrent', parts: [] },
  {
    total: 'OperatingLeaseLiability',
    parts: ['OperatingLeaseLiabilityCurrent', 'OperatingLeaseLiabilityNoncurrent'],
  },
  {
    total: 'FinanceLeaseLiability',
    parts: ['FinanceLeaseLiabilityCurrent', 'FinanceLeaseLiabilityNoncurrent'],
  },
  { total: 'TaxesPayableCurrent', parts: ['AccruedIncomeTaxesCurrent'] },
  { total: 'AccruedIncomeTaxesNoncurrent', parts: [] },
  { total: 'DeferredIncomeTaxLiabilitiesNet', parts: [] },
  {
    total: 'DerivativeLiabilities',
    parts: ['DerivativeLiabilitiesCurrent', 'DerivativeLiabilitiesNoncurrent'],
  },
  { total: 'DividendsPayableCurrent', parts: [] },
  { total: 'AssetRetirementObligation', parts: [] },
  { total: 'BusinessCombinationContingentConsiderationLiability', parts: [] },
];

/** The sum of identified non-debt liabilities at the period end (M1.37); "other" and related-party lines are not identified. */
export function nonDebtLiabilities(sheet: FactSheet): ExactDecimal {
  const filed = (name: string) => sheet.positive(`us-gaap:${name}`);
  const customers = sheet.positive('srt:SafeguardingLiabilityPlatformOperatorCryptoAsset');
  return sumOf(
    [customers, ...lines.flatMap(({ total, parts }) => filed(total) ?? parts.map(filed))].filter(
      (amount) => amount !== null,
    ),
  );
}
