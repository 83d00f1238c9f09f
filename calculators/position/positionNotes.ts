import { compareText } from '../compareText.ts';
import type { CryptoHoldings } from '../crypto/cryptoHoldings.ts';
import type { CryptoUnits } from '../crypto/cryptoUnits.ts';
import type { DebtResolution } from '../debt/debtResolution.ts';
import type { FactSheet } from '../factSheet.ts';
import type { FilingNetworks } from '../network/filingNetworks.ts';
import type { Filing, Issuer } from '../rows.ts';
import type { BalanceFigures } from './balanceFigures.ts';

const mezzanineConcepts = [
  'us-gaap:TemporaryEquityCarryingAmountAttributableToParent',
  'us-gaap:TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests',
];

/** The `data_quality_notes` that follow from a filing alone, sorted, each once (M13.3, I1.18). */
export function positionNotes(o: {
  issuer: Issuer;
  filing: Filing;
  debt: DebtResolution;
  holdings: CryptoHoldings;
  units: CryptoUnits;
  sheet: FactSheet;
  networks: FilingNetworks;
  blockedConcepts: readonly string[];
  balance: BalanceFigures;
  /** Notes of the fundamentals. */
  fundamentals: readonly string[];
}): string[] {
  const { issuer, filing, debt, holdings, sheet, units, balance } = o;
  const { equity } = balance;
  const [hasDebt, hasCoins] = [debt.total.sign > 0, holdings.amount.sign > 0];
  const when = (holds: boolean, ...notes: string[]) => (holds ? notes : []);
  const notes = [
    ...debt.notes,
    ...holdings.notes,
    ...units.notes,
    ...when(
      o.networks.rejected.some((network) => network.reason === 'cycle'),
      'cyclic_network',
    ),
    ...o.fundamentals,
    ...o.blockedConcepts.map((concept) => `inconsistent_duplicate:${concept}`),
    ...when(!hasCoins && hasDebt, 'stress_saturated', 'no_crypto_denominator'),
    ...when(!hasCoins && !hasDebt, 'no_crypto'),
    ...when(debt.coverage === 'low_confidence_missing_debt', 'stress_untrusted'),
    ...when(equity === null, 'equity_not_reported'),
    ...when(equity !== null && equity.sign < 0 && isZero(debt.coverage), 'negative_equity_nondebt'),
    ...when(
      mezzanineConcepts.some((concept) => sheet.positive(concept) !== null),
      'mezzanine_equity_present',
    ),
    ...when(units.rejected, 'unit_price_mismatch'),
    ...when(filing.acceptanceEstimated, 'acceptance_estimated'),
    ...when(filing.accessionStatus === 'placeholder', 'accession_placeholder'),
    ...when(issuer.ticker === null, 'ticker_is_cik'),
  ];
  return [...new Set(notes)].sort(compareText);
}

function isZero(coverage: DebtResolution['coverage']): boolean {
  return coverage === 'legitimate_zero_debt' || coverage === 'resolved_zero';
}
