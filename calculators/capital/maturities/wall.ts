import { sumOf } from '../../exact/sumOf.ts';
import type { Instrument, Instruments, MaturityBucket, MaturityStatus, WallMark } from '../parts.ts';

/**
 * The wall (M18.35): buckets that are proven or supported, a partial ladder alone, else instruments at their own dates;
 * never both. Puts and springing dates stand beside them and are added to nothing.
 */
export function wallOf(
  status: MaturityStatus | null,
  {
    buckets,
    instruments,
  }: { readonly buckets: readonly MaturityBucket[]; readonly instruments: Instruments },
): readonly WallMark[] {
  const isShown = status === 'proven' || status === 'supported' || status === 'partial';
  const owing = instruments.found.filter(({ state }) => state === 'outstanding');
  const bars: readonly WallMark[] = isShown
    ? buckets
        .filter(({ instrumentId, amount }) => instrumentId === null && amount.sign > 0)
        .map(({ start, end, amount }) => ({ kind: 'bucket', date: start, end, amount, instrumentId: null }))
    : owing.flatMap((one) => markOf('maturity', one));
  const early = owing.flatMap((one) => [...markOf('put', one), ...markOf('springing', one)]);
  return [...bars, ...early].toSorted(byDate);
}

export function sumOfBars(wall: readonly WallMark[]) {
  return sumOf(
    wall.filter(({ kind }) => kind === 'bucket' || kind === 'maturity').map(({ amount }) => amount),
  );
}

function markOf(kind: 'maturity' | 'put' | 'springing', one: Instrument): WallMark[] {
  const dates = { maturity: one.maturityDate, put: one.putDate, springing: one.springingMaturityDate };
  const { value: date } = dates[kind];
  const amount = one.principal.value ?? one.carryingAmount.value;
  return date === null || amount === null
    ? []
    : [{ kind, date: firstDayOf(date), end: null, amount, instrumentId: one.id }];
}

/** A month is filed for some dates; what is due in it stands at its first day, as a bucket does. */
export function firstDayOf(date: string): string {
  return /^\d{4}-\d\d$/.test(date) ? `${date}-01` : date;
}

const order = ['bucket', 'maturity', 'put', 'springing'];

function byDate(a: WallMark, b: WallMark): number {
  const byDay = a.date < b.date ? -1 : a.date > b.date ? 1 : 0;
  const byId = (a.instrumentId ?? '') < (b.instrumentId ?? '') ? -1 : 1;
  return byDay || order.indexOf(a.kind) - order.indexOf(b.kind) || byId;
}
