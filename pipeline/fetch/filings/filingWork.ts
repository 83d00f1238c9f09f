import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { Effects } from '../../effects.ts';
import type { HttpSession } from '../http/httpSession.ts';
import { ConnectionFailure } from '../http/readAnswer.ts';
import type { ManifestRow } from '../store/fetchManifest.ts';
import type { EdgarSession } from './edgarSession.ts';
import type { FilingRecord, FilingRecords } from './filingRecord.ts';

/** Bounds of one filing. */
export type FilingLimits = {
  readonly maxIndexBytes: number;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxFilingBytes: number;
  /** Runs that ask for what was not there before it is taken as not existing, and the least time between two. */
  readonly maxAttempts: number;
  readonly minMsBetweenAttempts: number;
};

/** What every filing of one fetch is fetched with. */
export type FilingContext = {
  readonly edgar: EdgarSession;
  readonly records: FilingRecords;
  readonly target: string;
  readonly limits: FilingLimits;
  readonly effects: Effects;
  readonly signal: AbortSignal;
};

/** One filing in hand: its own count of requests and where its folder lies. */
export type FilingWork = FilingContext & { readonly session: HttpSession; readonly folder: string };

/** True when what was not there before may be asked for once more, now. */
export function mayAskAgain({ limits, effects }: FilingWork, record: FilingRecord): boolean {
  const since = effects.clock.now().getTime() - Date.parse(record.checked_at);
  return record.attempts < limits.maxAttempts && since >= limits.minMsBetweenAttempts;
}

/** The reason when asking again in this run cannot help: not there, unusable or too large; null for all else. */
export function permanentFault(error: unknown): string | null {
  if (!(error instanceof IssuerError)) return null;
  if (error.code === 'validation_failed') return error.message;
  if (error.code !== 'source_refused') return null;
  const { status, cause, content, reason, max_bytes: cap } = error.details;
  if (status === 404 || status === 410) return `EDGAR has no such file (${status})`;
  if (cause === 'absent') return 'EDGAR has no such file yet (403 AccessDenied)';
  if (content === 'unusable') return String(reason);
  return cap === undefined ? null : `it is larger than the ${cap} bytes accepted`;
}

/** The address of a file of a filing. */
export function urlOf(
  { edgar }: FilingWork,
  { cik, accession }: { cik: string; accession: string },
  name: string,
): string {
  return new URL(`/Archives/edgar/data/${cik}/${accession.replaceAll('-', '')}/${name}`, edgar.base).href;
}

/** The file name of a row, the last segment of its address. */
export function nameOf(row: ManifestRow): string {
  return row.url.slice(row.url.lastIndexOf('/') + 1);
}

/** The same session, counting what it is asked for itself. */
export function countRequests(inner: HttpSession): HttpSession {
  let requests = 0;
  return {
    get requests() {
      return requests;
    },
    async get(input) {
      try {
        const exchange = await inner.get(input);
        requests += 1;
        return exchange;
      } catch (error) {
        if (error instanceof ConnectionFailure) requests += 1;
        throw error;
      }
    },
    forbidden: (refused) => inner.forbidden(refused),
    close: () => inner.close(),
  };
}
