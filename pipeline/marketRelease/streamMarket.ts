import type { DuckDBConnection } from '@duckdb/node-api';
import { roundHalfUp } from '../../calculators/exact/decimals.ts';
import { type Product, registryWeights, versionOn } from '../../calculators/market/baskets/product.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import type { IssuerTiers } from '../../calculators/market/readings/issuerTruth.ts';
import { marketPointRows, marketPoints } from '../../calculators/market/readings/marketPoints.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import type { PerpsParameters } from '../../calculators/parameters/perpsParameters.ts';
import { marketFieldMap } from '../../data/contract/payloads/market/marketFieldMap.ts';
import {
  type PerpConstituentsRow,
  perpConstituents,
  perpConstituentsRow,
} from '../../data/contract/payloads/market/perpConstituents.ts';
import { perpFactors } from '../../data/contract/payloads/market/perpFactors.ts';
import { perpRankings } from '../../data/contract/payloads/market/perpRankings.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { bucketLengths } from '../../data/contract/values/enums.ts';
import type { SegmentRow } from '../history/segmentFile.ts';
import type { HistoryRequest, StreamedRequest } from '../history/streamHistory.ts';
import { factorMethod } from '../market/factorRows.ts';
import { type MarketFacts, type MarketRequest, windowRows } from '../market/readMarketNight.ts';
import { sha256Hex } from '../release/artifact.ts';
import { DamagedHeld, type PutFile } from '../release/draftRelease.ts';
import { readManifest, releaseParts, standingCurrent } from '../release/releaseStore.ts';
import { signatureHolds } from '../release/signingKey.ts';
import { validated } from '../release/validated.ts';
import { openForReading } from '../warehouse/build/openDatabase.ts';
import { factorLines } from './factorForms.ts';
import { type FactorReader, factorReader, type NewestRows } from './factorReader.ts';
import { pointLine } from './fieldMapOf.ts';
import { listedTiers, readTiers } from './readMarketContext.ts';
import { type KeptSegment, readSegmentCache, writeSegmentCache } from './segmentCache.ts';
import { type DayRows, dayRows } from './storedMarket.ts';
import {
  type HeldSegments,
  type MarketHistories,
  type MarketHistory,
  writeMarketHistories,
} from './writeMarketHistories.ts';

/**
 * Writes the histories of products of a release that has market data (I4.R13–I4.R15, I4.R18). What earlier releases
 * hold of unchanged rows is referred to.
 */
export async function streamMarket(request: StreamedRequest, put: PutFile): Promise<void> {
  const { market, sourceDate, log } = request;
  const ranked = perpRankings.stored.rows.key({ slice: sourceDate, bucket_length: '1d' });
  if (market === null || !request.artifacts.some(({ key }) => key === ranked)) return;
  const held = await heldSegments(request);
  try {
    await writeFrom(request, { market, held, put });
  } catch (error) {
    if (!(error instanceof DamagedHeld)) throw error;
    log({
      level: 'warn',
      step: 'publish',
      message: `market histories are made again: of ${held?.release}, ${error.message}`,
    });
    await writeFrom(request, { market, held: null, put });
  }
}

async function writeFrom(
  request: StreamedRequest,
  { market, held, put }: { market: MarketRequest; held: HeldSegments | null; put: PutFile },
): Promise<void> {
  const { sourceDate, slices, stopIfAsked } = request;
  const past = Object.keys(slices).filter((date) => date < sourceDate);
  const kept = await readSegmentCache(market.journal);
  const segments = new Map<string, KeptSegment>();
  const database = await openForReading(market.database);
  try {
    const histories = await marketHistories({
      ...market,
      connection: database.connection,
      sourceDate,
      slices: [...past.sort(), sourceDate],
      issuersOf: await issuersByDate(request, market),
    });
    for (const group of histories) {
      stopIfAsked();
      const written = await writeMarketHistories(group, {
        sourceDate,
        kept,
        held,
        put: async (file) => {
          stopIfAsked();
          await put(file);
        },
      });
      for (const [key, segment] of written) segments.set(key, segment);
    }
  } finally {
    database.close();
  }
  // what is kept is of the newest release: the correction of an older date must not take its place
  if (held !== null && releaseParts(held.release).sourceDate > sourceDate) return;
  await writeSegmentCache({ journal: market.journal, segments, files: request.files });
}

/** What the current release holds; null where it cannot be relied on. */
async function heldSegments({ paths }: HistoryRequest): Promise<HeldSegments | null> {
  const release = await standingCurrent(paths);
  if (release === null) return null;
  const read = await readManifest(paths, release).catch(() => null);
  if (read === null || !signatureHolds(read.manifest)) return null;
  return { release, entries: new Map(read.manifest.artifacts.map((entry) => [entry.key, entry])) };
}

/** The issuers of each date: of the current slice, or of the promoted slice of a past one. */
async function issuersByDate(
  request: StreamedRequest,
  { ciks }: MarketRequest,
): Promise<(date: string) => IssuersOfDate> {
  const { paths, sourceDate, slices } = request;
  const none: IssuersOfDate = { release: null, ciks: new Set(), tiers: async () => null };
  const own = await ownIssuers(request);
  return (date) => {
    if (date === sourceDate) return own;
    const release = slices[date];
    if (date > sourceDate || release === undefined) return none;
    return {
      release,
      ciks: new Set(ciks.get(date)),
      tiers: () => readTiers(paths, { sourceDate: date, release }),
    };
  };
}

async function ownIssuers({ artifacts, sourceDate, release }: StreamedRequest): Promise<IssuersOfDate> {
  const own = new Map(artifacts.map(({ key, bytes }) => [key, bytes]));
  const tiers = await listedTiers(sourceDate, async (key) => own.get(key) ?? null);
  return { release, ciks: new Set(tiers.keys()), tiers: async () => tiers };
}

/** What the issuers' half of a date gives to its market rows. */
type IssuersOfDate = {
  /** The build that answers for the date, the same before and after it is promoted; null without one. */
  readonly release: string | null;
  readonly ciks: ReadonlySet<string>;
  readonly tiers: () => Promise<IssuerTiers | null>;
};

type Market = {
  readonly connection: DuckDBConnection;
  readonly sourceDate: string;
  readonly products: readonly Product[];
  readonly parameters: Parameters;
  /** What the slice read of its date; null where that is not known. */
  readonly facts: MarketFacts | null;
  /** Version of the program: the same rows and the same program give the same lines. */
  readonly code: string;
  readonly issuersOf: (date: string) => IssuersOfDate;
  /** Dates of promoted slices and of the slice itself. */
  readonly slices: readonly string[];
};

/** The histories of products up to a slice: factors and points of each bucket length, and constituents (I4.R13–I4.R18). */
export async function marketHistories(market: Market): Promise<readonly MarketHistories[]> {
  const { connection, sourceDate, slices, parameters } = market;
  const groups: MarketHistories[] = [];
  const dates = new Set(slices);
  const before = marketPointRows(parameters);
  const daysOf = await dayRows(connection, { upTo: sourceDate, pointRows: before });
  for (const length of bucketLengths) {
    const days = daysOf(length);
    const newest = newestRows(market, { length, before });
    const read = factorReader(connection, { length, days, before, newest });
    const of = { length, days, read };
    const histories = [factorHistory(market, of), pointHistory(market, of)];
    groups.push({ dates: [...days.keys()], histories });
    for (const date of days.keys()) dates.add(date);
  }
  return [...groups, { dates: [...dates].sort(), histories: [constituentHistory(market)] }];
}

/** The rows of the slice's date as the slice read them. */
function newestRows(
  { facts }: Market,
  { length, before }: { readonly length: BucketLength; readonly before: number },
): NewestRows | null {
  // the window of a slice is what field maps show of it
  if (facts === null || before > windowRows) return null;
  const { sourceDate: date } = facts;
  const rows = facts.products.map(({ product, byLength }) => {
    const { day, window } = byLength[length];
    const earlier = window.filter((row) => row.sourceDate < date).slice(-before);
    return [product.product, { before: earlier, own: day }] as const;
  });
  return { date, rows: new Map(rows) };
}

type OfLength = {
  readonly length: BucketLength;
  readonly days: ReadonlyMap<string, DayRows>;
  readonly read: FactorReader;
};

function factorHistory({ products, code }: Market, { length, days, read }: OfLength): MarketHistory {
  const about = fingerprintOf({
    code,
    products: products.map(({ product, underlyingTicker }) => [product, underlyingTicker]),
  });
  return {
    history: perpFactors.stored[length],
    methodVersion: factorMethod,
    fingerprint: ({ dates }) =>
      fingerprintOf({ about, rows: dates.map((date) => [date, days.get(date)?.hash ?? '']) }),
    async rows(segment) {
      const rows = await read(segment);
      return ofEachProduct(products, ({ product, underlyingTicker }) =>
        (rows.get(product)?.own ?? []).map((row) =>
          segmentRow(row.sourceDate, factorLines(row, underlyingTicker)),
        ),
      );
    },
  };
}

function pointHistory(market: Market, { length, days, read }: OfLength): MarketHistory {
  const { products, parameters, code, issuersOf } = market;
  const about = fingerprintOf({ code, products, parameters: parameters.version });
  return {
    history: marketFieldMap.stored[length],
    methodVersion: 'market-spectra-field-map-v1',
    fingerprint: ({ dates }) =>
      fingerprintOf({
        about,
        days: dates.map((date) => [date, days.get(date)?.reach ?? '', issuersOf(date).release]),
      }),
    async rows(segment) {
      const tiers = new Map<string, IssuerTiers | null>();
      for (const date of segment.dates) tiers.set(date, await issuersOf(date).tiers());
      const rows = await read(segment);
      return ofEachProduct(products, (product) => {
        const { before: earlier, own } = rows.get(product.product) ?? { before: [], own: [] };
        return marketPoints([...earlier, ...own], { parameters })
          .slice(earlier.length)
          .map((point) =>
            segmentRow(
              point.date,
              pointLine(point, { product, tiers: tiers.get(point.date) ?? null, parameters }),
            ),
          );
      });
    },
  };
}

function constituentHistory({ products, parameters, code, issuersOf }: Market): MarketHistory {
  const about = fingerprintOf({ code, products, parameters: parameters.version });
  const named = new Set(
    products.flatMap(({ versions }) =>
      versions.flatMap(({ constituents }) => constituents.flatMap(({ cik }) => (cik === null ? [] : [cik]))),
    ),
  );
  const coveredOn = (date: string) => [...issuersOf(date).ciks].filter((cik) => named.has(cik)).sort();
  return {
    history: perpConstituents.stored.history,
    methodVersion: factorMethod,
    fingerprint: (segment) =>
      fingerprintOf({ about, covered: segment.dates.map((date) => [date, coveredOn(date)]) }),
    rows: async (segment) =>
      ofEachProduct(products, (product) =>
        segment.dates.flatMap((date): SegmentRow[] => {
          const covered = new Set(coveredOn(date));
          const lines = constituentsLines({ product, date, covered, parameters });
          return lines === null ? [] : [segmentRow(date, lines)];
        }),
      ),
  };
}

function ofEachProduct(
  products: readonly Product[],
  rowsOf: (product: Product) => readonly SegmentRow[],
): { subject: string; rows: readonly SegmentRow[] }[] {
  return products
    .toSorted((a, b) => compareText(a.product, b.product))
    .map((product) => ({ subject: product.product, rows: rowsOf(product) }));
}

function segmentRow(date: string, lines: string): SegmentRow {
  return { date, bytes: Buffer.from(lines) };
}

function fingerprintOf(parts: object): string {
  return sha256Hex(canonicalJson(parts as CanonicalValue));
}

/**
 * The lines of a product's registry on a date, compact and full (I2.57); null before its first version.
 *
 * @param covered CIKs with a row in the slice of the date
 * @throws IssuerError `validation_failed`
 */
export function constituentsLines({
  product,
  date,
  covered,
  parameters,
}: {
  product: Product;
  date: string;
  covered: ReadonlySet<string>;
  parameters: PerpsParameters;
}): string | null {
  const version = versionOn(product, date);
  if (version === null) return null;
  const { rows, total, isValid, isRenormalised } = registryWeights(version, parameters);
  const next = product.versions.find(({ effectiveDate }) => effectiveDate > date);
  const compact: PerpConstituentsRow = {
    source_date: date,
    index_symbol: product.indexSymbol,
    source: version.source,
    product: product.product,
    constituent_count: rows.length,
    total_weight: roundHalfUp(total, 6),
    weights_valid: isValid && !version.standIn,
    stand_in: version.standIn,
    quality_flags: [
      ...(version.standIn ? ['registry_stand_in'] : []),
      ...(isValid ? [] : ['weights_invalid']),
      ...(isRenormalised ? ['weights_renormalised'] : []),
    ],
    constituents: rows.map(({ constituent: { ticker, cik, name }, weight }) => ({
      ticker,
      cik,
      name,
      weight,
      effective_date: version.effectiveDate,
      issuer_covered: cik !== null && covered.has(cik),
    })),
  };
  const full: PerpConstituentsRow = {
    ...compact,
    lineage: {
      display_name: product.displayName,
      kind: product.kind,
      method: version.method,
      effective_date: version.effectiveDate,
      next_effective_date: next?.effectiveDate ?? null,
      weights_public: version.weightsPublic,
      stand_in: version.standIn,
      notes: [
        ...version.notes,
        ...(isRenormalised ? ['weights_renormalised: the stated weights were divided by their sum.'] : []),
      ],
    },
  };
  const key = `perp-constituents of ${product.product}`;
  const line = (value: PerpConstituentsRow) =>
    `${canonicalJson(validated({ schema: perpConstituentsRow, value, key }))}\n`;
  return [compact, full].map(line).join('');
}
