import type { FundamentalKey } from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import { assetsConcepts, liabilitiesConcepts } from '../network/conceptNames.ts';

/** Where each member is looked for, first filed concept first (M10.10, M10.11). Nothing is ever derived. */
export const flowConcepts = {
  revenue: [
    'us-gaap:Revenues',
    'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax',
    'us-gaap:RevenueFromContractWithCustomerIncludingAssessedTax',
    'us-gaap:SalesRevenueNet',
  ],
  operating_income: ['us-gaap:OperatingIncomeLoss'],
  net_income: ['us-gaap:NetIncomeLoss', 'us-gaap:ProfitLoss'],
  cash_flow_from_operations: [
    'us-gaap:NetCashProvidedByUsedInOperatingActivities',
    'us-gaap:NetCashProvidedByUsedInOperatingActivitiesContinuingOperations',
  ],
} as const satisfies Partial<Record<FundamentalKey, readonly string[]>>;

export const equityConcepts = [
  'us-gaap:StockholdersEquity',
  'us-gaap:StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest',
  'ifrs-full:Equity',
  'ifrs-full:EquityAttributableToOwnersOfParent',
] as const;

/** Cash at free disposal. */
export const cashConcepts = [
  'us-gaap:CashAndCashEquivalentsAtCarryingValue',
  'us-gaap:Cash',
  'ifrs-full:CashAndCashEquivalents',
] as const;

export const restrictedCash = 'us-gaap:CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents';

export const instantConcepts = {
  total_assets: assetsConcepts,
  current_assets: ['us-gaap:AssetsCurrent', 'ifrs-full:CurrentAssets'],
  cash_and_equivalents: [...cashConcepts, restrictedCash],
  // never LiabilitiesAndStockholdersEquity
  total_liabilities: liabilitiesConcepts,
  total_equity: equityConcepts,
} as const satisfies Partial<Record<FundamentalKey, readonly string[]>>;

export type FlowKey = keyof typeof flowConcepts;
export type InstantKey = keyof typeof instantConcepts;
export const flowKeys = Object.keys(flowConcepts) as FlowKey[];
export const instantKeys = Object.keys(instantConcepts) as InstantKey[];
