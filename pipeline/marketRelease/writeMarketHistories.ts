import { indexKeyOf } from '../../data/contract/history/segmentIndex.ts';
import {
  type ListedSegment,
  type PlannedSegment,
  type SegmentList,
  segmentPlan,
} from '../../data/contract/history/segmentList.ts';
import type { AnyHistory } from '../../data/contract/payloads/stored.ts';
import type { ManifestEntry } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { type SegmentRow, segmentFile } from '../history/segmentFile.ts';
import { sha256Hex } from '../release/artifact.ts';
import type { PutFile } from '../release/draftRelease.ts';
import type { KeptSegment } from './segmentCache.ts';

/** A history of products, made from the warehouse. */
export type MarketHistory = {
  readonly history: AnyHistory;
  readonly methodVersion: string;
  /** Hash of all that the rows of a segment follow from. */
  readonly fingerprint: (segment: PlannedSegment) => string;
  /** Rows of each product, ascending, by date and bucket. */
  readonly rows: (
    segment: PlannedSegment,
  ) => Promise<readonly { readonly subject: string; readonly rows: readonly SegmentRow[] }[]>;
};

/** Segments that an earlier release holds. */
export type HeldSegments = {
  readonly release: string;
  readonly entries: ReadonlyMap<string, ManifestEntry>;
};

/** Histories of the same dates, made segment by segment beside each other: what they share is read once. */
export type MarketHistories = {
  /** Dates up to the slice that they are for, ascending. */
  readonly dates: readonly string[];
  readonly histories: readonly MarketHistory[];
};

/**
 * Writes the segments of histories and their lists (STORE ST7–ST9). A segment whose rows would be the same is referred
 * to by its hash and not made again; of the others one is in memory at a time.
 *
 * @param kept what earlier releases made segments from
 * @param held the release that may hold them; null makes all again
 * @returns what the segments were made from, by key
 */
export async function writeMarketHistories(
  { dates, histories }: MarketHistories,
  {
    sourceDate,
    kept,
    held,
    put,
  }: {
    sourceDate: string;
    kept: ReadonlyMap<string, KeptSegment>;
    held: HeldSegments | null;
    put: PutFile;
  },
): Promise<Map<string, KeptSegment>> {
  const written = new Map(histories.map((one) => [one, new Map<string, KeptSegment>()]));
  for (const segment of segmentPlan({ sourceDate, dates })) {
    for (const [{ history, fingerprint: fingerprintOf, rows }, segments] of written) {
      const key = history.key(segment);
      const fingerprint = fingerprintOf(segment);
      const known = kept.get(key);
      const isKnown =
        known?.fingerprint === fingerprint && held !== null && (await putHeld(known, { held, put }));
      segments.set(
        key,
        isKnown && known !== undefined
          ? known
          : { fingerprint, ...(await putMade(history, { segment, subjects: await rows(segment), put })) },
      );
    }
  }
  for (const [{ history, methodVersion }, segments] of written) {
    const list: SegmentList = {
      schema_id: 'history_segments.v1',
      method_version: methodVersion,
      source_dates: [...dates],
      segments: [...segments.values()].flatMap(({ listed }) => (listed === null ? [] : [listed])),
    };
    const bytes = [Buffer.from(canonicalJson(list))];
    await put({ key: history.listKey({ slice: sourceDate }), mediaType: 'application/json', bytes });
  }
  return new Map([...written.values()].flatMap((segments) => [...segments]));
}

/** Refers to a segment and its index; false where the earlier release holds another one. @throws DamagedHeld */
async function putHeld(
  { listed, index }: KeptSegment,
  { held, put }: { held: HeldSegments; put: PutFile },
): Promise<boolean> {
  if (listed === null || index === null) return true;
  const indexKey = indexKeyOf(listed.key);
  const [rows, offsets] = [held.entries.get(listed.key), held.entries.get(indexKey)];
  if (rows?.sha256 !== listed.sha256 || offsets?.sha256 !== index.sha256) return false;
  const { release } = held;
  const { key, sha256, bytes } = listed;
  await put({ key, mediaType: 'application/x-ndjson', held: { release, sha256, bytes } });
  await put({ key: indexKey, mediaType: 'application/json', held: { release, ...index } });
  return true;
}

async function putMade(
  history: AnyHistory,
  {
    segment,
    subjects,
    put,
  }: { segment: PlannedSegment; subjects: Awaited<ReturnType<MarketHistory['rows']>>; put: PutFile },
): Promise<{ listed: ListedSegment | null; index: KeptSegment['index'] }> {
  const file = segmentFile({ ...segment, history, subjects });
  if (file === null) return { listed: null, index: null };
  const { listed, bytes } = file;
  await put({ key: listed.key, mediaType: 'application/x-ndjson', bytes, sha256: listed.sha256 });
  const key = history.indexKey(segment);
  const index = { sha256: sha256Hex(file.index), bytes: file.index.length };
  await put({ key, mediaType: 'application/json', bytes: [file.index], sha256: index.sha256 });
  return { listed, index };
}
