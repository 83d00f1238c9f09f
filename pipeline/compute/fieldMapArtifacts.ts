import type { FilingChoreography } from '../../calculators/choreography/filingChoreography.ts';
import { fieldMapRow } from '../../calculators/fieldMap/fieldMapRow.ts';
import {
  type FieldMapSubject,
  type FiledPoint,
  issuerFieldMap,
} from '../../calculators/fieldMap/issuerFieldMap.ts';
import { type IndexedSegment, readSegmentIndex } from '../../contract/history/segmentIndex.ts';
import type { SegmentList } from '../../contract/history/segmentList.ts';
import { calculationHistory } from '../../contract/payloads/calculationHistory.ts';
import type { CovenantStress } from '../../contract/payloads/covenantStress.ts';
import {
  type FieldPoint,
  mostFieldPoints,
  issuerFieldMap as payload,
} from '../../contract/payloads/issuerFieldMap.ts';
import { canonicalJson } from '../../contract/values/canonicalJson.ts';
import type { Artifact } from '../release/artifact.ts';
import type { PointSegment } from './pointCache.ts';
import { type PointRequest, pointSegments } from './pointSegments.ts';
import { singleArtifact } from './singleArtifact.ts';

/**
 * The field map of every issuer of a slice (I4.R17.2): its points, as segments that are the same in the release of every
 * night until their month is over, and what the map says beside them.
 *
 * @throws IssuerError `validation_failed` when an earlier slice is damaged or a map does not hold its schema.
 */
export async function fieldMapArtifacts(
  input: PointRequest & {
    readonly asOf: string;
    readonly choreographies: ReadonlyMap<string, FilingChoreography>;
  },
): Promise<Artifact[]> {
  const { parameters, sourceDate } = input;
  const segments = await pointSegments(input);
  const opened = segments.map((segment) => ({ ...segment, shares: sharesOf(segment) }));
  const maps = input.covenantRows.map((stress) =>
    singleArtifact(payload.stored.object, {
      parts: { slice: sourceDate, cik: stress.cik },
      value: issuerFieldMap(
        { points: newestPoints(opened, stress.cik), latest: fieldMapRow(stress, []) },
        {
          ...subjectOf(stress, sourceDate),
          parameters,
          generatedAt: input.asOf,
          choreography: input.choreographies.get(stress.cik) ?? { events: [], chains: [] },
        },
      ),
    }),
  );
  return [...maps, ...segments.flatMap(segmentArtifacts), listOf(segments, input)];
}

function segmentArtifacts({ listed: { key }, bytes, index }: PointSegment): Artifact[] {
  return [
    { key, mediaType: 'application/x-ndjson', bytes, coded: false },
    {
      key: key.replace(/\.ndjson$/, '.index.json'),
      mediaType: 'application/json',
      bytes: index,
      coded: false,
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

type OpenedSegment = PointSegment & Pick<IndexedSegment, 'shares'>;

function sharesOf({ listed, index }: PointSegment): IndexedSegment['shares'] {
  const read = readSegmentIndex(JSON.parse(index.toString('utf8')));
  if ('fault' in read) throw new RangeError(`${listed.key}: ${read.fault}`);
  return read.value.shares;
}

/** The newest points of one issuer, dates ascending. */
function newestPoints(segments: readonly OpenedSegment[], cik: string): FiledPoint[] {
  const newest: FiledPoint[][] = [];
  let found = 0;
  for (let i = segments.length - 1; i >= 0 && found < mostFieldPoints; i -= 1) {
    const segment = segments[i];
    const share = segment?.shares.get(cik);
    if (segment === undefined || share === undefined) continue;
    const lines = segment.bytes.toString('utf8', share.start, share.end - 1);
    // one text is read faster than its lines
    const points = JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as FieldPoint[];
    const accessions = (segment.filings[cik] ?? []).flatMap(([one, length]) =>
      new Array<string>(length).fill(one),
    );
    newest.push(points.map((point, at) => ({ point, accession: accessions[at] ?? '' })));
    found += points.length;
  }
  return newest.reverse().flat().slice(-mostFieldPoints);
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
