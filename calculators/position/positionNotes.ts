import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { areKindsUnknown, type CoinKinds } from '../crypto/coinKinds.ts';
import type { CryptoHoldings } from '../crypto/cryptoHoldings.ts';
import type { CryptoUnits } from '../crypto/cryptoUnits.ts';
import type { DebtResolution } from '../debt/debtResolution.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { FilingFault } from '../filing/filingSource.ts';
import type { FiledFact, Filing, Issuer } from '../filing/rows.ts';
import type { FilingNetworks } from '../network/filingNetworks.ts';

const mezzanineConcepts = [
  'us-gaap:TemporaryEquityCarryingAmountAttributableToParent',
  'us-gaap:TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests',
];

/** The `data_quality_notes` that follow from a filing alone, sorted, each once (M13.3, I1.18). */
export function positionNotes({
  issuer,
  filing,
  debt,
  holdings,
  kinds,
  units,
  sheet,
  networks,
  faults,
  contradicted,
  isCompanyFactsBehind,
  unknownConcepts,
  blockedConcepts,
  balance,
  fundamentals,
}: {
  issuer: Issuer;
  filing: Filing;
  debt: DebtResolution;
  holdings: CryptoHoldings;
  kinds: CoinKinds;
  units: CryptoUnits;
  sheet: FactSheet;
  networks: FilingNetworks;
  faults: readonly FilingFault[];
  /** Facts of companyfacts that the instance contradicts. */
  contradicted: readonly FiledFact[];
  /** Companyfacts have other filings of the issuer and no row of this one (M1.50). */
  isCompanyFactsBehind: boolean;
  /** Elements of coins that a newer taxonomy has (M1.51). */
  unknownConcepts: readonly string[];
  blockedConcepts: readonly string[];
  balance: BalanceFigures;
  /** Notes of the fundamentals. */
  fundamentals: readonly string[];
}): string[] {
  const { equity } = balance;
  const hasDebt = debt.total.sign > 0;
  const isWithoutCoins = holdings.isProven && holdings.amount.sign <= 0;
  const isDebtProven = debt.coverage !== 'low_confidence_missing_debt';
  const isAtCost = holdings.measurement === 'carrying_lower_bound';
  const when = (holds: boolean, ...notes: string[]) => (holds ? notes : []);
  const notes = [
    ...debt.notes,
    ...holdings.notes,
    ...units.notes,
    ...when(
      networks.rejected.some((network) => network.reason === 'cycle'),
      'cyclic_network',
    ),
    ...faults.map(({ part, state }) => `filing_${state}:${part}`),
    ...when(contradicted.length > 0, `companyfacts_contradicted:${contradicted.length}`),
    ...when(isCompanyFactsBehind, 'companyfacts_behind'),
    ...unknownConcepts.map((concept) => `unknown_coin_concept:${concept}`),
    ...when(
      filing.passedOver !== undefined,
      `newer_filing_${filing.isPending === true ? 'pending' : 'unusable'}:${filing.passedOver}`,
    ),
    ...fundamentals,
    ...blockedConcepts.map((concept) => `inconsistent_duplicate:${concept}`),
    ...when(isWithoutCoins && hasDebt && isDebtProven, 'stress_saturated', 'no_crypto_denominator'),
    ...when(isWithoutCoins && !(hasDebt && isDebtProven), 'no_crypto'),
    ...when(!isDebtProven, 'stress_untrusted', 'figures_lower_bound:debt'),
    ...when(!holdings.isProven, 'figures_lower_bound:crypto'),
    ...when(isAtCost, 'live_overlay_on_cost_refused'),
    ...when(holdings.amount.sign > 0 && !isAtCost && areKindsUnknown(kinds.mix), 'coins_not_split'),
    ...(kinds.assumed === null ? [] : [`mix_assumed:${kinds.assumed}`]),
    ...when(equity === null, 'equity_not_reported'),
    ...when(equity !== null && equity.sign < 0 && isZero(debt.coverage), 'negative_equity_nondebt'),
    ...when(
      mezzanineConcepts.some((concept) => sheet.positive(concept) !== null),
      'mezzanine_equity_present',
    ),
    ...when(units.rejected, 'unit_price_mismatch'),
    ...when(filing.acceptanceEstimated, 'acceptance_estimated'),
    ...when(filing.filingDateStatutory === true, 'filing_date_statutory'),
    ...when(filing.accessionStatus === 'placeholder', 'accession_placeholder'),
    ...when(issuer.ticker === null, 'ticker_is_cik'),
  ];
  return [...new Set(notes)].sort(compareText);
}

function isZero(coverage: DebtResolution['coverage']): boolean {
  return coverage === 'legitimate_zero_debt' || coverage === 'resolved_zero';
}

/** Balance-sheet totals as filed at the period end, USD; null when no concept of the member is. Equity is never derived (M10.10). */
export type BalanceFigures = {
  readonly assets: ExactDecimal | null;
  readonly equity: ExactDecimal | null;
  readonly currentLiabilities: ExactDecimal | null;
  readonly cash: ExactDecimal | null;
};
