import type { CapitalReason } from '../../../data/contract/payloads/issuer/capitalParts.ts';
import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { StatedFact } from '../../crypto/statedFacts.ts';
import { addDays, daysBetween, monthsAfter } from '../../exact/civilDate.ts';
import { published, quotient } from '../../exact/fraction.ts';
import type { InstanceFact } from '../../filing/xbrlFiling.ts';
import { capitalFact } from '../figure.ts';
import { agree, roundedOf, roundedSum, wholeInstants } from '../filedAmounts.ts';
import type { BucketName } from '../instruments/bucketNames.ts';
import type { Instruments, Maturities, MaturityBucket } from '../parts.ts';
import { type FiledBucket, filedLadder, ladderSum } from './filedLadder.ts';
import { judgeLadder, ladderTotal } from './ladderStatus.ts';
import { sumOfBars, wallOf } from './wall.ts';

/** What falls due when, by the ladder a filing states and by the dates of its instruments (M18.30–M18.36). */
export function resolveMaturities({
  period,
  fiscalYearEnd,
  currency = 'USD',
  facts,
  nil = [],
  instruments,
  debt,
}: {
  readonly period: string;
  /** `MMDD`; null where neither filing nor universe says it. */
  readonly fiscalYearEnd: string | null;
  readonly currency?: string;
  readonly facts: readonly StatedFact[];
  /** Facts without a value. */
  readonly nil?: readonly InstanceFact[];
  readonly instruments: Instruments;
  /** D; null where it is not proven. */
  readonly debt: ExactDecimal | null;
}): Maturities {
  const ladder = filedLadder({ period, currency, facts, nil, instruments: instruments.found });
  if (ladder === null || ladder.entity.length === 0) {
    const [total] = [...(ladder?.totals ?? []), ...(ladder?.open ?? [])];
    return withWall(
      { ...noMaturities, ...(total === undefined ? {} : onlyTotal(total, debt)), notes: ladder?.notes ?? [] },
      { instruments, debt },
    );
  }
  const sum = ladderSum(ladder.entity);
  const whole = wholeInstants(facts, { period, currency });
  const { stack } = instruments;
  const owed = [debt, stack.status === 'ties' ? stack.principal : null].filter((amount) => amount !== null);
  const total = ladderTotal(ladder, { sum, facts, period, currency, owed });
  if (total === null) return withWall(noMaturities, { instruments, debt });
  const named = [...ladder.entity.map(({ name }) => name), ...ladder.nil];
  const { basis, of } = bucketIntervals(named, { period, fiscalYearEnd });
  const isUndated = ladder.entity.some(({ name }) => of(name) === null);
  const judged = judgeLadder({
    ...{ total, sum, debt, instruments, whole, period },
    buckets: ladder.ofInstruments,
  });
  const isBroken = isUndated || ladder.open.length > 0 || ladder.notes.length > 0;
  const status = isBroken ? 'unproven' : judged.status;
  const buckets = [...ladder.entity, ...ladder.ofInstruments].flatMap((bucket) => dated(bucket, of));
  const maturities: Maturities = {
    basis,
    buckets,
    total: total.amount,
    totalFacts: [...total.facts, ...judged.facts].map(capitalFact),
    bucketUnallocated: total.amount.minus(sum.value),
    gap: judged.gap,
    coverageOfDebt: null,
    status,
    interestInLadder: status === 'includes_interest' ? judged.interest : null,
    reason: null,
    wall: [],
    notes: [
      ...ladder.notes,
      ...(total.agrees ? [] : ['ladder_total_not_agreed']),
      ...(isUndated ? ['fiscal_year_end_not_filed'] : []),
      ...unallocated(ladder.entity, ladder.ofInstruments),
      ...earlyBuckets(buckets, instruments),
    ],
  };
  return withWall(maturities, { instruments, debt });
}

const noMaturities: Maturities = {
  basis: null,
  buckets: [],
  total: null,
  totalFacts: [],
  bucketUnallocated: null,
  gap: null,
  coverageOfDebt: null,
  status: null,
  interestInLadder: null,
  reason: 'not_filed',
  wall: [],
  notes: [],
};

/** A single amount for all years is a total and no ladder (DFDV). */
function onlyTotal(total: StatedFact, debt: ExactDecimal | null): Partial<Maturities> {
  return {
    total: total.value,
    totalFacts: [capitalFact(total)],
    gap: debt === null ? null : total.value.minus(debt),
    status: 'unproven',
    reason: 'status_unproven',
  };
}

function withWall(
  maturities: Maturities,
  { instruments, debt }: { readonly instruments: Instruments; readonly debt: ExactDecimal | null },
): Maturities {
  const wall = wallOf(maturities.status, { buckets: maturities.buckets, instruments });
  const bars = sumOfBars(wall);
  const hasDebt = debt !== null && debt.sign > 0;
  const share = hasDebt ? published(quotient(bars, debt), 6) : null;
  const absent: CapitalReason = maturities.status === null ? 'not_filed' : 'status_unproven';
  return {
    ...maturities,
    wall,
    coverageOfDebt: bars.sign > 0 && share !== null ? Math.min(1, share) : null,
    reason: bars.sign > 0 ? null : absent,
  };
}

function dated(
  { name, fact, instrumentId }: FiledBucket,
  of: ReturnType<typeof bucketIntervals>['of'],
): MaturityBucket[] {
  const interval = of(name);
  return interval === null
    ? []
    : [{ ...interval, amount: fact.value, instrumentId, facts: [capitalFact(fact)] }];
}

/** Where instruments have buckets of their own, they must add up to the entity's (M18.32). */
function unallocated(entity: readonly FiledBucket[], ofInstruments: readonly FiledBucket[]): string[] {
  return entity.flatMap(({ name, fact }) => {
    const own = ofInstruments.filter((bucket) => JSON.stringify(bucket.name) === JSON.stringify(name));
    const sum = roundedSum(own.map((bucket) => roundedOf(bucket.fact)));
    if (own.length === 0 || agree(roundedOf(fact), sum)) return [];
    return [`bucket_unallocated:${fact.value.minus(sum.value)}`];
  });
}

/** An instrument's bucket that ends before its filed maturity speaks of an earlier date and states none (M18.36). */
function earlyBuckets(buckets: readonly MaturityBucket[], { found }: Instruments): string[] {
  const maturities = new Map(found.map(({ id, maturityDate }) => [id, maturityDate.value]));
  const early = buckets.flatMap(({ instrumentId, amount, end }) => {
    const maturity = instrumentId === null ? null : (maturities.get(instrumentId) ?? null);
    const isEarly = amount.sign > 0 && end !== null && maturity !== null && end < maturity;
    return isEarly ? [`bucket_before_maturity:${instrumentId}`] : [];
  });
  return [...new Set(early)];
}

/** Days around its fiscal year end on which a filer of 52 and 53 weeks may close. */
const weekEnd = 7;

type Calendar = {
  readonly period: string;
  /** `MMDD`; null where neither filing nor universe says it. */
  readonly fiscalYearEnd: string | null;
};

type BucketInterval = { readonly id: string; readonly start: string; readonly end: string | null };

/**
 * When the parts of a ladder fall due (M18.31). Beside the remainder of the fiscal year the first year filed is the next
 * whole fiscal year, despite its name; otherwise years run from the period end.
 */
function bucketIntervals(
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
  const yearEnd = (n: number) => (origin === null ? null : monthsAfter(origin, 12 * n));
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
      const end = monthsAfter(runningEnd, 12 * (name.year - Number(runningEnd.slice(0, 4))));
      const start = monthsAfter(end, -12);
      return end <= period ? null : within(`fy_${name.year}`, start < period ? period : start, end);
    }
    if (name.kind !== 'thereafter' || years.length === 0) return null;
    const last = monthsAfter(runningEnd, 12 * (Math.max(...years) - Number(runningEnd.slice(0, 4))));
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
