import { type IndexedSegment, readSegmentIndex } from '../../data/contract/history/segmentIndex.ts';
import {
  type ListedSegment,
  readSegmentList,
  type SegmentList,
  segmentPlan,
} from '../../data/contract/history/segmentList.ts';
import { calculationHistory } from '../../data/contract/payloads/issuer/calculationHistory.ts';
import { coreHistory } from '../../data/contract/payloads/issuer/coreHistory.ts';
import type { AnyHistory } from '../../data/contract/payloads/stored.ts';
import type { ManifestEntry } from '../../data/contract/release/releaseFiles.ts';
import type { ReleasePaths } from '../dataLayout.ts';
import { type OpenRelease, openRelease } from '../release/openRelease.ts';
import { signatureHolds } from '../release/signingKey.ts';
import type { HistoryLines } from './historyLines.ts';
import { rowsOfShare, type SegmentRow } from './segmentFile.ts';

/** A history, and the lines one slice adds to it for one subject. */
export type HistoryKind = {
  readonly history: AnyHistory;
  /** Every form of the row in stored order, each line ended. */
  readonly text: (lines: HistoryLines) => string;
};

/** The histories of issuers. */
export const historyKinds: readonly HistoryKind[] = [
  { history: coreHistory.stored.history, text: ({ core }) => `${core}\n` },
  { history: calculationHistory.stored.history, text: ({ compact, full }) => `${compact}\n${full}\n` },
];

/** The histories of an earlier release. */
export type HistoryBase = {
  readonly release: string;
  /** The build that answered for each date of the histories when they were made. */
  readonly slices: Readonly<Record<string, string>>;
  /** Which dates each segment is for, by period. */
  readonly plan: ReadonlyMap<string, readonly string[]>;
  readonly kinds: readonly BaseHistory[];
};

/** One history of an earlier release. */
export type BaseHistory = {
  /** A segment as it was stored; null where its dates had no row. */
  stored(period: string): StoredSegment | null;
  /** The rows of a segment, checked against the manifest; null where its dates had none. @throws DamagedBase */
  open(period: string): Promise<OpenSegment | null>;
};

export type StoredSegment = {
  readonly listed: ListedSegment;
  readonly rows: ManifestEntry;
  readonly index: ManifestEntry;
};

export type OpenSegment = {
  /** Ascending. */
  readonly subjects: readonly string[];
  rows(subject: string): readonly SegmentRow[];
};

/** The earlier release cannot be relied on; histories are made from the slices instead. */
export class DamagedBase extends Error {}

/**
 * Opens the histories of an earlier release. What is read of it is checked against its signed manifest.
 *
 * @throws DamagedBase when the release or a list of segments is not what its manifest says.
 */
export async function openHistoryBase({
  paths,
  release,
  slices,
  kinds,
}: {
  paths: ReleasePaths;
  release: string;
  slices: Readonly<Record<string, string>>;
  kinds: readonly HistoryKind[];
}): Promise<HistoryBase> {
  const opened = await openRelease(paths, release).catch(() => damaged(`${release} is gone`));
  const { manifest } = opened;
  if (!signatureHolds(manifest)) return damaged('its signature does not hold');
  const lists: SegmentList[] = [];
  for (const { history } of kinds) {
    lists.push(await readStored(opened, history.listKey({ slice: manifest.source_date }), readSegmentList));
  }
  const dates = lists[0]?.source_dates ?? [];
  if (lists.some((list) => list.source_dates.join() !== dates.join()))
    return damaged('its histories are of different dates');
  const plan = segmentPlan({ sourceDate: manifest.source_date, dates });
  return {
    release,
    slices,
    plan: new Map(plan.map((segment) => [segment.period, segment.dates])),
    kinds: kinds.map(({ history }, i) => baseHistory(opened, history, lists[i]?.segments ?? [])),
  };
}

function baseHistory(
  opened: OpenRelease,
  history: AnyHistory,
  segments: readonly ListedSegment[],
): BaseHistory {
  const entries = new Map(opened.manifest.artifacts.map((entry) => [entry.key, entry]));
  const byKey = new Map(segments.map((segment) => [segment.key, segment]));
  const entryOf = (key: string) => entries.get(key) ?? damaged(`${key} is not listed`);
  const stored = (period: string): StoredSegment | null => {
    const listed = byKey.get(history.key({ period }));
    if (listed === undefined) return null;
    const rows = entryOf(listed.key);
    if (rows.sha256 !== listed.sha256) return damaged(`${listed.key} has another hash`);
    return { listed, rows, index: entryOf(history.indexKey({ period })) };
  };
  return {
    stored,
    async open(period) {
      const segment = stored(period);
      if (segment === null) return null;
      const index = await readStored(opened, segment.index.key, readSegmentIndex);
      const bytes = await readBytes(opened, segment.rows.key);
      if (index.bytes !== bytes.length) return damaged(`${segment.rows.key} does not fit its index`);
      return openSegment(index, bytes);
    },
  };
}

function openSegment({ shares, linesPerRow }: IndexedSegment, bytes: Buffer): OpenSegment {
  return {
    subjects: [...shares.keys()],
    rows(subject) {
      const share = shares.get(subject);
      if (share === undefined) return [];
      return rowsOfShare(bytes.subarray(share.start, share.end), { dates: share.dates, linesPerRow });
    },
  };
}

async function readStored<T>(
  opened: OpenRelease,
  key: string,
  read: (json: unknown) => { readonly value: T } | { readonly fault: string },
): Promise<T> {
  const found = read(JSON.parse((await readBytes(opened, key)).toString('utf8')));
  return 'value' in found ? found.value : damaged(`${key}: ${found.fault}`);
}

async function readBytes(opened: OpenRelease, key: string): Promise<Buffer> {
  const bytes = await opened.read(key).catch(() => damaged(`${key} is missing or has another hash`));
  return bytes ?? damaged(`${key} is not listed`);
}

function damaged(what: string): never {
  throw new DamagedBase(what);
}
