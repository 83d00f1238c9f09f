import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type FactorId,
  type FactorRow,
  factorIds,
  inputIds,
} from '../../calculators/market/factors/factorRow.ts';
import { thresholdContract } from '../../calculators/market/readings/thresholdFlags.ts';
import type { factorRows } from '../../calculators/visual/chart/factorRows.ts';
import type { ProductPressure, pressureRows } from '../../calculators/visual/chart/pressureRows.ts';
import type { CoinCloses, priceRows } from '../../calculators/visual/chart/priceRows.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { factorRegistry } from '../../data/contract/payloads/market/marketEnvelope.ts';
import { pricesShown } from '../families/reports/dailyBriefFacts.ts';
import { factorMethod, lackingLevel, rowOfStored } from '../market/factorRows.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { type ChartRequest, type Input, nothingToDraw, subjectOf } from './chartRequest.ts';

const lastBuckets = 90;
/** A cell of a row as a number; null for none. */
const numberCell = (value: unknown) => (typeof value === 'number' ? value : null);

/** Factors of one product over its last 90 daily buckets. @throws IssuerError `usage`, `input_missing` */
export async function readFactors(chartRequest: ChartRequest): Promise<Input<typeof factorRows>> {
  const { connection, parameters, width } = chartRequest;
  const product = subjectOf(chartRequest, 'product').toUpperCase();
  const rows = await readRows(
    connection,
    `SELECT strftime(bucket_utc, '%Y-%m-%dT%H:%M:%SZ') AS bucket, * EXCLUDE (bucket_utc) FROM market_factors
    WHERE product = $product AND bucket_length = '1d' AND method_version = $version
    ORDER BY bucket_utc DESC LIMIT ${lastBuckets}`,
    { product, version: factorMethod },
  );
  const missing = (await lackingByProduct(connection)).get(product);
  if (rows.length === 0 || missing === undefined) throw await unknownProduct(chartRequest, product);
  const buckets = rows.toReversed().map((row) => ({
    observed_bucket_utc: String(row['bucket']),
    factors: Object.fromEntries(factorRegistry.map(({ id }) => [id, numberCell(row[id])])),
    z_scores: Object.fromEntries(inputIds.map((id) => [id, numberCell(row[`z_${id}`])])),
  }));
  return {
    product,
    buckets,
    factors: factorRegistry,
    thresholds: thresholdContract(parameters).rows,
    missing,
    isMadeUp: rows.some(isMadeUp),
    width,
  };
}

type PressureRow = Pick<ProductPressure, 'product' | 'state'> & {
  readonly bucket: string;
  readonly pressure: number | null;
  readonly flags: string | null;
};

/** Pressure of every product over its last 90 daily buckets. @throws IssuerError `input_missing` */
export async function readPressure({
  connection,
  parameters,
  width,
}: ChartRequest): Promise<Input<typeof pressureRows>> {
  const rows = await readRows<PressureRow>(
    connection,
    `SELECT product, strftime(bucket_utc, '%Y-%m-%dT%H:%M:%SZ') AS bucket, pressure, state, flags FROM pressure
    WHERE bucket_length = '1d'
    QUALIFY row_number() OVER (PARTITION BY product ORDER BY bucket_utc DESC) <= ${lastBuckets}
    ORDER BY product, bucket_utc`,
  );
  if (rows.length === 0) throw nothingToDraw('The warehouse has no bucket of a perpetual product.');
  const byProduct = Map.groupBy(rows, ({ product }) => product);
  const newest = await lackingByProduct(connection);
  return {
    products: [...byProduct].map(([product, buckets]) => {
      const { state = 'insufficient_evidence' } = buckets.at(-1) ?? {};
      return {
        product,
        buckets: buckets.map(({ bucket, pressure }) => ({
          observed_bucket_utc: bucket,
          factors: { pressure },
        })),
        state,
        missing: state === 'insufficient_evidence' ? (newest.get(product)?.['pressure'] ?? null) : null,
        isMadeUp: buckets.some(isMadeUp),
      };
    }),
    bands: parameters.perps.pressureBands,
    width,
  };
}

/**
 * Closes of the coins that issuers hold most on the 180 days that end with the newest slice, a day without one as null.
 *
 * @throws IssuerError `input_missing`
 */
export async function readPrices({ connection, width }: ChartRequest): Promise<Input<typeof priceRows>> {
  const coins = await Promise.all(
    pricesShown.coins.map(async (asset) => ({
      asset,
      closes: await readRows<CoinCloses['closes'][number]>(
        connection,
        `SELECT shown.day::DATE::VARCHAR AS date, p.close
        FROM (SELECT coalesce((SELECT max(source_date) FROM stress), (SELECT max(date) FROM prices)) AS day) newest,
          unnest(generate_series(newest.day - INTERVAL ${pricesShown.days - 1} DAY, newest.day, INTERVAL 1 DAY)) shown(day)
        LEFT JOIN prices p ON p.date = shown.day::DATE AND p.asset = $asset ORDER BY shown.day`,
        { asset },
      ),
    })),
  );
  if (coins.every(({ closes }) => closes.every(({ close }) => close === null)))
    throw nothingToDraw(`The warehouse has no closes of the last ${pricesShown.days} days.`);
  return { coins, width };
}

/** What the newest daily row of each product lacks, by factor. */
async function lackingByProduct(
  connection: DuckDBConnection,
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const rows = await readRows<{ payload: string }>(
    connection,
    `SELECT payload FROM internal.market_factor WHERE bucket_length = '1d' AND method_version = $version
    QUALIFY row_number() OVER (PARTITION BY product ORDER BY bucket_ms DESC) = 1 ORDER BY product`,
    { version: factorMethod },
  );
  const read = rows.map(({ payload }) => rowOfStored(payload));
  return new Map(read.map((row) => [row.product, lackingOf(row)]));
}

/** Flags of a bucket stand between bars (M8.4d). */
const isMadeUp = ({ flags }: { readonly flags?: unknown }): boolean =>
  String(flags ?? '')
    .split('|')
    .includes('synthetic');

async function unknownProduct({ connection }: ChartRequest, product: string): Promise<IssuerError> {
  const known = await readRows<{ product: string }>(
    connection,
    'SELECT DISTINCT product FROM market_factors ORDER BY product',
  );
  return new IssuerError({
    code: 'usage',
    message: `The warehouse has no daily bucket of ${JSON.stringify(product.slice(0, 40))}.`,
    hint:
      known.length === 0
        ? 'It has no perpetual product at all; see the tables below perps/ in pipeline/README.md.'
        : `It has ${known.map((row) => row.product).join(', ')}.`,
  });
}

/** Which level of coverage each factor without a value in a row lacks, and what of it is not there (V52, M8.14). */
export function lackingOf(
  row: Pick<FactorRow, 'factors' | 'coverage' | 'quality'>,
): Readonly<Record<string, string>> {
  const missing = factorIds.filter((id) => row.factors[id] === null);
  return Object.fromEntries(missing.map((id) => [id, lackOf(id, row)]));
}

function lackOf(id: FactorId, row: Pick<FactorRow, 'coverage' | 'quality'>): string {
  const has = (flag: string) => row.quality.flags.includes(flag);
  const perp = (what: string) => `level 4: ${what}`;
  const noBasket = has('registry_missing')
    ? 'level 3: no basket is in force'
    : has('weights_invalid')
      ? 'level 3: the weights are not valid'
      : null;
  switch (id) {
    case 'funding_annualized':
      return perp('no funding rate');
    case 'basis_bps':
      return perp(
        has('index_missing')
          ? 'no index'
          : has('mark_index_apart')
            ? 'mark and index are of other times'
            : 'no mark',
      );
    case 'oi_usd':
    case 'turnover':
    case 'oi_change_24h':
      if (has('open_interest_missing')) return perp('no open interest');
      if (id === 'oi_change_24h')
        return perp(`no ${has('index_missing') ? 'mark and index' : 'open interest'} a day before`);
      return perp(id === 'oi_usd' ? 'no mark' : 'no volume of all 24 hours');
    case 'rv_30d':
    case 'rv_90d':
    case 'vol_ratio':
      return perp('too few days with mark and index');
    case 'momentum_7d':
    case 'momentum_30d':
      return perp(`no mark and index ${id === 'momentum_7d' ? 7 : 30} days before`);
    case 'amihud_30d':
      return perp('too few days with price and volume');
    case 'breadth':
    case 'breadth_count':
    case 'dispersion':
      return noBasket ?? 'level 2: too few constituents with closes of a week';
    case 'hhi':
    case 'n_eff':
      return noBasket ?? 'level 3: the weights are not public';
    case 'liquidation_imbalance':
      return perp('no liquidations');
    case 'pressure': {
      const { level, reason } = lackingLevel(row);
      return level === null ? reason : `level ${level}: ${reason}`;
    }
  }
}
