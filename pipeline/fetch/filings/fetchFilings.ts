import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { throwIfInterrupted } from '../http/interruption.ts';
import { errnoOf, storeUnwritable } from '../store/storeUnwritable.ts';
import { type EdgarAccess, openEdgarSession } from './edgarSession.ts';
import { type FilingPart, type FilingRequest, type FilingResult, fetchFiling } from './fetchFiling.ts';
import { filingRecords, reportRecords } from './filingRecord.ts';
import { countRequests, type FilingContext, type FilingLimits } from './filingWork.ts';
import { maxFilingFiles } from './selectFilingFiles.ts';

const hourMs = 3_600_000;

const defaultLimits: FilingLimits = {
  maxIndexBytes: 4 << 20,
  maxFiles: maxFilingFiles,
  maxFileBytes: 256 << 20,
  maxFilingBytes: 512 << 20,
  maxAttempts: 3,
  minMsBetweenAttempts: 20 * hourMs,
};

/** Failed filings in a row after which EDGAR is taken to be down. */
const maxFailuresInARow = 3;

/** What a fetch of filings did; `filings` in the order asked for, each (cik, accession) once. */
export type FilingsReport = {
  readonly source: 'edgar';
  readonly sourceDirectory: string;
  readonly filings: readonly FilingResult[];
  readonly requests: number;
  readonly bytes: number;
};

/**
 * Fetches the XBRL files of filings into `<target>/edgar/filings/<cik>/<accession without dashes>/`, names as
 * filed, or their submission texts into `<target>/edgar/current-reports/<cik>/<accession>/`, politely and resumably. Available filings, and those without XBRL, cost no request.
 *
 * A folder appears when it is complete, and is replaced as a whole. What EDGAR does not give is a gap of its
 * filing; a filing that fails does not stop the others. `target/edgar/filings` belongs to the fetch.
 *
 * @throws IssuerError `configuration` without a usable contact (no request is made), `source_refused` when EDGAR
 * throttles (403) or fails for several filings in a row, `store_unwritable`, `interrupted`. Folders that were
 * complete by then stay.
 */
export async function fetchFilings(
  input: EdgarAccess & {
    target: string;
    filings: readonly FilingRequest[];
    /** XBRL files by default. */
    part?: FilingPart;
    limits?: Partial<FilingLimits>;
    signal: AbortSignal;
  },
): Promise<FilingsReport> {
  const edgar = await openEdgarSession(input);
  const group = new AbortController();
  const part = input.part ?? 'xbrl';
  const context: FilingContext & { readonly part: FilingPart } = {
    edgar,
    part,
    records: filingRecords(part === 'xbrl' ? edgar.directory : reportRecords(edgar.directory)),
    target: input.target,
    limits: { ...defaultLimits, ...input.limits },
    effects: input.effects,
    signal: AbortSignal.any([input.signal, group.signal]),
  };
  const staging = join(input.target, 'edgar/.filings');
  try {
    // what a killed run left half made
    await rm(staging, { recursive: true, force: true });
    const filings = await fetchAll({ context, group, filings: distinct(input.filings) });
    return {
      source: 'edgar',
      sourceDirectory: input.target,
      filings,
      requests: edgar.session.requests,
      bytes: filings.reduce((sum, filing) => sum + filing.bytes, 0),
    };
  } catch (error) {
    throw errnoOf(error)?.startsWith('E') === true ? storeUnwritable(input.target, error) : error;
  } finally {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
    await edgar.session.close();
  }
}

/** Works through the filings in order, several at a time; the first error that concerns all stops all. */
async function fetchAll({
  context,
  group,
  filings,
}: {
  context: FilingContext & { readonly part: FilingPart };
  group: AbortController;
  filings: readonly FilingRequest[];
}): Promise<FilingResult[]> {
  const results: FilingResult[] = [];
  let next = 0;
  let failuresInARow = 0;
  const worker = async () => {
    while (next < filings.length && !context.signal.aborted) {
      const at = next;
      next += 1;
      const request = filings[at];
      if (request === undefined) return;
      const session = countRequests(context.edgar.session);
      try {
        results[at] = await fetchFiling({ ...context, session }, request);
        if (results[at].requests > 0) failuresInARow = 0;
      } catch (error) {
        failuresInARow += 1;
        if (!concernsOneFiling(error) || failuresInARow >= maxFailuresInARow) throw error;
        results[at] = failedFiling({ request, error, requests: session.requests });
      }
      report(context, results[at]);
    }
  };
  const work = Array.from({ length: context.edgar.network.concurrency }, worker);
  for (const one of work) one.catch((error: unknown) => group.abort(error));
  await Promise.allSettled(work);
  throwIfInterrupted(context.signal);
  return results;
}

/** True for a host that failed one filing, false for one that throttles, a full disk or a stopped run. */
function concernsOneFiling(error: unknown): error is IssuerError {
  return (
    error instanceof IssuerError &&
    error.code === 'source_refused' &&
    error.details['cooldown_file'] === undefined
  );
}

function failedFiling({
  request,
  error,
  requests,
}: {
  request: FilingRequest;
  error: IssuerError;
  requests: number;
}): FilingResult {
  const none = { path: null, files: [], gaps: [], bytes: 0 };
  return { ...request, ...none, requests, status: 'failed', reason: error.message };
}

function report({ effects }: FilingContext, filing: FilingResult): void {
  const fields = { cik: filing.cik, accession: filing.accession, bytes: filing.bytes };
  const name = `${filing.form} ${filing.accession} of CIK ${filing.cik}`;
  if (filing.reason !== null) {
    effects.log({ level: 'warn', step: 'fetch', message: `${name}: ${filing.reason}`, fields });
  } else if (filing.status === 'fetched') {
    const gaps = filing.gaps.map((gap) => `${gap.name} (${gap.reason})`).join(', ');
    effects.log({
      level: gaps === '' ? 'info' : 'warn',
      step: 'fetch',
      message: `${name}: ${filing.files.length} files${gaps === '' ? '' : `, without ${gaps}`}`,
      fields,
    });
  }
}

function distinct(filings: readonly FilingRequest[]): FilingRequest[] {
  return [...new Map(filings.map((f) => [`${f.cik.padStart(10, '0')} ${f.accession}`, f])).values()];
}
