import { createHash } from 'node:crypto';
import type { FilingChoreography } from '../../calculators/choreography/filingChoreography.ts';
import { addDays } from '../../calculators/exact/civilDate.ts';
import type { FieldMapRow } from '../../calculators/fieldMap/fieldMapRow.ts';
import { fieldPointReach, issuerPoints } from '../../calculators/fieldMap/issuerPoints.ts';
import { digestOf, type FiledPoint } from '../../calculators/fieldMap/pointDigest.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import type { PriceBook } from '../../calculators/prices/priceBook.ts';
import { type PlannedSegment, segmentPlan } from '../../data/contract/history/segmentList.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import {
  fieldPoint,
  issuerFieldMap,
  mostFieldPoints,
} from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { ReleasePaths } from '../dataLayout.ts';
import { type SegmentRow, segmentFile } from '../history/segmentFile.ts';
import type { SliceHistory } from '../history/sliceHistory.ts';
import { sha256Hex } from '../release/artifact.ts';
import { validated } from '../release/validated.ts';
import type { FieldMapCache, PointCache, PointSegment } from './fieldMapCache.ts';
import { fieldMapHistory, publishedCovenantRows } from './fieldMapHistory.ts';
import { reasonOf } from './leftOut.ts';

export type PointRequest = {
  readonly paths: ReleasePaths;
  /** What earlier nights read and made of promoted slices; null reads every slice, and makes every point. */
  readonly kept: {
    readonly rows: FieldMapCache;
    readonly points: PointCache;
    readonly version: string;
  } | null;
  /** Promoted slices before this one, dates ascending. */
  readonly history: SliceHistory;
  readonly sourceDate: string;
  readonly covenantRows: readonly CovenantStress[];
  readonly choreographies: ReadonlyMap<string, FilingChoreography>;
  readonly prices: PriceBook;
  /** Hash of every close up to a day, made again for days that ascend. */
  readonly closes: () => (day: string) => string;
  readonly parameters: Parameters;
};

/** The segments of a night, and the issuers whose points could not be made, each with the reason. */
export type PointSegments = {
  readonly segments: PointSegment[];
  readonly failed: ReadonlyMap<string, string>;
};

/**
 * The points of field maps as segments (STORE ST7, ST12), from the one with the oldest point that an issuer of the slice
 * shows: the issuers of its dates and every point of theirs, in any map it is shown. A night makes the points of its own
 * date and of the date before, whose build had no name yet; the first of a month those of the month.
 *
 * An issuer whose points cannot be made, or do not hold their schema, is excluded from the segments made now (M6.6c).
 *
 * @throws IssuerError `validation_failed` when an earlier slice is damaged.
 */
export async function pointSegments(pointRequest: PointRequest): Promise<PointSegments> {
  const { history, sourceDate, covenantRows, kept } = pointRequest;
  const ciks = covenantRows.map(({ cik }) => cik);
  const since = oldestShown(history, { ciks, most: mostFieldPoints - 1 }) ?? sourceDate;
  const dates = [...history.map((slice) => slice.sourceDate), sourceDate];
  const plan = segmentPlan({ sourceDate, dates }).filter((segment) => (segment.dates.at(-1) ?? '') >= since);
  const stampOf =
    kept === null ? null : pointStamps({ ...pointRequest, ...kept, closes: pointRequest.closes() });
  const found = new Map<string, PointSegment>();
  const stamps = new Map<string, string>();
  for (const segment of plan) {
    const { period } = segment;
    // the build that will answer for the slice itself has no name yet
    if (stampOf === null || kept === null || period === sourceDate) continue;
    const stamp = stampOf(segment);
    const known = await kept.points.read({ period, stamp });
    if (known === null) stamps.set(period, stamp);
    else found.set(period, known);
  }
  const { made, failed } = await makeSegments(
    pointRequest,
    plan.filter(({ period }) => !found.has(period)),
  );
  for (const [period, segment] of made) {
    found.set(period, segment);
    const stamp = stamps.get(period);
    if (stamp !== undefined) await kept?.points.write({ period, stamp, segment });
  }
  await kept?.points.prune(plan.map(({ period }) => period));
  await kept?.rows.prune(oldestBehind(pointRequest, plan[0]?.dates[0] ?? sourceDate));
  return { segments: plan.flatMap(({ period }) => found.get(period) ?? []), failed };
}

/** The oldest date among the newest points of any issuer; null where no earlier slice holds one. */
function oldestShown(
  history: SliceHistory,
  { ciks, most }: { ciks: readonly string[]; most: number },
): string | null {
  const left = new Map(ciks.map((cik) => [cik, most]));
  let oldest: string | null = null;
  for (const slice of history.toReversed()) {
    if (left.size === 0) break;
    for (const cik of slice.ciks) {
      const more = left.get(cik);
      if (more === undefined) continue;
      oldest = slice.sourceDate;
      if (more === 1) left.delete(cik);
      else left.set(cik, more - 1);
    }
  }
  return oldest;
}

/** The oldest slice that the points from a date on may depend on, where every issuer has a row on every date. */
function oldestBehind({ history, parameters }: PointRequest, since: string): string {
  const first = history.findIndex(({ sourceDate }) => sourceDate >= since);
  const at = (first < 0 ? history.length : first) - fieldPointReach(parameters);
  return history[Math.max(0, at)]?.sourceDate ?? since;
}

async function makeSegments(
  pointRequest: PointRequest,
  plan: readonly PlannedSegment[],
): Promise<{ made: Map<string, PointSegment>; failed: Map<string, string> }> {
  const periods = new Map(plan.flatMap(({ period, dates }) => dates.map((date) => [date, period] as const)));
  const { rows, failed } = await rowsBehind(pointRequest, (date) => periods.has(date));
  const points = new Map<string, Made[]>(plan.map(({ period }) => [period, []]));
  for (const [cik, own] of [...rows.byCik].sort(([a], [b]) => compareText(a, b))) {
    if (failed.has(cik)) continue;
    try {
      for (const [period, point] of pointsOf({ cik, own, periods }, pointRequest))
        points.get(period)?.push(point);
    } catch (error) {
      failed.set(cik, reasonOf(error));
    }
  }
  const made = new Map(
    plan.flatMap((segment) => {
      const file = pointSegment(segment, points.get(segment.period) ?? []);
      return file === null ? [] : [[segment.period, file] as const];
    }),
  );
  return { made, failed };
}

/** The points of one issuer on the dates that are made, each with its period. */
function pointsOf(
  { cik, own, periods }: { cik: string; own: readonly FieldMapRow[]; periods: ReadonlyMap<string, string> },
  { prices, parameters, choreographies }: PointRequest,
): [string, Made][] {
  const from = own.findIndex(({ date }) => periods.has(date));
  if (from < 0) return [];
  const events = choreographies.get(cik)?.events ?? [];
  return issuerPoints(own, { events, prices, parameters, from }).flatMap((value, i): [string, Made][] => {
    const { date, accession } = own[from + i] ?? { date: '', accession: '' };
    const period = periods.get(date);
    if (period === undefined) return [];
    const key = `issuer-field-map/${period}.ndjson`;
    const text = canonicalJson(validated({ schema: fieldPoint, value, key }));
    const row = { date, bytes: Buffer.from(`${text}\n`) };
    return [[period, { cik, accession, point: value, row }]];
  });
}

/** A point that was made, with the filing in force on its day and its stored line. */
type Made = FiledPoint & { readonly cik: string; readonly row: SegmentRow };

function pointSegment({ period, dates }: PlannedSegment, made: readonly Made[]): PointSegment | null {
  const bySubject = Map.groupBy(made, ({ cik }) => cik);
  const subjects = [...bySubject].map(([subject, own]) => ({ subject, rows: own.map(({ row }) => row) }));
  const file = segmentFile({ history: issuerFieldMap.stored.points, period, dates, subjects });
  if (file === null) return null;
  const bytes = { rows: Buffer.concat(file.bytes), index: file.index };
  return {
    listed: file.listed,
    index: { sha256: sha256Hex(file.index), bytes: file.index.length },
    digests: Object.fromEntries([...bySubject].map(([cik, own]) => [cik, digestOf(own)])),
    read: async () => bytes,
  };
}

/** The rows of the dates whose points are made, and as many before each as a point depends on; nothing else is read. */
async function rowsBehind(
  { paths, kept, history, covenantRows, prices, parameters }: PointRequest,
  isMade: (date: string) => boolean,
) {
  const reach = fieldPointReach(parameters);
  // every row of the slice itself is made
  const left = new Map(covenantRows.map(({ cik }) => [cik, reach]));
  const wanted = history
    .toReversed()
    .map((slice) => {
      const ciks = new Set<string>();
      for (const cik of slice.ciks) {
        if (isMade(slice.sourceDate)) left.set(cik, reach + 1);
        const rest = left.get(cik) ?? 0;
        if (rest === 0) continue;
        left.set(cik, rest - 1);
        ciks.add(cik);
      }
      return { ...slice, ciks };
    })
    .filter(({ ciks }) => ciks.size > 0)
    .reverse();
  const rows = fieldMapHistory({ prices, assets: parameters.regime.basket });
  const failed = new Map<string, string>();
  const add = (row: CovenantStress) => {
    try {
      rows.add(row);
    } catch (error) {
      failed.set(row.cik, reasonOf(error));
    }
  };
  for (const slice of wanted) {
    const read = () => publishedCovenantRows(paths, slice);
    const published = await (kept?.rows.rows(slice, read) ?? read());
    for (const row of published) if (slice.ciks.has(row.cik)) add(row);
  }
  for (const row of covenantRows) add(row);
  return { rows, failed };
}

/**
 * Hash of all that the points of a segment are made from: the program and its parameters, the builds that answer up to
 * its last date, the closes up to then, and the filings its reads count as they were known then (M9.2, M9.7). Equal
 * hashes, equal points. Segments are asked for by date ascending.
 *
 * @param version hash of program and parameters
 * @param closes hash of every close up to a day
 */
function pointStamps({
  version,
  history,
  choreographies,
  closes,
  parameters,
}: {
  version: string;
  history: SliceHistory;
  choreographies: ReadonlyMap<string, FilingChoreography>;
  closes: (day: string) => string;
  parameters: Pick<Parameters, 'fieldMap'>;
}): (segment: PlannedSegment) => string {
  const builds = createHash('sha256');
  let next = 0;
  const buildsUpTo = (day: string) => {
    for (let one = history[next]; one !== undefined && one.sourceDate <= day; one = history[next]) {
      builds.update(`${one.sourceDate} ${one.release}\n`);
      next += 1;
    }
    return builds.copy().digest('hex');
  };
  let filings: readonly KnownFiling[] | null = null;
  return ({ dates }) => {
    const [first, last] = [dates[0] ?? '', dates.at(-1) ?? ''];
    const since = addDays(first, -parameters.fieldMap.events.days);
    // later segments count no older ones
    filings = (filings ?? knownFilings(choreographies)).filter(({ filed }) => filed >= since);
    const counted = createHash('sha256');
    for (const { filed, knownOn, text } of filings)
      if (filed <= last && knownOn <= last) counted.update(text);
    return sha256Hex([version, buildsUpTo(last), closes(last), counted.digest('hex')].join('\n'));
  };
}

type KnownFiling = { readonly filed: string; readonly knownOn: string; readonly text: string };

function knownFilings(choreographies: ReadonlyMap<string, FilingChoreography>): KnownFiling[] {
  return [...choreographies]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([cik, { events }]) =>
      events.map(({ filed, knownOn }) => ({ filed, knownOn, text: `${cik} ${filed} ${knownOn}\n` })),
    );
}
