import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { count, sha256 } from '../../../data/contract/values/primitives.ts';
import { ifPresent, storeText } from './storeUnwritable.ts';

/** Schema of {@link ManifestRow}. */
export const manifestRow = z.strictObject({
  url: z.url(),
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  fetched_at: z.iso.datetime(),
  size: count,
  sha256,
});

/** What was downloaded from where and when; the content lies under its sha256 in the same directory. */
export type ManifestRow = z.infer<typeof manifestRow>;

/** The rows of one source, oldest first; the last row of a URL is the one in force. */
export type FetchManifest = {
  rows(): readonly ManifestRow[];
  latest(url: string): ManifestRow | null;
  /** Adds a row and makes the manifest durable before it resolves. */
  record(row: ManifestRow): Promise<void>;
};

/**
 * Opens `manifest.ndjson` of a source's directory; a missing file is an empty manifest.
 *
 * @throws IssuerError `validation_failed` naming the line when the file is damaged.
 */
export async function openFetchManifest(directory: string): Promise<FetchManifest> {
  const path = join(directory, 'manifest.ndjson');
  let rows = parseManifest(await ifPresent(readFile(path, 'utf8'), ''), path);
  // writers queue up, so no two replace the file at once
  let tail: Promise<void> = Promise.resolve();
  return {
    rows: () => rows,
    latest: (url) => rows.findLast((row) => row.url === url) ?? null,
    record(row) {
      const write = tail.then(async () => {
        const next = [...rows, row];
        await storeText(path, next.map((r) => `${canonicalJson(r)}\n`).join(''));
        rows = next;
      });
      tail = write.catch(() => undefined);
      return write;
    },
  };
}

function parseManifest(text: string, path: string): readonly ManifestRow[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i) => {
      try {
        return manifestRow.parse(JSON.parse(line));
      } catch (cause) {
        throw new IssuerError({
          code: 'validation_failed',
          message: `Line ${i + 1} of ${path} is not a manifest row.`,
          hint: 'Restore the file or delete it; without it everything is downloaded again.',
          details: { path, line: i + 1 },
          cause,
        });
      }
    });
}
