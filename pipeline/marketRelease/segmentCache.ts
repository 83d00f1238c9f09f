import { dirname, join } from 'node:path';
import { z } from 'zod';
import { segmentList } from '../../data/contract/history/segmentList.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { count, sha256 } from '../../data/contract/values/primitives.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { Journalled } from '../history/historyJournal.ts';
import { parsedFile } from '../release/releaseStore.ts';

const keptSegment = z.strictObject({
  /** Of all that its rows follow from. */
  fingerprint: sha256,
  /** As the list of segments names it; null where its dates have no row. */
  listed: segmentList.shape.segments.element.nullable(),
  index: z.strictObject({ sha256, bytes: count }).nullable(),
});

/**
 * What the last release made each segment of a market history from, by key. It only saves work: without it, or when it
 * is damaged, segments are made again.
 */
const cacheFile = z.strictObject({
  schema_id: z.literal('market_segments.v1'),
  segments: z.record(z.string(), keptSegment),
});

export type KeptSegment = z.infer<typeof keptSegment>;

const pathIn = (journal: string) => join(journal, 'market-segments.json');

/** @param journal `<data>/warehouse/journal` */
export async function readSegmentCache(journal: string): Promise<ReadonlyMap<string, KeptSegment>> {
  const read = await parsedFile(cacheFile, pathIn(journal)).catch(() => null);
  return new Map(Object.entries(read?.segments ?? {}));
}

/** Replaces what is kept. */
export async function writeSegmentCache({
  journal,
  segments,
  files,
}: Journalled & { segments: ReadonlyMap<string, KeptSegment> }): Promise<void> {
  const path = pathIn(journal);
  await files.makeDirectory(dirname(path));
  const bytes = canonicalJson({ schema_id: 'market_segments.v1', segments: Object.fromEntries(segments) });
  await replaceFile({ files, path, bytes });
}
