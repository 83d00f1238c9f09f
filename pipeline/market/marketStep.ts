import type { DuckDBConnection } from '@duckdb/node-api';
import { addDays } from '../../calculators/exact/civilDate.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import type { Product } from '../../calculators/market/product.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { bucketLengths } from '../../calculators/parameters/perpsParameters.ts';
import type { IssuerError } from '../../contract/errors/issuerError.ts';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';
import { sha256Hex } from '../release/artifact.ts';
import { insertRows } from '../warehouse/build/insertRows.ts';
import { inTransaction } from '../warehouse/build/inTransaction.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { factorCode } from './factorCode.ts';
import { type HeldBuckets, heldBuckets } from './heldBuckets.ts';
import { keepMarketRows, RefusedProduct } from './keepMarketRows.ts';
import { readCloses } from './readCloses.ts';
import { factorMethod } from './storedRow.ts';
import { type ChangedBuckets, syncBuckets } from './syncBuckets.ts';
import { type ChangedClose, syncCloses } from './syncCloses.ts';
import { syncProducts } from './syncProducts.ts';

export type MarketRequest = {
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
 * Brings the factor rows of every product up to the end of a day (M8): buckets are made anew from the observations at
 * hand, and only rows from the first bucket, close or registry entry that changed are computed.
 *
 * A product whose rows cannot be computed is a finding; the others are kept.
 */
export async function marketStep(request: MarketRequest): Promise<MarketReport> {
  const { connection, sourceDate, products } = request;
  const until = Date.parse(`${addDays(sourceDate, 1)}T00:00:00Z`);
  let changed: readonly ChangedBuckets[] = [];
  let closesChanged: readonly ChangedClose[] = [];
  await inTransaction(connection, async () => {
    await syncProducts(connection, products);
    changed = await syncBuckets(connection, { until });
    closesChanged = await syncCloses(connection, { upTo: sourceDate });
  });
  const code = await factorCode();
  const methods = await heldMethods(connection);
  const plans = products.map((product) => {
    const plan = { product, changed, closesChanged, parameters: request.parameters, code };
    return { product, method: methodOf(plan), ranges: rangesOf(plan, methods.get(product.product) ?? null) };
  });
  const buckets = await heldBuckets(connection);
  const closes = await readCloses(connection);
  const due = plans.filter(({ ranges }) => ranges.size > 0);
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
        if (due.length === 0) return;
        rows = await keepMarketRows(connection, { ...request, ranges, closes, until });
        // those of a refused product are computed anew when they can be
        await rememberMethods(connection, {
          due: due.map(({ product }) => product.product),
          kept: kept.map(({ product, method }) => [product.product, method]),
        });
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
  readonly changed: readonly ChangedBuckets[];
  readonly closesChanged: readonly ChangedClose[];
  readonly parameters: Parameters;
  readonly code: string;
};

/**
 * From which bucket on the rows of each length are to be computed; lengths without a change are not there.
 *
 * @param held what the rows at hand were computed with
 */
function rangesOf(plan: ProductPlan, held: string | null): ReadonlyMap<BucketLength, number> {
  const isSame = held === methodOf(plan);
  return new Map(
    bucketLengths.flatMap((length) => {
      const starts = [
        ...(isSame ? [] : [0]),
        ...plan.changed.filter((one) => isOf(plan.product, one, length)).map(({ from }) => from),
        ...plan.closesChanged
          .filter((close) => isConstituent(plan.product, close))
          .map(({ from }) => Date.parse(`${from}T00:00:00Z`)),
      ];
      return starts.length === 0 ? [] : [[length, Math.min(...starts)] as const];
    }),
  );
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
function methodOf({ product, parameters, code }: ProductPlan): string {
  const { perps, robustZ } = parameters;
  return sha256Hex(
    canonicalJson({ factorMethod, code, product, perps, robustZ } as unknown as CanonicalValue),
  );
}

async function heldMethods(connection: DuckDBConnection): Promise<ReadonlyMap<string, string>> {
  const rows = await readRows(connection, 'SELECT product, method FROM market_method');
  return new Map(rows.map(({ product, method }) => [String(product), String(method)]));
}

async function rememberMethods(
  connection: DuckDBConnection,
  { due, kept }: { due: readonly string[]; kept: readonly (readonly [string, string])[] },
): Promise<void> {
  await connection.run(
    `DELETE FROM market_method WHERE product IN (SELECT unnest(from_json($due::JSON, '["VARCHAR"]')))`,
    { due: JSON.stringify(due) },
  );
  const columns = { product: 'VARCHAR', method: 'VARCHAR' };
  await insertRows(connection, { table: 'market_method', columns, rows: kept });
}
