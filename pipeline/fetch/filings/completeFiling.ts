import { join } from 'node:path';
import { downloadFile } from '../http/downloadFile.ts';
import { partFile } from '../http/partFile.ts';
import type { FetchManifest, ManifestRow } from '../store/fetchManifest.ts';
import type { FilingRecord } from './filingRecord.ts';
import { type FilingWork, nameOf, permanentFault, urlOf } from './filingWork.ts';
import { publishFiling } from './publishFiling.ts';

/** Longest wait for one file of a filing. */
const fileMs = 15 * 60_000;

type Completed = { readonly record: FilingRecord; readonly downloaded: number; readonly bytes: number };

/**
 * Downloads what is chosen and not stored, records each file as it comes, then publishes the folder.
 *
 * A file that is not there, cannot be used or is too large becomes a named gap; any other failure is thrown.
 */
export async function completeFiling(
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
