import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isPlaceholder } from '../../../data/contract/values/filingUrl.ts';
import { accessionPattern } from '../../../data/contract/values/primitives.ts';
import { diskFiles, moveInto } from '../../../data/store/files/replaceFile.ts';
import { reportsPath } from '../../source/reportFolders.ts';
import { downloadFile } from '../http/downloadFile.ts';
import { getJson } from '../http/getText.ts';
import type { HttpSession } from '../http/httpSession.ts';
import { partFile } from '../http/partFile.ts';
import type { ContentStore } from '../store/contentStore.ts';
import type { FetchManifest, ManifestRow } from '../store/fetchManifest.ts';
import { errnoOf, storeUnwritable } from '../store/storeUnwritable.ts';
import type { FilingRecord } from './filingRecord.ts';
import {
  type FilingContext,
  type FilingWork,
  mayAskAgain,
  nameOf,
  permanentFault,
  urlOf,
} from './filingWork.ts';
import { type FilingIndex, filingIndex, selectFilingFiles } from './selectFilingFiles.ts';

/** A filing to fetch; unique only by (cik, accession) (M1.45). */
export type FilingRequest = { readonly cik: string; readonly accession: string; readonly form: string };

/** What is fetched of a filing: its XBRL files by its index, or its whole submission text in one request. */
export type FilingPart = 'xbrl' | 'submission';

/** A part of a filing that is not there, and why. */
type FilingGap = { readonly name: string; readonly reason: string };

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
 * Brings one filing's XBRL files, or its submission text, into its folder; asks EDGAR only for what is not stored yet.
 *
 * @throws IssuerError `source_refused` when EDGAR throttles (403) or keeps failing, `store_unwritable`,
 * `interrupted`; what was stored before stays and is not asked for again.
 */
export async function fetchFiling(
  context: FilingContext & { readonly session: HttpSession; readonly part: FilingPart },
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
  const isText = context.part === 'submission';
  const path = isText
    ? `${reportsPath}${cik}/${accession}`
    : `edgar/filings/${cik}/${accession.replaceAll('-', '')}`;
  const work: FilingWork = { ...context, folder: join(context.target, path) };
  const before = (await context.records.read({ cik, accession })) ?? {
    cik,
    accession,
    form,
    state: 'fetching',
    chosen: isText ? [{ name: `${accession}.txt`, kind: 'submission' as const }] : [],
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

/** Longest wait for an index. */
const indexMs = 60_000;

/**
 * Reads a filing's index and says in its record what is to be fetched.
 *
 * An index that is not there or cannot be used is recorded as such; any other failure is thrown.
 */
async function readFilingIndex(work: FilingWork, record: FilingRecord): Promise<FilingRecord> {
  const { edgar, limits } = work;
  const checked = { ...record, checked_at: work.effects.clock.now().toISOString() };
  const unusable = (reason: string): FilingRecord => ({
    ...checked,
    state: 'unusable',
    attempts: record.attempts + 1,
    gaps: [{ name: 'index.json', reason, again: true }],
  });
  try {
    const index = await getJson({
      session: work.session,
      url: urlOf(work, record, 'index.json'),
      headers: {},
      schema: filingIndex,
      maxBytes: limits.maxIndexBytes,
      answerMs: Math.min(indexMs, edgar.network.answerMs),
      retry: edgar.network.retry,
      random: edgar.network.random,
      effects: work.effects,
      signal: work.signal,
    });
    if (isOfAnotherFolder(index, record.accession)) return unusable('The index is of another folder.');
    const selection = selectFilingFiles(index, limits);
    if (selection.kind === 'refused') return unusable(selection.reason);
    if (selection.kind === 'without_xbrl')
      return { ...checked, state: 'without_xbrl', attempts: 0, gaps: [] };
    const bytes = selection.files.reduce((sum, file) => sum + (file.size ?? 0), 0);
    if (bytes > limits.maxFilingBytes) return unusable(`The index lists ${bytes} bytes of XBRL files.`);
    return {
      ...checked,
      state: 'fetching',
      attempts: 0,
      chosen: selection.files.map(({ name, kind }) => ({ name, kind })),
      gaps: selection.missing.map((name) => ({ name, reason: 'the index lists none', again: false })),
    };
  } catch (error) {
    const reason = permanentFault(error);
    if (reason === null) throw error;
    return unusable(reason);
  }
}

function isOfAnotherFolder({ directory }: FilingIndex, accession: string): boolean {
  const named = directory.name?.replace(/\/$/, '').split('/').at(-1);
  return named !== undefined && named !== accession.replaceAll('-', '');
}

/** Longest wait for one file of a filing. */
const fileMs = 15 * 60_000;

type Completed = { readonly record: FilingRecord; readonly downloaded: number; readonly bytes: number };

/**
 * Downloads what is chosen and not stored, records each file as it comes, then publishes the folder.
 *
 * A file that is not there, cannot be used or is too large becomes a named gap; any other failure is thrown.
 */
async function completeFiling(
  work: FilingWork,
  input: { record: FilingRecord; askAgain: boolean; intact: boolean },
): Promise<Completed> {
  let record = await withoutLostContent(work, input.record);
  let bytes = 0;
  let downloaded = 0;
  let asked = 0;
  const keep = async (next: FilingRecord) => {
    record = next;
    await work.records.write(next);
  };
  for (const { name, kind } of record.chosen) {
    const gap = record.gaps.find((known) => known.name === name);
    if (gap !== undefined && !(gap.again && input.askAgain)) continue;
    const others = record.gaps.filter((known) => known.name !== name);
    const url = urlOf(work, record, name);
    const part = partFile({ directory: work.edgar.directory, url });
    if (record.rows.some((row) => nameOf(row) === name)) {
      // a process that died between recording the file and tidying up left its sidecar
      await part.discard();
      continue;
    }
    try {
      const stored = record.rows.reduce((sum, row) => sum + row.size, 0);
      const cap = work.edgar.network.maxBytes ?? work.limits.maxFileBytes;
      const done = await downloadFile({
        ...work,
        store: work.edgar.store,
        random: work.edgar.network.random,
        limits: {
          ...work.edgar.network,
          answerMs: Math.min(fileMs, work.edgar.network.answerMs),
          maxBytes: Math.min(cap, work.limits.maxFilingBytes - stored),
        },
        url,
        kind,
        part,
        manifest: manifestOf({
          name,
          rows: () => record.rows,
          record: (row) =>
            keep({ ...record, gaps: others, rows: [...record.rows.filter((r) => nameOf(r) !== name), row] }),
        }),
      });
      bytes += done.bytes;
      downloaded += 1;
    } catch (error) {
      const reason = permanentFault(error);
      if (reason === null) throw error;
      asked += 1;
      await keep({ ...record, gaps: [...others, { name, reason, again: true }] });
    }
  }
  const asBefore = record.rows.length === 0 || (input.intact && downloaded === 0);
  const folder = asBefore
    ? record.folder
    : await publishFiling({
        store: work.edgar.store,
        staging: join(work.target, 'edgar/.filings', `${record.cik}-${record.accession}`),
        folder: work.folder,
        files: record.rows.map((row) => ({ name: nameOf(row), sha256: row.sha256 })),
      });
  await keep({
    ...record,
    state: 'complete',
    folder,
    attempts: asked > 0 ? record.attempts + 1 : record.attempts,
    checked_at: work.effects.clock.now().toISOString(),
  });
  return { record, downloaded, bytes };
}

async function withoutLostContent(work: FilingWork, record: FilingRecord): Promise<FilingRecord> {
  const rows: ManifestRow[] = [];
  for (const row of record.rows) if (await work.edgar.store.verify(row)) rows.push(row);
  return { ...record, rows };
}

/** The manifest of one file of a filing, kept in the filing's record. */
function manifestOf({
  name,
  rows,
  record,
}: {
  name: string;
  rows: () => readonly ManifestRow[];
  record: (row: ManifestRow) => Promise<void>;
}): FetchManifest {
  return {
    rows,
    latest: () => rows().find((row) => nameOf(row) === name) ?? null,
    record,
  };
}

type FolderFile = FilingRecord['folder'][number];
type StoredFile = { readonly name: string; readonly sha256: string };

/**
 * Makes the folder of a filing hold exactly these stored files, all of them or as before: linked beside the
 * folders, then renamed. Returns what a later look at the folder has to find.
 *
 * @throws IssuerError `store_unwritable`; a folder that was there stays, or its content stays in the store.
 */
async function publishFiling({
  store,
  staging,
  folder,
  files,
}: {
  store: ContentStore;
  /** A name on the same file system, of no other filing. */
  staging: string;
  folder: string;
  files: readonly StoredFile[];
}): Promise<FolderFile[]> {
  const fresh = join(staging, 'new');
  const old = join(staging, 'old');
  try {
    await rm(staging, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true });
    for (const { name, sha256 } of files) await store.linkTo({ sha256, target: join(fresh, name) });
    await mkdir(dirname(folder), { recursive: true });
    // a full directory cannot be renamed over; the moment between leaves no folder, never a mixed one
    await rename(folder, old).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error;
    });
    await moveInto({ files: diskFiles, from: fresh, to: folder });
    await rm(staging, { recursive: true, force: true });
    return await Promise.all(files.map((file) => fingerprint(folder, file)));
  } catch (error) {
    throw storeUnwritable(folder, error);
  }
}

/** True when the folder still holds exactly the files it was left with, by name, size and time of change. */
async function isAsPublished({
  folder,
  files,
}: {
  folder: string;
  files: readonly FolderFile[];
}): Promise<boolean> {
  try {
    const names = (await readdir(folder)).sort();
    if (
      names.join('/') !==
      files
        .map((file) => file.name)
        .sort()
        .join('/')
    )
      return false;
    for (const file of files) {
      const now = await fingerprint(folder, file);
      if (now.size !== file.size || now.mtime_ms !== file.mtime_ms) return false;
    }
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}

async function fingerprint(folder: string, file: StoredFile): Promise<FolderFile> {
  const { size, mtimeMs } = await stat(join(folder, file.name));
  return { name: file.name, sha256: file.sha256, size, mtime_ms: Math.floor(mtimeMs) };
}
