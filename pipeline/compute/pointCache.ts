import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { segmentList } from '../../contract/history/segmentList.ts';
import { count } from '../../contract/values/primitives.ts';
import type { FileEffects } from '../effects.ts';
import { sha256Hex } from '../release/artifact.ts';

const filings = z.record(z.string(), z.array(z.tuple([z.string(), count.min(1)])));

const keptHeader = z.strictObject({
  stamp: z.string(),
  listed: segmentList.shape.segments.element,
  filings,
});

/** The points of one segment, and what a map says of them besides. */
export type PointSegment = {
  readonly listed: z.infer<typeof keptHeader>['listed'];
  readonly bytes: Buffer;
  readonly index: Buffer;
  /** The filing in force at the points of each subject, as runs: accession number, and at how many. */
  readonly filings: Readonly<z.infer<typeof filings>>;
};

/**
 * Segments of points that earlier nights made, by what they were made from. It only saves work: without it, or where it
 * is damaged, points are made anew from the rows of promoted slices, byte for byte.
 */
export type PointCache = {
  read(o: { period: string; stamp: string }): Promise<PointSegment | null>;
  write(o: { period: string; stamp: string; segment: PointSegment }): Promise<void>;
  /** Removes the segments of all but these periods. */
  prune(periods: readonly string[]): Promise<void>;
};

const ending = '.points';
const hashLength = 64;

/** @param o.root `<data>/warehouse/field-maps`: a file a segment, its hash in the first line */
export function openPointCache({ root, files }: { root: string; files: FileEffects }): PointCache {
  const pathOf = (period: string) => join(root, `${period}${ending}`);
  return {
    async read({ period, stamp }) {
      const file = await readFile(pathOf(period)).catch(() => Buffer.alloc(0));
      const body = file.subarray(hashLength + 1);
      if (file.toString('latin1', 0, hashLength) !== sha256Hex(body)) return null;
      const headerEnd = body.indexOf(10);
      const indexEnd = body.indexOf(10, headerEnd + 1);
      const header = keptHeader.safeParse(JSON.parse(body.toString('utf8', 0, headerEnd)));
      if (header.data?.stamp !== stamp) return null;
      const { listed, filings: runs } = header.data;
      const index = body.subarray(headerEnd + 1, indexEnd);
      return { listed, filings: runs, index, bytes: body.subarray(indexEnd + 1) };
    },
    async write({ period, stamp, segment: { bytes, index, ...said } }) {
      const header = JSON.stringify({ stamp, ...said });
      const body = Buffer.concat([Buffer.from(`${header}\n`), index, Buffer.from('\n'), bytes]);
      await files.makeDirectory(root);
      // not synced: a file torn by a crash has another hash than it says
      await files.write(pathOf(period), Buffer.concat([Buffer.from(`${sha256Hex(body)}\n`), body]));
    },
    async prune(periods) {
      const kept = new Set(periods.map((period) => `${period}${ending}`));
      for (const name of await readdir(root).catch(() => []))
        if (name.endsWith(ending) && !kept.has(name)) await files.remove(join(root, name));
    },
  };
}
