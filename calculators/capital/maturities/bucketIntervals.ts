import { addDays, daysBetween } from '../../exact/civilDate.ts';
import type { BucketName } from './bucketNames.ts';

/** Days around its fiscal year end on which a filer of 52 and 53 weeks may close. */
const weekEnd = 7;

export type Calendar = {
  readonly period: string;
  /** `MMDD`; null where neither filing nor universe says it. */
  readonly fiscalYearEnd: string | null;
};

export type BucketInterval = { readonly id: string; readonly start: string; readonly end: string | null };

/**
 * When the parts of a ladder fall due (M18.31). Beside the remainder of the fiscal year the first year filed is the next
 * whole fiscal year, despite its name; otherwise years run from the period end.
 */
export function bucketIntervals(
  names: readonly BucketName[],
  { period, fiscalYearEnd }: Calendar,
): {
  readonly basis: 'fiscal_years' | 'rolling_years';
  readonly of: (name: BucketName) => BucketInterval | null;
} {
  const hasRemainder = names.some(({ kind }) => kind === 'remainder');
  const runningEnd = fiscalYearEnd === null ? null : nextYearEnd(period, fiscalYearEnd);
  const endsYear = runningEnd !== null && isAtYearEnd(period, runningEnd);
  const isFiscal = hasRemainder || endsYear || names.some(({ kind }) => kind === 'fiscal_year');
  const first = Math.min(...names.flatMap((name) => (name.kind === 'year' ? [name.n] : [])));
  const origin = hasRemainder ? runningEnd : period;
  // with a remainder the years begin behind it, by whichever name the filer begins with
  const skipped = hasRemainder && Number.isFinite(first) ? first - 1 : 0;
  const yearEnd = (n: number) => (origin === null ? null : n === 0 ? origin : addYears(origin, n));
  const years = names.flatMap((name) => (name.kind === 'fiscal_year' ? [name.year] : []));
  const of = (name: BucketName): BucketInterval | null => {
    if (name.kind === 'remainder') return within('remainder', period, runningEnd);
    if (name.kind === 'year') {
      const start = yearEnd(name.n - 1 - skipped);
      return start === null ? null : within(`year_${name.n}`, start, yearEnd(name.n - skipped));
    }
    if (name.kind === 'after') {
      const start = yearEnd(name.n - skipped);
      return start === null ? null : { id: 'after', start: addDays(start, 1), end: null };
    }
    if (runningEnd === null) return null;
    if (name.kind === 'fiscal_year') {
      const end = addYears(runningEnd, name.year - Number(runningEnd.slice(0, 4)));
      const start = addYears(end, -1);
      return end <= period ? null : within(`fy_${name.year}`, start < period ? period : start, end);
    }
    if (name.kind !== 'thereafter' || years.length === 0) return null;
    const last = addYears(runningEnd, Math.max(...years) - Number(runningEnd.slice(0, 4)));
    return { id: 'after', start: addDays(last < period ? period : last, 1), end: null };
  };
  return { basis: isFiscal ? 'fiscal_years' : 'rolling_years', of };
}

function within(id: string, after: string, end: string | null): BucketInterval | null {
  return end === null ? null : { id, start: addDays(after, 1), end };
}

/** The end of the fiscal year that holds a day; the day itself where it ends one. */
function nextYearEnd(day: string, monthDay: string): string {
  const year = Number(day.slice(0, 4));
  const inYear = (of: number) => validDay(`${of}-${monthDay.slice(0, 2)}-${monthDay.slice(2)}`);
  const before = inYear(year);
  // a year of 52 weeks ends some days before or behind the day its filer names
  const isPast = before < day && daysBetween(before, day) > weekEnd;
  return isPast ? inYear(year + 1) : before;
}

function isAtYearEnd(period: string, yearEnd: string): boolean {
  return Math.abs(daysBetween(period, yearEnd)) <= weekEnd;
}

/** The same day of another year; the last day of a month stays the last. */
export function addYears(day: string, years: number): string {
  const to = String(Number(day.slice(0, 4)) + years).padStart(4, '0');
  const isMonthEnd = addDays(day, 1).slice(8) === '01';
  if (!isMonthEnd) return validDay(`${to}${day.slice(4)}`);
  return validDay(`${to}${day.slice(4, 8)}31`);
}

/** A day that exists: the 31st of a shorter month is its last. */
function validDay(day: string): string {
  const month = day.slice(0, 8);
  for (let date = Number(day.slice(8)); date > 28; date -= 1) {
    const text = `${month}${date}`;
    const time = new Date(`${text}T00:00:00Z`);
    if (!Number.isNaN(time.getTime()) && time.toISOString().slice(0, 10) === text) return text;
  }
  return Number(day.slice(8)) > 28 ? `${month}28` : day;
}
