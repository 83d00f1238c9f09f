import type { DuckDBConnection } from '@duckdb/node-api';
import type { FactorRow } from '../../calculators/market/factorRow.ts';
import type { IssuerTiers } from '../../calculators/market/issuerTruth.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import { marketPointRows, marketPoints } from '../../calculators/market/marketPoints.ts';
import type { Product } from '../../calculators/market/product.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import type { PlannedSegment } from '../../contract/history/segmentPlan.ts';
import { marketFieldMap } from '../../contract/payloads/marketFieldMap.ts';
import { perpConstituents } from '../../contract/payloads/perpConstituents.ts';
import { perpFactors } from '../../contract/payloads/perpFactors.ts';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';
import { compareText } from '../../contract/values/compareText.ts';
import { bucketLengths } from '../../contract/values/enums.ts';
import type { SegmentRow } from '../history/segmentFile.ts';
import { factorMethod } from '../market/storedRow.ts';
import { sha256Hex } from '../release/artifact.ts';
import { constituentsLines } from './constituentsRow.ts';
import { factorLines } from './factorForms.ts';
import { pointLine } from './fieldMapOf.ts';
import { dayHashes, productRows } from './storedMarket.ts';
import type { MarketHistory } from './writeMarketHistory.ts';

/** What the issuers' half of a date gives to its market rows. */
export type IssuersOfDate = {
  /** Names the build that answers for the date, or what its own slice says; null without one. */
  readonly identity: string | null;
  readonly ciks: ReadonlySet<string>;
  readonly tiers: () => Promise<IssuerTiers | null>;
};

type Market = {
  readonly connection: DuckDBConnection;
  readonly sourceDate: string;
  readonly products: readonly Product[];
  readonly parameters: Parameters;
  /** Version of the program: the same rows and the same program give the same lines. */
  readonly code: string;
  readonly issuersOf: (date: string) => IssuersOfDate;
  /** Dates of promoted slices and of the slice itself. */
  readonly slices: readonly string[];
};

/** The histories of products up to a slice: factors and points of each bucket length, and constituents (I4.R13–I4.R18). */
export async function marketHistories(market: Market): Promise<readonly MarketHistory[]> {
  const { connection, sourceDate, slices } = market;
  const hashes = new Map<BucketLength, ReadonlyMap<string, string>>();
  for (const length of bucketLengths)
    hashes.set(length, await dayHashes(connection, { upTo: sourceDate, length }));
  const observed = [...hashes.values()].flatMap((days) => [...days.keys()]);
  const dates = [...new Set([...observed, ...slices])].sort();
  return [
    ...bucketLengths.flatMap((length) => {
      const days = hashes.get(length) ?? new Map<string, string>();
      return [factorHistory(market, length, days), pointHistory(market, length, days)];
    }),
    constituentHistory(market, dates),
  ];
}

function factorHistory(
  { connection, products, code }: Market,
  length: BucketLength,
  days: ReadonlyMap<string, string>,
): MarketHistory {
  const about = fingerprintOf({
    code,
    products: products.map(({ product, underlyingTicker }) => [product, underlyingTicker]),
  });
  return {
    history: perpFactors.stored[length],
    methodVersion: factorMethod,
    dates: [...days.keys()],
    fingerprint: (segment) =>
      fingerprintOf({ about, rows: segment.dates.map((date) => [date, days.get(date) ?? '']) }),
    rows: (segment) =>
      ofEachProduct(products, async ({ product, underlyingTicker }) => {
        const rows = await productRows(connection, { product, length, ...boundsOf(segment) });
        return rows.map((row) => segmentRow(row, factorLines(row, underlyingTicker)));
      }),
  };
}

function pointHistory(
  market: Market,
  length: BucketLength,
  days: ReadonlyMap<string, string>,
): MarketHistory {
  const { connection, products, parameters, code, issuersOf } = market;
  const about = fingerprintOf({ code, products, parameters: parameters.version });
  // a point depends on rows before its segment, so each hash covers all before it
  const chained = new Map<string, string>();
  let before = '';
  for (const [date, hash] of days) {
    before = sha256Hex(`${before} ${date} ${hash}`);
    chained.set(date, before);
  }
  return {
    history: marketFieldMap.stored[length],
    methodVersion: 'market-spectra-field-map-v1',
    dates: [...days.keys()],
    fingerprint: ({ dates }) =>
      fingerprintOf({
        about,
        rows: chained.get(dates.at(-1) ?? '') ?? '',
        slices: dates.map((date) => [date, issuersOf(date).identity]),
      }),
    async rows(segment) {
      const tiers = new Map<string, IssuerTiers | null>();
      for (const date of segment.dates) tiers.set(date, await issuersOf(date).tiers());
      const bounds = boundsOf(segment);
      return ofEachProduct(products, async (product) => {
        const rows = await productRows(connection, {
          ...bounds,
          product: product.product,
          length,
          before: marketPointRows(parameters),
        });
        const own = new Map(rows.map((row) => [row.start, row]));
        return marketPoints(rows, { parameters })
          .filter(({ date }) => date >= bounds.from)
          .map((point) =>
            segmentRow(
              own.get(point.start) as FactorRow,
              pointLine(point, { product, tiers: tiers.get(point.date) ?? null, parameters }),
            ),
          );
      });
    },
  };
}

function constituentHistory(
  { products, parameters, code, issuersOf }: Market,
  dates: readonly string[],
): MarketHistory {
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
    dates,
    fingerprint: (segment) =>
      fingerprintOf({ about, covered: segment.dates.map((date) => [date, coveredOn(date)]) }),
    rows: (segment) =>
      ofEachProduct(products, async (product) =>
        segment.dates.flatMap((date): SegmentRow[] => {
          const covered = new Set(coveredOn(date));
          const lines = constituentsLines({ product, date, covered, parameters });
          return lines === null ? [] : [{ date, bytes: Buffer.from(lines) }];
        }),
      ),
  };
}

async function ofEachProduct(
  products: readonly Product[],
  rowsOf: (product: Product) => Promise<readonly SegmentRow[]>,
): Promise<{ subject: string; rows: readonly SegmentRow[] }[]> {
  const subjects: { subject: string; rows: readonly SegmentRow[] }[] = [];
  for (const product of products.toSorted((a, b) => compareText(a.product, b.product)))
    subjects.push({ subject: product.product, rows: await rowsOf(product) });
  return subjects;
}

function segmentRow({ sourceDate }: Pick<FactorRow, 'sourceDate'>, lines: string): SegmentRow {
  return { date: sourceDate, bytes: Buffer.from(lines) };
}

function boundsOf({ dates }: PlannedSegment): { readonly from: string; readonly to: string } {
  return { from: dates[0] ?? '', to: dates.at(-1) ?? '' };
}

function fingerprintOf(parts: object): string {
  return sha256Hex(canonicalJson(parts as CanonicalValue));
}
