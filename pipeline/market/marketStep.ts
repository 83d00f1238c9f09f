import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { addDays } from '../../calculators/exact/civilDate.ts';
import type { Closes } from '../../calculators/market/baskets/constituentPrice.ts';
import type { Product } from '../../calculators/market/baskets/product.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { bucketLengths } from '../../calculators/parameters/perpsParameters.ts';
import type { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { programRoot } from '../programRoot.ts';
import { sha256Hex } from '../release/artifact.ts';
import { insertRows } from '../warehouse/build/insertRows.ts';
import { inTransaction, readRows, readSql } from '../warehouse/build/readRows.ts';
import { importClosure } from '../warehouse/build/startBuild.ts';
import { venues } from '../warehouse/load/loadPerps.ts';
import { type ChangedBuckets, type HeldBuckets, heldBuckets, syncBuckets } from './contractBuckets.ts';
import { factorMethod } from './factorRows.ts';
import { keepMarketRows, RefusedProduct } from './keepMarketRows.ts';

type MarketRequest = {
  readonly connection: DuckDBConnection;
  /** Rows of buckets up to the end of this day are brought up to date. */
  readonly sourceDate: string;
  readonly products: readonly Product[];
  readonly parameters: Parameters;
  readonly stopIfAsked: () => void;
};

/** What the market half of a night did. */
export type MarketReport = {
  /** Factor rows computed. */
  readonly rows: number;
  /** Products whose rows could not be computed, a sentence each. */
  readonly findings: readonly string[];
};

/**
 * Brings the factor rows of every product up to the end of a day (M8): buckets are made again where an input says something
 * else of their day, and only rows from the first bucket, close or registry entry that changed are computed. Rows after
 * the day that follow from those wait for the night that reaches them.
 *
 * A product whose rows cannot be computed is a finding; the others are kept.
 */
export async function marketStep(request: MarketRequest): Promise<MarketReport> {
  const { connection, sourceDate, products } = request;
  const until = Date.parse(`${addDays(sourceDate, 1)}T00:00:00Z`);
  const code = await factorCode();
  let plans: readonly ProductPlan[] = [];
  let buckets: readonly HeldBuckets[] = [];
  await inTransaction(connection, async () => {
    await syncProducts(connection, products);
    const changes = {
      changed: await syncBuckets(connection, { until }),
      closesChanged: await syncCloses(connection, { upTo: sourceDate }),
      pending: await readPending(connection),
    };
    const methods = await heldMethods(connection);
    buckets = await heldBuckets(connection);
    const judged = products.map((product) => {
      const method = methodOf({ product, parameters: request.parameters, code });
      return { product, method, isSame: methods.get(product.product) === method };
    });
    const rows = judged.every(({ isSame }) => isSame) ? [] : await firstRows(connection);
    plans = judged.map(({ product, method, isSame }) => {
      const anew = isSame ? null : { buckets, rows };
      return { product, method, ranges: rangesOf(product, { ...changes, anew }) };
    });
    await notePending(connection, plans.flatMap(pendingOf));
  });
  const closes = await readCloses(connection);
  // of no row before it there is nothing to do
  const due = plans.filter(({ ranges }) => [...ranges.values()].some((from) => from < until));
  const refused = new Map<string, IssuerError>();
  for (;;) {
    const kept = due.filter(({ product }) => !refused.has(product.product));
    const ranges = kept.flatMap(({ product, ranges: lengths }) =>
      [...lengths].map(([bucketLength, from]) => {
        const held = buckets.filter((one) => isOf(product, one, bucketLength));
        return { product, bucketLength, held, from };
      }),
    );
    let rows = 0;
    try {
      await inTransaction(connection, async () => {
        if (kept.length === 0) return;
        rows = await keepMarketRows(connection, { ...request, ranges, closes, until });
        await settlePending(connection, { products: kept.map(({ product }) => product.product), until });
        await rememberMethods(connection, kept);
      });
    } catch (error) {
      if (!(error instanceof RefusedProduct)) throw error;
      refused.set(error.product, error.reason);
      continue;
    }
    const findings = [...refused].map(
      ([product, { message }]) =>
        `${product} has no market rows of this night: ${message.replace(/\.$/, '')}`,
    );
    return { rows, findings };
  }
}

type ProductPlan = {
  readonly product: Product;
  readonly method: string;
  /** From which bucket on the rows of each length are to be computed; lengths without a change are not there. */
  readonly ranges: ReadonlyMap<BucketLength, number>;
};

function pendingOf({ product, ranges }: ProductPlan): PendingRows[] {
  return [...ranges].map(([bucketLength, from]) => ({ product: product.product, bucketLength, from }));
}

type Changes = {
  readonly changed: readonly ChangedBuckets[];
  readonly closesChanged: readonly ChangedClose[];
  readonly pending: readonly PendingRows[];
  /** What is stored, where the rows were computed with something else than they would be now; else null. */
  readonly anew: { readonly buckets: readonly HeldBuckets[]; readonly rows: readonly FirstRow[] } | null;
};

function rangesOf(
  product: Product,
  { changed, closesChanged, pending, anew }: Changes,
): ReadonlyMap<BucketLength, number> {
  return new Map(
    bucketLengths.flatMap((length) => {
      const starts = [
        ...(anew === null ? [] : startsAnew(product, { ...anew, length })),
        ...changed.filter((one) => isOf(product, one, length)).map(({ from }) => from),
        ...closesChanged
          .filter((close) => isConstituent(product, close))
          .map(({ from }) => Date.parse(`${from}T00:00:00Z`)),
        ...pending
          .filter((one) => one.product === product.product && one.bucketLength === length)
          .map(({ from }) => from),
      ];
      return starts.length === 0 ? [] : [[length, Math.min(...starts)] as const];
    }),
  );
}

/**
 * Where all rows of a product begin: with the first available bucket, or the first row of a contract that it has no more.
 * Rows before it, of buckets that are no longer available, stay.
 */
function startsAnew(
  product: Product,
  { buckets, rows, length }: NonNullable<Changes['anew']> & { readonly length: BucketLength },
): number[] {
  return [
    ...buckets.filter((one) => isOf(product, one, length)).map(({ first }) => first),
    ...rows
      .filter((one) => one.product === product.product && one.bucketLength === length)
      .filter((one) => !isOf(product, one, length))
      .map(({ from }) => from),
  ];
}

function isOf(product: Product, one: ChangedBuckets | HeldBuckets, length: BucketLength): boolean {
  return (
    one.bucketLength === length &&
    product.contracts.some(({ venue, symbol }) => venue === one.venue && symbol === one.symbol)
  );
}

function isConstituent(product: Product, { kind, ticker }: ChangedClose): boolean {
  return product.versions.some(({ constituents }) =>
    constituents.some((one) => one.kind === kind && one.ticker === ticker),
  );
}

/** What besides observations and closes a product's rows follow from. */
function methodOf({
  product,
  parameters,
  code,
}: {
  readonly product: Product;
  readonly parameters: Parameters;
  readonly code: string;
}): string {
  const { perps, robustZ } = parameters;
  return sha256Hex(
    canonicalJson({ factorMethod, code, product, perps, robustZ } as unknown as CanonicalValue),
  );
}

/** The first row of each product, contract and length. */
type FirstRow = ChangedBuckets & { readonly product: string };

async function firstRows(connection: DuckDBConnection): Promise<readonly FirstRow[]> {
  return readRows(
    connection,
    `SELECT product, venue, contract_symbol AS symbol, bucket_length AS "bucketLength", min(bucket_ms)::DOUBLE AS "from"
    FROM market_factor WHERE method_version = $version GROUP BY ALL`,
    { version: factorMethod },
  );
}

async function heldMethods(connection: DuckDBConnection): Promise<ReadonlyMap<string, string>> {
  const rows = await readRows<{ product: string; method: string }>(
    connection,
    'SELECT product, method FROM market_method',
  );
  return new Map(rows.map(({ product, method }) => [product, method]));
}

async function rememberMethods(connection: DuckDBConnection, kept: readonly ProductPlan[]): Promise<void> {
  await connection.run(
    `DELETE FROM market_method WHERE product IN (SELECT unnest(from_json($kept::JSON, '["VARCHAR"]')))`,
    { kept: JSON.stringify(kept.map(({ product }) => product.product)) },
  );
  const rows = kept.map(({ product, method }) => [product.product, method]);
  await insertRows(connection, { table: 'market_method', rows });
}

const entries = ['calculators/market/factors/factorRows.ts'];

/** SHA-256 over the sources that factor rows are computed with: rows kept from night to night are those of this code. */
async function factorCode(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of await importClosure({ root: programRoot, entries })) {
    hash.update(`${name}\n`).update(await readFile(`${programRoot}/${name}`));
  }
  return hash.digest('hex');
}

type Close = { readonly date: string; readonly close: number };

/** The closes of constituents that the factor rows are computed from, ascending by date. */
export async function readCloses(connection: DuckDBConnection): Promise<Closes> {
  const rows = await readRows<Close & { kind: keyof Closes; ticker: string }>(
    connection,
    'SELECT kind, ticker, date::VARCHAR AS date, close FROM market_close ORDER BY kind, ticker, date',
  );
  const closes = { coin: new Map<string, Close[]>(), stock: new Map<string, Close[]>() };
  for (const { kind, ticker, ...close } of rows) {
    const held = closes[kind].get(ticker) ?? [];
    if (held.length === 0) closes[kind].set(ticker, held);
    held.push(close);
  }
  return closes;
}

/** A constituent and the first day whose close is another than before. */
type ChangedClose = { readonly kind: string; readonly ticker: string; readonly from: string };

/**
 * Takes over the closes of constituents up to a day, and says where they differ from those the factor rows were computed
 * from. Coins come from view `prices` (M2.13), stocks from their tables, the last source by name where two have a day.
 */
export async function syncCloses(
  connection: DuckDBConnection,
  { upTo }: { readonly upTo: string },
): Promise<readonly ChangedClose[]> {
  await connection.run(`SET VARIABLE market_up_to = '${upTo.replaceAll("'", '')}'::DATE`);
  await connection.run(await readSql('syncCloses.sql'));
  const rows = await readRows<ChangedClose>(
    connection,
    'SELECT kind, ticker, from_date::VARCHAR AS "from" FROM changed_close ORDER BY ALL',
  );
  await connection.run('DROP TABLE changed_close');
  return rows;
}

/** Rows of a product and length that are to be computed. */
type PendingRows = {
  readonly product: string;
  readonly bucketLength: BucketLength;
  /** Epoch milliseconds: those of buckets that start from here. */
  readonly from: number;
};

/** What earlier nights left: rows after their date, and those of a product that could not be computed. */
function readPending(connection: DuckDBConnection): Promise<readonly PendingRows[]> {
  return readRows(
    connection,
    'SELECT product, bucket_length AS "bucketLength", from_ms::DOUBLE AS "from" FROM market_pending',
  );
}

/** Notes what is to be computed before it is, so that nothing is lost when it cannot be. */
async function notePending(connection: DuckDBConnection, pending: readonly PendingRows[]): Promise<void> {
  await connection.run('DELETE FROM market_pending');
  await insertRows(connection, {
    table: 'market_pending',
    rows: pending.map(({ product, bucketLength, from }) => [product, bucketLength, from]),
  });
}

/** Takes the rows of products that were computed up to `until` off the list; later ones follow from them and stay on it. */
async function settlePending(
  connection: DuckDBConnection,
  { products, until }: { readonly products: readonly string[]; readonly until: number },
): Promise<void> {
  const given = { products: JSON.stringify(products), until: BigInt(until), version: factorMethod };
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE later AS
    SELECT product, bucket_length FROM market_factor SEMI JOIN market_pending USING (product, bucket_length)
    WHERE bucket_ms >= $until AND method_version = $version GROUP BY ALL`,
    { until: given.until, version: given.version },
  );
  await connection.run(
    `DELETE FROM market_pending
    WHERE product IN (SELECT unnest(from_json($products::JSON, '["VARCHAR"]')))
      AND (product, bucket_length) NOT IN (SELECT (product, bucket_length) FROM later)`,
    { products: given.products },
  );
  await connection.run(
    `UPDATE market_pending SET from_ms = greatest(from_ms, $until)
    WHERE product IN (SELECT unnest(from_json($products::JSON, '["VARCHAR"]')))`,
    { products: given.products, until: given.until },
  );
  await connection.run('DROP TABLE later');
}

/** Writes the registry of products behind the views: constituents of every version, contracts, venues (M8.6). */
export async function syncProducts(
  connection: DuckDBConnection,
  products: readonly Product[],
): Promise<void> {
  for (const table of ['product_constituent', 'market_contract', 'market_venue']) {
    await connection.run(`DELETE FROM ${table}`);
  }
  const rows = products.flatMap(({ product, indexSymbol, versions }) =>
    versions.flatMap((one) =>
      one.constituents.map((c, position) => [
        ...[product, indexSymbol, one.effectiveDate, position, c.ticker, c.cik, c.name, c.kind, c.weight],
        ...[one.weightsPublic, one.standIn, one.method, one.source],
      ]),
    ),
  );
  await insertRows(connection, { table: 'product_constituent', rows });
  const contracts = new Map(
    products.flatMap((one) => one.contracts.map((c) => [`${c.venue} ${c.symbol}`, [c.venue, c.symbol]])),
  );
  await insertRows(connection, {
    table: 'market_contract',
    rows: [...contracts.values()],
  });
  await insertRows(connection, {
    table: 'market_venue',
    rows: Object.entries(venues).map(([venue, { fundingHours }]) => [venue, fundingHours]),
  });
}
