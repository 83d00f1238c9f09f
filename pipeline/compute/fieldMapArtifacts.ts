import type { FilingChoreography } from '../../calculators/choreography/filingChoreography.ts';
import { fieldMapRow } from '../../calculators/fieldMap/fieldMapRow.ts';
import { type FieldMapSubject, issuerFieldMap } from '../../calculators/fieldMap/issuerFieldMap.ts';
import {
  digestOf,
  type FiledPoint,
  joinedDigests,
  type PointDigest,
} from '../../calculators/fieldMap/pointDigest.ts';
import { indexKeyOf, readSegmentIndex } from '../../data/contract/history/segmentIndex.ts';
import type { SegmentList } from '../../data/contract/history/segmentList.ts';
import { calculationHistory } from '../../data/contract/payloads/issuer/calculationHistory.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import {
  type FieldPoint,
  mostFieldPoints,
  issuerFieldMap as payload,
} from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { Artifact, StandingArtifact } from '../release/artifact.ts';
import { singleArtifact } from '../release/validated.ts';
import type { PointSegment } from './fieldMapCache.ts';
import { type MadeOrNot, orLeftOut } from './leftOut.ts';
import { type PointRequest, pointSegments } from './pointSegments.ts';

/**
 * The field map of every issuer of a slice (I4.R17.2): its points, as segments that are the same in the release of every
 * night until their month is over, and what the map says beside them.
 *
 * A map that cannot be made, or whose points cannot, is excluded alone (M6.6c).
 *
 * @throws IssuerError `validation_failed` when an earlier slice is damaged.
 */
export async function fieldMapArtifacts(
  input: PointRequest & {
    readonly asOf: string;
    readonly choreographies: ReadonlyMap<string, FilingChoreography>;
  },
): Promise<MadeOrNot[]> {
  const { parameters, sourceDate } = input;
  const { segments, failed } = await pointSegments(input);
  const pointsOf = pointReader();
  const maps: MadeOrNot[] = [];
  for (const stress of input.covenantRows) {
    const { cik } = stress;
    const parts = { slice: sourceDate, cik };
    const own = { what: `the field map of ${stress.ticker}`, keys: [payload.stored.object.key(parts)] };
    const failure = failed.get(cik);
    if (failure !== undefined) {
      maps.push(...own.keys.map((key) => ({ key, leftOut: { what: own.what, reason: failure } })));
      continue;
    }
    const newest = segments.at(-1);
    const last = newest === undefined ? undefined : (await pointsOf(newest, cik)).at(-1);
    if (last === undefined) throw new RangeError(`the slice has no point of ${cik}`);
    const shown = await shownDigest({ segments, cik, pointsOf });
    const made = await orLeftOut(own, () => {
      const value = issuerFieldMap(
        { shown, last: last.point, latest: fieldMapRow(stress, []) },
        {
          ...subjectOf(stress, sourceDate),
          parameters,
          generatedAt: input.asOf,
          choreography: input.choreographies.get(cik) ?? { events: [], chains: [] },
        },
      );
      return [singleArtifact(payload.stored.object, { parts, value })];
    });
    maps.push(...made);
  }
  return [...maps, ...segments.flatMap(segmentArtifacts), listOf(segments, input)];
}

function segmentArtifacts({ listed: { key, sha256, bytes }, index, read }: PointSegment): StandingArtifact[] {
  return [
    {
      key,
      mediaType: 'application/x-ndjson',
      standing: { sha256, bytes, read: async () => (await read()).rows },
    },
    {
      key: indexKeyOf(key),
      mediaType: 'application/json',
      standing: { ...index, read: async () => (await read()).index },
    },
  ];
}

function listOf(
  segments: readonly PointSegment[],
  { history, sourceDate, parameters }: PointRequest,
): Artifact {
  const since = segments[0]?.listed.first_source_date ?? sourceDate;
  const list: SegmentList = {
    schema_id: 'history_segments.v1',
    method_version: parameters.versions.fieldMap,
    source_dates: [...history.map((slice) => slice.sourceDate), sourceDate].filter((date) => date >= since),
    segments: segments.map(({ listed }) => listed),
  };
  const key = payload.stored.points.listKey({ slice: sourceDate });
  return { key, mediaType: 'application/json', bytes: Buffer.from(canonicalJson(list)), coded: false };
}

type PointsOf = (segment: PointSegment, cik: string) => Promise<FiledPoint[]>;

/** Reads the points of an issuer in a segment, whose bytes are opened once. */
function pointReader(): PointsOf {
  const opened = new Map<PointSegment, ReturnType<typeof openSegment>>();
  return async (segment, cik) => {
    const running = opened.get(segment) ?? openSegment(segment);
    opened.set(segment, running);
    const { rows, shares } = await running;
    const share = shares.get(cik);
    if (share === undefined) return [];
    const lines = rows.toString('utf8', share.start, share.end - 1);
    // one text is read faster than its lines
    const points = JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as FieldPoint[];
    return withFilings(points, segment.digests[cik]?.filings ?? []);
  };
}

async function openSegment({ listed, read }: PointSegment) {
  const { rows, index } = await read();
  const found = readSegmentIndex(JSON.parse(index.toString('utf8')));
  if ('fault' in found) throw new RangeError(`${listed.key}: ${found.fault}`);
  return { rows, shares: found.value.shares };
}

function withFilings(points: readonly FieldPoint[], filings: PointDigest['filings']): FiledPoint[] {
  let at = 0;
  return points.map((point) => {
    while ((filings[at + 1]?.from ?? '~') <= point.date) at += 1;
    return { point, accession: filings[at]?.accession ?? '' };
  });
}

/** What the map of an issuer says of the newest points; of a segment of which it shows a part, the points are read. */
async function shownDigest({
  segments,
  cik,
  pointsOf,
}: {
  segments: readonly PointSegment[];
  cik: string;
  pointsOf: PointsOf;
}): Promise<PointDigest> {
  const parts: PointDigest[] = [];
  let most = mostFieldPoints;
  for (let i = segments.length - 1; i >= 0 && most > 0; i -= 1) {
    const segment = segments[i];
    const whole = segment?.digests[cik];
    if (segment === undefined || whole === undefined) continue;
    const part = whole.points <= most ? whole : digestOf((await pointsOf(segment, cik)).slice(-most));
    parts.push(part);
    most -= part.points;
  }
  return joinedDigests(parts.reverse());
}

function subjectOf(stress: CovenantStress, slice: string): FieldMapSubject {
  return {
    ticker: stress.ticker,
    companyName: stress.entity_name ?? null,
    filingForm: stress.filing_form ?? null,
    priceSource: stress.price_source ?? null,
    rawPaths: [calculationHistory.stored.history.listKey({ slice })],
  };
}
