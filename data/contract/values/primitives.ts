import { z } from 'zod';
import { ExactDecimal } from './exactDecimal.ts';

// The type names of INTERFACE I1.8. Every payload schema is built from these.

/** True for a real calendar day written `YYYY-MM-DD`. */
export function isCivilDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  // long histories hold many dates: neither parts nor a date object for each
  const digits = (at: number): number => 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 11 * zero;
  const [month, day] = [digits(5), digits(8)];
  // a century is leap by its number, another year by its last two digits
  const ofYear = digits(2) === 0 ? digits(0) : digits(2);
  const days = month === 2 && ofYear % 4 === 0 ? 29 : (daysOfMonth[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

const zero = 48;
const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export const tickerPattern = /^[A-Z0-9.-]{1,10}$/;
export const cikPattern = /^[0-9]{10}$/;
export const accessionPattern = /^\d{10}-\d{2}-\d{6}$/;
export const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
export const sha256Pattern = /^[0-9a-f]{64}$/;

export const date = z.string().refine(isCivilDate, 'a real day, YYYY-MM-DD').meta({ format: 'date' });
export const datetime = z.string().regex(instantPattern).meta({ format: 'date-time' });
export const ticker = z.string().regex(tickerPattern);
export const cik10 = z.string().regex(cikPattern);
export const product = z.string().regex(/^[A-Z0-9.-]{1,32}$/);
export const accession = z.string().regex(accessionPattern);
/** Page of a filing at EDGAR, beside its accession number (I1.13a). */
export const filingPage = z.url().nullable();
export const sha256 = z.string().regex(sha256Pattern);
export const count = z.number().int().min(0);
export const int = z.number().int();
export const pct = z.number();
export const usd = z.number().min(0);

/** Money: exactly what was filed, or a sum of it. A JSON number on the wire, an {@link ExactDecimal} in the build. */
export const money = z.union([z.number(), z.instanceof(ExactDecimal)]).meta({ description: 'USD' });

/** A filed number of any unit, or a sum of such: shares, coins, a rate. On the wire as {@link money}. */
export const exact = z.union([z.number(), z.instanceof(ExactDecimal)]);

function decimals(digits: number) {
  return z
    .number()
    .refine((v) => Number.isFinite(v) && Number(v.toFixed(digits)) === v, `at most ${digits} decimals`);
}

/** Dimensionless, rounded to 6 decimals (M0.4). */
export const ratio = decimals(6);
/** z-score, rounded to 4 decimals, clipped to ±3.5 unless it is a market level (M3.14, M3.15). */
export const zScore = decimals(4);
/** A part or total of a score (I2.17, I2.18). */
export const score = z.number().int().min(0).max(100);
/** 0..100, higher is more resilient (I2.51). */
export const percentile = z.number().min(0).max(100);
/** 1 is the first. */
export const rank = z.number().int().min(1);

/** Members that all have one schema, by their names, in their order. */
export function eachOf<S extends z.ZodType, const Name extends string>(schema: S, ...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, S>;
}

/** Members of the `meta` of every list: rows after filters, and the page of them. */
export const listMeta = { total: count, limit: count, offset: count, count } as const;

/** The same of a list of rows of several dates. */
export const datedListMeta = {
  total: count,
  total_before_pagination: count,
  limit: count,
  offset: count,
  count,
  source_dates: z.array(date),
} as const;

/** PageMeta: where a page lies in its list (I2.23, I2.32). */
export const pageMeta = z.object({
  limit: count,
  offset: count,
  count,
  total: count,
  has_more: z.boolean(),
  next_offset: count.optional(),
});
