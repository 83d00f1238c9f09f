import {
  type KnownProduct,
  perpRankings,
  productsOf,
} from '../../../data/contract/payloads/market/perpRankings.ts';
import { rowStoreIndex } from '../../../data/contract/release/releaseFiles.ts';
import { nearestLabels } from '../../identity/nearestLabels.ts';
import { missError } from '../../problem/missError.ts';
import type { Release } from '../../store/artifactStore.ts';
import type { FindInput, Found } from '../servable/findInput.ts';
import { lackingMiss } from './lackingMiss.ts';

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
  const listed = await release.read(productsKey(release), readProducts);
  if (listed !== null) return listed.value;
  throw await lackingMiss(input, {
    release,
    what: 'market data',
    holds: (other) => other.has(productsKey(other)),
    ...(asked === undefined ? {} : { product: asked }),
  });
}

// every release with market data ranks its days
function productsKey({ sourceDate }: Release): string {
  return perpRankings.stored.rows.indexKey({ slice: sourceDate, bucket_length: '1d' });
}

function readProducts(
  json: unknown,
): { readonly value: readonly KnownProduct[] } | { readonly fault: string } {
  const index = rowStoreIndex.safeParse(json);
  const meta = perpRankings.stored.rows.meta.safeParse(index.data?.meta);
  return meta.success ? { value: productsOf(meta.data) } : { fault: 'it does not list the products' };
}
