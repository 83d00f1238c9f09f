import type { TagFamily } from '../../data/contract/values/enums.ts';
import type { Concepts } from '../parameters/concepts.ts';

/** A series of facts as the archive names it. */
export type TaggedSeries = { readonly taxonomy: string; readonly concept: string; readonly unit: string };

// first match; a cash flow of coins or of a loan belongs to the coins or the loan
const patterns: readonly (readonly [TagFamily, RegExp])[] = [
  ['crypto', /Crypto(?!graph)|Bitcoin|Ethereum|DigitalAsset|DigitalCurrenc|^Payment.*DigitalAsset/],
  [
    'debt',
    /^(LongTermDebt|ShortTermDebt|ConvertibleDebt|ConvertibleNotes|ConvertibleLongTermNotes|SecuredDebt|UnsecuredDebt|SeniorNotes|SeniorLongTermNotes|NotesPayable|OtherNotesPayable|LoansPayable|LongTermLoans|LongTermNotes|LineOfCredit|LinesOfCredit|LongTermLineOfCredit|ShortTermBorrowings|CommercialPaper|BridgeLoan|Borrowings|CurrentBorrowings|NoncurrentPortionOf|DebtInstrument|DebtCurrent|DebtLongterm|DebtAndCapitalLease|UnamortizedDebt|DeferredFinanceCosts|FinanceLeaseLiability)|^(ProceedsFrom|RepaymentsOf|Repayment).*(Debt|Notes|Loan|LinesOfCredit|Borrowing)/,
  ],
  [
    'liquidity',
    /^(Cash($|And|Cash|Equivalents|ProvidedBy|Period|FDIC|Uninsured)|RestrictedCash|NetCashProvided|NetIncreaseDecreaseInCash|AssetsCurrent$|LiabilitiesCurrent$|MarketableSecurities|ShortTermInvestments)/,
  ],
  [
    'equity',
    /^(StockholdersEquity|Equity$|EquityAttributable|AdditionalPaidInCapital|AdditionalPaidinCapital|RetainedEarnings|AccumulatedOtherComprehensiveIncome|CommonStockValue|CommonStocksIncluding|PreferredStockValue|TreasuryStock.*Value|MinorityInterest|TemporaryEquity|StockIssuedDuringPeriodValue|AdjustmentsToAdditionalPaidInCapital|PartnersCapital|MembersEquity|ProceedsFromIssuanceOf(Common|Preferred|Stock)|PaymentsForRepurchaseOf)/,
  ],
  [
    'income',
    /Revenue|Income|Expense|Profit|EarningsPerShare|GainLoss|GainsLosses|^Gain|^Loss|^Cost|Depreciation|Amortization|Impairment|ShareBasedCompensation$/,
  ],
];

/**
 * The family of an evidence line (I2.33, M6.5).
 *
 * @param holdsCoins true for an issuer of the universe: there the intangible line may be the coins (M2.6)
 */
export function tagFamily(
  series: TaggedSeries,
  { holdsCoins, concepts }: { holdsCoins: boolean; concepts: Concepts },
): TagFamily {
  const { taxonomy, concept, unit } = series;
  if (taxonomy === 'dei') return 'dei';
  const name = `${taxonomy}:${concept}`;
  const { coins, customerCoins, intangibleCoins } = concepts;
  if ([...coins, ...customerCoins, ...(holdsCoins ? [intangibleCoins] : [])].includes(name)) return 'crypto';
  if (concepts.debtConcept(name) !== undefined) return 'debt';
  if (isShares(unit) && !/Crypto|DigitalAsset/.test(concept)) return 'shares';
  return patterns.find(([, pattern]) => pattern.test(concept))?.[0] ?? 'other';
}

function isShares(unit: string): boolean {
  return /^(shares|stock)$/i.test(unit);
}

/** Families whose added or revised rows make a delta meaningful: crypto, debt, cash, equity (M6.6). */
export const trackedFamilies: ReadonlySet<TagFamily> = new Set(['crypto', 'debt', 'liquidity', 'equity']);
