import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { type Miss, missError } from '../../problem/missError.ts';
import type { Params } from '../../routing/readParams.ts';
import type { FindInput } from '../servable/findInput.ts';
import { askedText, nearestDates } from './selectRelease.ts';

/** Bounds of source dates, both inclusive; null where open. */
export type HistoryRange = { readonly from: string | null; readonly to: string | null };

/** The range a history route was asked for. */
export function askedRange({ params }: FindInput): HistoryRange {
  return { from: askedText(params, 'source_date_from'), to: askedText(params, 'source_date_to') };
}

/** True for a date inside the range. */
export function inRange({ from, to }: HistoryRange, date: string): boolean {
  return (from === null || date >= from) && (to === null || date <= to);
}

/** The miss of a range nothing is stored for, with the dates around it (I4.R23.3, I4.R24.3). */
export function noRowsInRange(
  input: FindInput,
  {
    range,
    dates,
    message,
    ...about
  }: { range: HistoryRange; dates: readonly string[] } & Pick<Miss, 'message' | 'ticker' | 'product'>,
): IssuerError {
  const { from, to } = range;
  const first = from ?? dates[0] ?? '';
  const last = to ?? dates.at(-1) ?? '';
  return missError(input.route, {
    reasonCode: 'no_rows_in_range',
    message,
    hint: 'Ask for a range around one of nearest_source_dates.',
    ...about,
    nearestSourceDates: {
      before: nearestDates(dates, first).before,
      after: nearestDates(dates, last).after,
    },
  });
}

const dayMs = 86_400_000;

/** @throws IssuerError `invalid_date_range` for more days than a request may span (I4.R24.2). */
export function refuseLongRange({ from, to, maxDays }: { from: string; to: string; maxDays: number }): void {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  if (days <= maxDays) return;
  throw new IssuerError({
    code: 'invalid_date_range',
    message: `The range from ${from} to ${to} has ${days} days.`,
    hint: `Ask for at most ${maxDays} days.`,
    details: { parameter: 'source_date_from', reason: 'range_too_long', max_days: maxDays },
  });
}

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
