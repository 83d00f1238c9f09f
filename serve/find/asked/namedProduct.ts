import {
  type KnownProduct,
  perpRankings,
  productsOf,
} from '../../../data/contract/payloads/market/perpRankings.ts';
import type { ProductHistoryAnswer } from '../../../data/contract/routes/answer.ts';
import { nearestLabels } from '../../identity/nearestLabels.ts';
import { missError } from '../../problem/missError.ts';
import type { Release } from '../../store/artifactStore.ts';
import type { FindInput, Found } from '../servable/findInput.ts';
import { type HistoryRange, noRowsInRange } from './askedRows.ts';
import { askedDate, askNearestDate, lackingMiss, nearestDates } from './selectRelease.ts';

/** A product of a release, and how it was named (I4.31 `lookup`). */
export type NamedProduct = { readonly product: KnownProduct; readonly lookup: Found['lookup'] };

/**
 * The product of a release that an id or a listed alias names.
 *
 * @throws IssuerError `not_found`: `unknown_product` with similar labels, or `no_artifact_for_source_date` where the
 * slice holds no market data
 */
export async function namedProduct(input: FindInput, release: Release, asked: string): Promise<NamedProduct> {
  const products = await knownProducts(input, release, asked);
  const product =
    products.find((one) => one.product === asked) ?? products.find((one) => one.aliases.includes(asked));
  if (product !== undefined) {
    const isAlias = product.product !== asked;
    return { product, lookup: isAlias ? { asked, matched_by: 'alias' } : null };
  }
  const labels = products.flatMap((one) => [one.product, ...one.aliases]);
  const similar = nearestLabels({ asked, labels, maxDistance: Math.max(2, Math.floor(asked.length / 3)) });
  // an underlying is no name of a product, and what is meant by it is not far
  const over = products.filter((one) => one.underlying_ticker === asked.toUpperCase());
  throw missError(input.route, {
    reasonCode: 'unknown_product',
    message: `No product is known under ${asked}.`,
    hint: `The products are ${products.map((one) => one.product).join(', ')}.`,
    product: asked,
    suggestions: [...new Set([...over.map((one) => one.product), ...similar])].slice(0, 5),
  });
}

/**
 * Every product a release knows, with rows or without.
 *
 * @throws IssuerError `not_found` where the slice holds no market data
 */
export async function knownProducts(
  input: FindInput,
  release: Release,
  asked?: string,
): Promise<readonly KnownProduct[]> {
  const listed = await release.rows(perpRankings.stored.rows, productsKey(release));
  if (listed !== null) return productsOf(listed.list.meta);
  throw await lackingMiss(input, {
    release,
    what: 'market data',
    holds: (other) => other.has(productsKey(other)),
    ...(asked === undefined ? {} : { product: asked }),
  });
}

// every release with market data ranks its days
function productsKey({ sourceDate }: Release): string {
  return perpRankings.stored.rows.key({ slice: sourceDate, bucket_length: '1d' });
}

/** The product that was named, null without one, and all whose rows are asked for. @throws IssuerError as `namedProduct` */
export async function productScope(
  input: FindInput,
  release: Release,
): Promise<{ named: NamedProduct | null; subjects: readonly string[] }> {
  const { values } = input.params;
  const asked = values.get('product');
  const named = typeof asked === 'string' ? await namedProduct(input, release, asked) : null;
  const products = named === null ? await knownProducts(input, release) : [named.product];
  const underlying = values.get('underlying_ticker');
  const fits = products.filter((one) => underlying === undefined || one.underlying_ticker === underlying);
  return { named, subjects: fits.map((one) => one.product) };
}

/** Why no row is sent: no registry, nothing on the date, nothing in the range. */
export function productMiss(
  input: FindInput,
  {
    answer,
    named,
    range,
    dates,
  }: {
    answer: ProductHistoryAnswer;
    named: NamedProduct | null;
    range: HistoryRange;
    dates: readonly string[];
  },
): Error {
  const product = named?.product.product;
  const who = product ?? 'any product in scope';
  const about = product === undefined ? {} : { product };
  if (answer.needsRegistry && named?.product.has_registry === false && dates.length === 0)
    return registryMissing(input, named.product.product);
  const exact = askedDate(input);
  if (exact !== null && named !== null) {
    return missError(input.route, {
      reasonCode: 'no_artifact_for_source_date',
      message: `Nothing of ${who} is stored for ${exact}.`,
      hint: askNearestDate(input.route),
      nearestSourceDates: nearestDates(dates, exact),
      ...about,
    });
  }
  const message = `No row of ${who} is stored in the range.`;
  return noRowsInRange(input, { range, dates, message, ...about });
}

/** The miss of a product whose constituents are not known (I7.6). */
export function registryMissing({ route }: FindInput, product: string): Error {
  return missError(route, {
    reasonCode: 'registry_missing',
    message: `No registry version of ${product} is in force on the date.`,
    hint: 'GET /v1/market-core/perps/factors/{product} shows what is observed of it.',
    product,
  });
}
