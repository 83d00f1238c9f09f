import { join } from 'node:path';
import { isPlaceholder } from '../../../data/contract/values/accessionText.ts';
import { accessionPattern } from '../../../data/contract/values/primitives.ts';
import type { HttpSession } from '../http/httpSession.ts';
import { completeFiling } from './completeFiling.ts';
import type { FilingRecord } from './filingRecord.ts';
import { type FilingContext, type FilingWork, mayAskAgain, nameOf } from './filingWork.ts';
import { isAsPublished } from './publishFiling.ts';
import { readFilingIndex } from './readFilingIndex.ts';

/** A filing to fetch; unique only by (cik, accession) (M1.45). */
export type FilingRequest = { readonly cik: string; readonly accession: string; readonly form: string };

/** A part of a filing that is not there, and why. */
export type FilingGap = { readonly name: string; readonly reason: string };

/** What became of one filing. */
export type FilingResult = FilingRequest & {
  /**
   * `relinked`: the folder was made again from stored files. `without_xbrl`: the filing has none. `placeholder`:
   * the accession names no filing at EDGAR (M1.45). `unusable`: EDGAR has no such folder or its index is refused.
   * `failed`: EDGAR could not be asked to the end; what came is kept and the next run goes on.
   */
  readonly status:
    | 'fetched'
    | 'relinked'
    | 'unchanged'
    | 'without_xbrl'
    | 'placeholder'
    | 'unusable'
    | 'failed';
  /** The folder inside the source directory; null when there is none. */
  readonly path: string | null;
  readonly files: readonly string[];
  readonly gaps: readonly FilingGap[];
  /** Requests sent in this run, and body bytes of the files it stored. */
  readonly requests: number;
  readonly bytes: number;
  /** Why there is nothing, for `unusable` and `failed`. */
  readonly reason: string | null;
};

/**
 * Brings one filing's XBRL files into its folder; asks EDGAR only for what is not stored yet.
 *
 * @throws IssuerError `source_refused` when EDGAR throttles (403) or keeps failing, `store_unwritable`,
 * `interrupted`; what was stored before stays and is not asked for again.
 */
export async function fetchFiling(
  context: FilingContext & { readonly session: HttpSession },
  request: FilingRequest,
): Promise<FilingResult> {
  const { session } = context;
  const cik = request.cik.replace(/^0+/, '');
  const nothing = { ...request, path: null, files: [], gaps: [], requests: 0, bytes: 0 };
  if (!/^\d{1,10}$/.test(cik) || !accessionPattern.test(request.accession)) {
    return { ...nothing, status: 'unusable', reason: 'it is not named by a CIK and an accession number' };
  }
  if (isPlaceholder(request.accession)) return { ...nothing, status: 'placeholder', reason: null };
  const { accession, form } = request;
  const path = `edgar/filings/${cik}/${accession.replaceAll('-', '')}`;
  const work: FilingWork = { ...context, folder: join(context.target, path) };
  const before = (await context.records.read({ cik, accession })) ?? {
    cik,
    accession,
    form,
    state: 'fetching',
    chosen: [],
    rows: [],
    gaps: [],
    attempts: 0,
    checked_at: context.effects.clock.now().toISOString(),
    folder: [],
  };
  const { record, status, bytes } = await bringUpToDate(work, before);
  return {
    ...request,
    status,
    path: record.rows.length > 0 ? path : null,
    files: record.rows.map(nameOf),
    gaps: status === 'unusable' ? [] : record.gaps.map(({ name, reason }) => ({ name, reason })),
    requests: session.requests,
    bytes,
    reason: status === 'unusable' ? (record.gaps[0]?.reason ?? null) : null,
  };
}

type Outcome = {
  readonly record: FilingRecord;
  readonly status: FilingResult['status'];
  readonly bytes: number;
};

async function bringUpToDate(work: FilingWork, before: FilingRecord): Promise<Outcome> {
  if (before.state === 'without_xbrl') return { record: before, status: 'without_xbrl', bytes: 0 };
  const askAgain = mayAskAgain(work, before);
  let record = before;
  if (record.state === 'unusable' || record.chosen.length === 0) {
    if (record.state === 'unusable' && !askAgain) return { record, status: 'unusable', bytes: 0 };
    record = await readFilingIndex(work, record);
    await work.records.write(record);
    if (record.state === 'unusable' || record.state === 'without_xbrl') {
      return { record, status: record.state, bytes: 0 };
    }
  }
  const intact =
    record.state === 'complete' &&
    (record.rows.length === 0 || (await isAsPublished({ folder: work.folder, files: record.folder })));
  const dueGap = askAgain && record.gaps.some((gap) => gap.again);
  if (intact && !dueGap) return { record, status: settled(record), bytes: 0 };
  const { downloaded, ...done } = await completeFiling(work, { record, askAgain, intact });
  if (downloaded > 0) return { ...done, status: 'fetched' };
  return { ...done, status: intact || done.record.rows.length === 0 ? settled(done.record) : 'relinked' };
}

function settled(record: FilingRecord): 'unchanged' | 'unusable' {
  return record.rows.length === 0 ? 'unusable' : 'unchanged';
}
