import type { CompanyFundamentals } from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { type DeltaDates, deltaDateOf } from '../changes/businessCalendar.ts';
import type { GradedPosition } from '../position/gradePosition.ts';

/**
 * The fundamentals payload of one issuer: filed figures and the provenance of its row (I2.7, I2.11).
 *
 * @param deltaDates deltas that passed the daily-change gate; null where no archive was scanned
 */
export function fundamentalsOf(
  position: GradedPosition,
  stress: CovenantStress,
  deltaDates: DeltaDates | null,
): CompanyFundamentals {
  const { filing, fundamentals: filed } = position;
  const sourceDate = deltaDateOf(filing, deltaDates);
  const computedAt = stress.computed_at_utc ?? null;
  return {
    ticker: stress.ticker,
    entity_name: stress.entity_name ?? stress.ticker,
    cik: stress.cik,
    period: filing.period,
    filing_form: filing.form,
    source_date: sourceDate,
    last_updated: computedAt,
    fundamentals: filed.fundamentals,
    fundamentals_context: filed.context,
    segment_data: { available: false, segments: [] },
    related_party_transactions: { available: false, transactions: [] },
    subsequent_events: { available: false, events: [] },
    provenance: {
      root_resolution_method: stress.root_resolution_method,
      mapping_hit_count: stress.mapping_hit_count,
      is_linkbase_backed: stress.is_linkbase_backed,
      data_source: stress.data_source,
      quality_flag: stress.quality_flag,
      accession_number: filing.accession,
      filing_url: stress.filing_url ?? null,
      source_date: sourceDate,
      computed_at_utc: computedAt,
      facts: filed.facts,
    },
  };
}
