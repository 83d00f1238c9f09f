import type { DailyChangeEvidence } from '../../contract/dailyChangeEvidence.ts';
import { IssuerError } from '../../contract/issuerError.ts';

/** A miss that is answered in the form of its payload instead of a problem (I4.R03.5). */
export class EvidenceMiss extends IssuerError {
  /** The body without the members every error carries. */
  readonly payload: DailyChangeEvidence;

  constructor(asked: {
    readonly cik: string | null;
    readonly ticker: string | null;
    readonly sourceDate: string | null;
  }) {
    const of = asked.ticker ?? asked.cik;
    const on = asked.sourceDate === null ? '' : ` on ${asked.sourceDate}`;
    const message = `No daily-change evidence is stored for ${of}${on}.`;
    super({ code: 'not_found', message, hint: '' });
    this.payload = {
      request_key: 'daily_change_evidence',
      status: 'not_found',
      payload_mode: 'evidence_drilldown',
      evidence_type: 'companyfacts_tags',
      cik: asked.cik,
      ticker: asked.ticker,
      source_date: asked.sourceDate,
      message,
    };
  }
}
