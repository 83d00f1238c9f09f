import type { DailyChangeEvidence } from '../../../data/contract/payloads/universe/dailyChangeEvidence.ts';
import { PayloadMiss } from '../../problem/payloadMiss.ts';

/** The identifiers a request for evidence was sent with. */
export type AskedEvidence = {
  readonly cik: string | null;
  readonly ticker: string | null;
  readonly sourceDate: string | null;
};

/**
 * The miss of an unknown issuer and of a day without evidence (I4.R03.5).
 *
 * @param why what is known of the day, a sentence
 */
export function evidenceMiss({ cik, ticker, sourceDate }: AskedEvidence, why: string | null): PayloadMiss {
  const on = sourceDate === null ? '' : ` on ${sourceDate}`;
  const missed = `No daily-change evidence is stored for ${ticker ?? cik}${on}.`;
  const message = why === null ? missed : `${missed} ${why}`;
  const payload: DailyChangeEvidence = {
    request_key: 'daily_change_evidence',
    status: 'not_found',
    payload_mode: 'evidence_drilldown',
    evidence_type: 'companyfacts_tags',
    cik,
    ticker,
    source_date: sourceDate,
    message,
  };
  return new PayloadMiss({ message, payload });
}
