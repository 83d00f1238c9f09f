import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { accession, count, sha256 } from '../../../data/contract/values/primitives.ts';
import { parsedOrNull } from '../../exactJson.ts';
import { manifestRow } from '../store/fetchManifest.ts';
import { errnoOf, ifPresent, storeText, storeUnwritable } from '../store/storeUnwritable.ts';

const fileKind = z.enum(['instance', 'schema', 'linkbase', 'submission']);

const filingRecord = z.strictObject({
  /** Without leading zeros, as EDGAR's paths have it. */
  cik: z.string().regex(/^[1-9]\d{0,9}$/),
  accession,
  form: z.string(),
  /** `fetching`: not everything chosen was asked for yet. `unusable`: no index, or none that can be used. */
  state: z.enum(['fetching', 'complete', 'without_xbrl', 'unusable']),
  /** The files chosen from the index, once it was read. */
  chosen: z.array(z.strictObject({ name: z.string(), kind: fileKind })),
  /** One row a stored file. */
  rows: z.array(manifestRow),
  /** What the filing should have and EDGAR does not give; `again` says whether asking once more makes sense. */
  gaps: z.array(z.strictObject({ name: z.string(), reason: z.string(), again: z.boolean() })),
  /** Runs that found gaps or no usable index, and when the last one asked. */
  attempts: count,
  checked_at: z.iso.datetime(),
  /** The published folder as it was left; a file that still has size and time is not read again. */
  folder: z.array(z.strictObject({ name: z.string(), sha256, size: count, mtime_ms: count })),
});

/** What is known of one filing: the durable state of its fetch and the manifest of its files. */
export type FilingRecord = z.infer<typeof filingRecord>;

/** The records of a source's directory, `filings/<cik>/<accession without dashes>.json`. */
export type FilingRecords = {
  /** The record of a filing, null when there is none; a damaged one counts as none, for all it says can be asked again. */
  read(o: { cik: string; accession: string }): Promise<FilingRecord | null>;
  write(record: FilingRecord): Promise<void>;
  /** Every record. @throws IssuerError `validation_failed` naming a damaged one. */
  all(): AsyncGenerator<FilingRecord>;
};

/** Where the records of submission texts lie: a 6-K can be fetched for its XBRL and for its text. */
export function reportRecords(directory: string): string {
  return join(directory, 'reports');
}

/** Opens the records in `directory`, `<rawRoot>/edgar`. */
export function filingRecords(directory: string): FilingRecords {
  const root = join(directory, 'filings');
  const folder = (cik: string) => join(root, cik);
  const path = ({ cik, accession }: { cik: string; accession: string }) =>
    join(folder(cik), `${accession.replaceAll('-', '')}.json`);
  return {
    async read(input) {
      const record = await readRecord(path(input));
      return record?.cik === input.cik && record.accession === input.accession ? record : null;
    },
    async write(record) {
      await mkdir(folder(record.cik), { recursive: true }).catch((error: unknown) => {
        throw storeUnwritable(folder(record.cik), error);
      });
      await storeText(path(record), `${canonicalJson(record)}\n`);
    },
    async *all() {
      for (const cik of await namesIn(root)) {
        for (const name of await namesIn(folder(cik))) {
          if (!/^\d{18}\.json$/.test(name)) continue;
          const file = join(folder(cik), name);
          const record = await readRecord(file);
          if (record === null) throw damaged(file);
          yield record;
        }
      }
    },
  };
}

async function readRecord(path: string): Promise<FilingRecord | null> {
  return parsedOrNull(filingRecord, await ifPresent(readFile(path, 'utf8'), ''));
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return [];
    throw error;
  }
}

function damaged(path: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `${path} is not the record of a filing.`,
    hint: 'Delete it; the filing is then fetched again.',
    details: { path },
  });
}
