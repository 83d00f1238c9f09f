import { IssuerError } from '../../contract/issuerError.ts';
import type { Params } from '../routing/readParams.ts';

export type Page = { readonly limit: number; readonly offset: number };

/**
 * Cuts a page out of what matched.
 *
 * @throws IssuerError `offset_out_of_range` when the page begins behind the last row (I4.13).
 */
export function cutPage<T>(items: readonly T[], params: Params): Page & { readonly items: readonly T[] } {
  const limit = Number(params.values.get('limit'));
  const offset = Number(params.values.get('offset'));
  if (offset > 0 && items.length > 0 && offset >= items.length) {
    throw new IssuerError({
      code: 'offset_out_of_range',
      message: `The list has ${items.length} rows.`,
      hint: `Ask for an offset below ${items.length}.`,
      details: { total: items.length, offset },
    });
  }
  return { limit, offset, items: items.slice(offset, offset + limit) };
}
