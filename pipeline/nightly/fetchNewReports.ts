import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { ChosenFiling } from '../fetch/filings/chooseFilingsToFetch.ts';
import { chooseReportsToFetch, type ReportCandidate } from '../fetch/filings/chooseReportsToFetch.ts';
import { fetchFilings } from '../fetch/filings/fetchFilings.ts';
import type { TokenBucket } from '../fetch/http/httpSession.ts';
import { tooSlow, within } from '../fetch/http/interruption.ts';
import type { FetchRequest } from '../source/nightSource.ts';

/** What the current reports of a night are chosen from. */
export type ReportsWanted = {
  readonly reports: readonly ReportCandidate[];
  /** Day of the newest balance sheet, by CIK. */
  readonly periods: ReadonlyMap<string, string>;
};

/** What a fetch of current reports did. */
export type FetchedReports = {
  readonly fetched: number;
  readonly chosen: number;
  readonly requests: number;
  readonly bytes: number;
};

/** Longest wait for all current reports, milliseconds: a first run asks for some two thousand. */
const reportsMs = 4 * 3_600_000;
/** A text with pictures and the XBRL of its cover can be larger; it is then listed as not at hand. */
const mostBytes = 16 << 20;

/**
 * Fetches the submission texts of the current reports since each balance sheet in force, one request each. A refusal costs
 * the night its new reports, never a figure as filed: it is warned of, and what was fetched before is used.
 */
export async function fetchNewReports(
  { night, layout, effects, signal }: FetchRequest,
  input: {
    readonly contact: string | undefined;
    readonly edgarUrl?: string;
    readonly target: string;
    readonly bucket: TokenBucket;
    readonly wanted: ReportsWanted;
    /** Reports filed from that day on are fetched too. */
    readonly from?: string;
  },
): Promise<FetchedReports> {
  const { reports, periods } = input.wanted;
  const from = input.from === undefined ? {} : { from: input.from };
  const filings = chooseReportsToFetch(reports, { sourceDate: night.sourceDate, periods, ...from });
  const warn = (message: string) => effects.log({ level: 'warn', step: 'fetch', message });
  const late = tooSlow('the current reports at SEC', reportsMs);
  try {
    const report = await within({ ms: reportsMs, late, signal }, (limited) =>
      fetchFilings({
        ...{ rawRoot: layout.raw, target: input.target, contact: input.contact, bucket: input.bucket },
        ...{ filings, effects, signal: limited, part: 'submission' },
        limits: { maxFileBytes: mostBytes, maxFilingBytes: mostBytes },
        ...(input.edgarUrl === undefined ? {} : { baseUrl: input.edgarUrl }),
      }),
    );
    for (const { cik, accession, reason, gaps } of report.filings) {
      const why = reason ?? gaps[0]?.reason ?? null;
      if (why !== null) warn(`current report ${accession} of ${cik} is not at hand: ${why}`);
    }
    const fresh = report.filings.filter(({ status }) => status === 'fetched' || status === 'relinked');
    const { requests, bytes } = report;
    return { fetched: fresh.length, chosen: filings.length, requests, bytes };
  } catch (error) {
    if (!(error instanceof IssuerError) || error.code !== 'source_refused') throw error;
    warn(`not all new current reports: ${error.message}`);
    return { fetched: 0, chosen: filings.length, requests: 0, bytes: 0 };
  }
}

/** Day of the newest balance sheet of the filings in force. */
export function newestPeriods(filings: readonly ChosenFiling[]): ReadonlyMap<string, string> {
  const newest = new Map<string, string>();
  for (const { cik, period, why, hasBalanceSheet, isXbrl } of filings) {
    const carries = why === 'latest' && (hasBalanceSheet === true || isXbrl !== false);
    if (carries && period !== null && period > (newest.get(cik) ?? '')) newest.set(cik, period);
  }
  return newest;
}
