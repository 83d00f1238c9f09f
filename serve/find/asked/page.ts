import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { Params } from '../../routing/readParams.ts';

export type Page = { readonly limit: number; readonly offset: number };

/** PageMeta of a list that says whether more follows (I2.23, I2.32). */
export type PageMeta = Page & {
  readonly count: number;
  readonly total: number;
  readonly has_more: boolean;
  readonly next_offset?: number;
};

/**
 * The page a request asks for.
 *
 * @throws IssuerError `offset_out_of_range` when it begins behind the last of `total` rows (I4.13).
 */
export function pageOf(total: number, params: Params): Page {
  const limit = Number(params.values.get('limit'));
  const offset = Number(params.values.get('offset'));
  if (offset > 0 && total > 0 && offset >= total) {
    throw new IssuerError({
      code: 'offset_out_of_range',
      message: `The list has ${total} rows.`,
      hint: `Ask for an offset below ${total}.`,
      details: { total, offset },
    });
  }
  return { limit, offset };
}

/** Cuts a page out of what matched. @throws IssuerError `offset_out_of_range` */
export function cutPage<T>(items: readonly T[], params: Params): Page & { readonly items: readonly T[] } {
  const page = pageOf(items.length, params);
  return { ...page, items: items.slice(page.offset, page.offset + page.limit) };
}

/** Says where a page lies in its list. */
export function pageMeta({ limit, offset }: Page, input: { count: number; total: number }): PageMeta {
  const next = offset + input.count;
  const more = input.count > 0 && next < input.total;
  return { limit, offset, ...input, has_more: more, ...(more ? { next_offset: next } : {}) };
}
