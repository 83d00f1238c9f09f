import { compareText } from './compareText.ts';
import type { Close } from './priceBook.ts';
import type { ResolvedIssuer } from './resolveIssuer.ts';

const mezzanineConcepts = [
  'us-gaap:TemporaryEquityCarryingAmountAttributableToParent',
  'us-gaap:TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests',
];

/** The `data_quality_notes` of a row, sorted, each once (M13.3, I1.18). */
export function qualityNotes(o: {
  resolved: ResolvedIssuer;
  closes: readonly Close[];
  /** Notes of the fundamentals. */
  fundamentals: readonly string[];
}): string[] {
  const { issuer, filing, debt, equity, holdings, sheet, units, blockedConcepts } = o.resolved;
  const [hasDebt, hasCoins] = [debt.total.sign > 0, holdings.amount.sign > 0];
  const when = (holds: boolean, ...notes: string[]) => (holds ? notes : []);
  const notes = [
    ...debt.notes,
    ...holdings.notes,
    ...units.notes,
    ...when(
      o.resolved.networks.rejected.some((network) => network.reason === 'cycle'),
      'cyclic_network',
    ),
    ...o.fundamentals,
    ...blockedConcepts.map((concept) => `inconsistent_duplicate:${concept}`),
    ...o.closes.filter((close) => close.conflict).map((close) => `price_conflict:${close.asset}`),
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

function isZero(coverage: ResolvedIssuer['debt']['coverage']): boolean {
  return coverage === 'legitimate_zero_debt' || coverage === 'resolved_zero';
}
