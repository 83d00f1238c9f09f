import type { Release } from '../../store/artifactStore.ts';
import type { FindInput } from '../servable/findInput.ts';
import { knownProducts, type NamedProduct, namedProduct } from './namedProduct.ts';

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
