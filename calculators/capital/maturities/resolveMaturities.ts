import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { StatedFact } from '../../crypto/statedFacts.ts';
import { published, quotient } from '../../exact/fraction.ts';
import type { InstanceFact } from '../../filing/xbrlFiling.ts';
import { agree, roundedOf, roundedSum } from '../agree.ts';
import type { CapitalFact, NullReason } from '../figure.ts';
import type { Instruments } from '../instruments/instrument.ts';
import { bucketIntervals } from './bucketIntervals.ts';
import { type FiledBucket, filedLadder, ladderSum } from './filedLadder.ts';
import { judgeLadder } from './ladderStatus.ts';
import { ladderTotal, wholeInstants } from './ladderTotal.ts';
import { type Maturities, type MaturityBucket, noMaturities } from './maturities.ts';
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
  const total = ladderTotal(ladder, { sum, facts, period, currency, debt });
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
    totalFacts: [...total.facts, ...judged.facts].map(factOf),
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

/** A single amount for all years is a total and no ladder (DFDV). */
function onlyTotal(total: StatedFact, debt: ExactDecimal | null): Partial<Maturities> {
  return {
    total: total.value,
    totalFacts: [factOf(total)],
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
  const absent: NullReason = maturities.status === null ? 'not_filed' : 'status_unproven';
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
  return interval === null ? [] : [{ ...interval, amount: fact.value, instrumentId, facts: [factOf(fact)] }];
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

function factOf({ concept, value, unit, start, end, dimensions }: StatedFact | CapitalFact): CapitalFact {
  return { concept, value, unit, start, end, dimensions };
}
