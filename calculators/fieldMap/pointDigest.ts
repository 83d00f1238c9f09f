import type { FieldPoint } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';

/** A point of a map, and the filing in force on its day. */
export type FiledPoint = { readonly point: FieldPoint; readonly accession: string };

/**
 * What a field map says of its points beside the newest of them (M9.8). Digests of points that follow one another join
 * into the digest of all, so that points that were digested once need not be read again.
 */
export type PointDigest = {
  readonly points: number;
  /** Dates of the oldest and the newest point. */
  readonly first: string;
  readonly last: string;
  readonly peakEnergy: number | null;
  readonly peakPressure: number | null;
  readonly firstEcho: number | null;
  readonly compression: readonly Band[];
  readonly release: readonly Band[];
  /** The filings in force, each from the date of its first point. */
  readonly filings: readonly { readonly accession: string; readonly from: string }[];
};

/** @param filed dates ascending, at least one */
export function digestOf(filed: readonly FiledPoint[]): PointDigest {
  const points = filed.map(({ point }) => point);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('a digest needs a point');
  return {
    points: points.length,
    first: first.date,
    last: last.date,
    peakEnergy: points.reduce<number | null>((peak, p) => higher(peak, p.stored_energy), null),
    peakPressure: points.reduce<number | null>((peak, p) => higher(peak, p.field_pressure), null),
    firstEcho: points.find((p) => p.price_echo !== null)?.price_echo ?? null,
    compression: bandsOf(points, 'compression'),
    release: bandsOf(points, 'release'),
    filings: filed.flatMap(({ point, accession }, i) =>
      filed[i - 1]?.accession === accession ? [] : [{ accession, from: point.date }],
    ),
  };
}

/** The digest of all points of some digests, each of points that follow those of the one before; at least one. */
export function joinedDigests(parts: readonly PointDigest[]): PointDigest {
  const [oldest, newest] = [parts[0], parts.at(-1)];
  if (oldest === undefined || newest === undefined) throw new RangeError('a digest needs a point');
  return {
    points: parts.reduce((sum, { points }) => sum + points, 0),
    first: oldest.first,
    last: newest.last,
    peakEnergy: parts.reduce<number | null>((peak, one) => higher(peak, one.peakEnergy), null),
    peakPressure: parts.reduce<number | null>((peak, one) => higher(peak, one.peakPressure), null),
    firstEcho: parts.find(({ firstEcho }) => firstEcho !== null)?.firstEcho ?? null,
    compression: joinedBands(parts, 'compression'),
    release: joinedBands(parts, 'release'),
    filings: joinedFilings(parts),
  };
}

/** A band at the end of one part and another at the start of the next are one. */
function joinedBands(parts: readonly PointDigest[], flag: 'compression' | 'release'): Band[] {
  const bands: Band[] = [];
  let ended = '';
  for (const { first, last, [flag]: own } of parts) {
    for (const band of own) {
      const before = bands.at(-1);
      if (before !== undefined && before.to === ended && band.from === first)
        bands[bands.length - 1] = { from: before.from, to: band.to, points: before.points + band.points };
      else bands.push(band);
    }
    ended = last;
  }
  return bands;
}

function joinedFilings(parts: readonly PointDigest[]): PointDigest['filings'] {
  const filings: PointDigest['filings'][number][] = [];
  for (const part of parts)
    for (const filing of part.filings)
      if (filings.at(-1)?.accession !== filing.accession) filings.push(filing);
  return filings;
}

function higher(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

type Band = { readonly from: string; readonly to: string; readonly points: number };

/** The bands of one flag, oldest first; a point without a value ends a band. */
export function bandsOf<Flag extends string>(
  points: readonly ({ readonly date: string } & { readonly [name in Flag]: number | null })[],
  flag: Flag,
): Band[] {
  const bands: { from: string; to: string; points: number }[] = [];
  let open = false;
  for (const point of points) {
    const band = bands.at(-1);
    if (point[flag] !== 1) open = false;
    else if (open && band !== undefined) {
      band.to = point.date;
      band.points += 1;
    } else {
      bands.push({ from: point.date, to: point.date, points: 1 });
      open = true;
    }
  }
  return bands;
}
