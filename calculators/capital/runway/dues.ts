import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { addDays } from '../../exact/civilDate.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { absentFigure, type Figure, type FigureStatus } from '../figure.ts';
import type { Instruments } from '../instruments/instrument.ts';
import type { Maturities } from '../maturities/maturities.ts';
import type { FiledRunway } from './filedRunway.ts';

/** What falls due from `start` on, by `end` at the latest; one day for an instrument with its own. */
export type Due = { readonly start: string; readonly end: string | null; readonly amount: ExactDecimal };

export type Dues = {
  readonly basis: 'buckets' | 'dated' | 'current_debt' | null;
  readonly dues: readonly Due[];
  readonly status: FigureStatus;
  /** The last day up to which all that falls due is known; null without an end. */
  readonly knownTo: string | null;
};

type DueInputs = {
  readonly maturities: Pick<Maturities, 'status' | 'buckets' | 'wall'>;
  readonly instruments: Pick<Instruments, 'found' | 'stack'>;
  readonly filed: Pick<FiledRunway, 'period' | 'currentDebt' | 'isAllDebtCurrent'>;
};

/**
 * What falls due when (M18.63): the buckets of a ladder that is proven or supported; else the instruments, where all of
 * them are dated and they are the debt; else the current debt of the balance sheet, due within the year after it.
 */
export function duesOf({ maturities, instruments, filed }: DueInputs): Dues {
  const { status } = maturities;
  if (status === 'proven' || status === 'supported') {
    const dues = maturities.buckets
      .filter(({ instrumentId }) => instrumentId === null)
      .map(({ start, end, amount }) => ({ start, end, amount }));
    return { basis: 'buckets', dues, status, knownTo: null };
  }
  const owing = instruments.found.filter(({ state }) => state === 'outstanding');
  const dated = maturities.wall.filter(({ kind }) => kind === 'maturity');
  const named = new Set(dated.map(({ instrumentId }) => instrumentId));
  const areAllDated = owing.length > 0 && owing.every(({ id }) => named.has(id));
  if (areAllDated && instruments.stack.status === 'ties') {
    const dues = dated.map(({ date, amount }) => ({ start: date, end: date, amount }));
    return { basis: 'dated', dues, status: 'supported', knownTo: null };
  }
  const { period, currentDebt, isAllDebtCurrent } = filed;
  if (currentDebt.value === null) return { basis: null, dues: [], status: 'unproven', knownTo: period };
  const end = monthsAfter(period, 12);
  const dues =
    currentDebt.value.sign === 0 ? [] : [{ start: addDays(period, 1), end, amount: currentDebt.value }];
  return { basis: 'current_debt', dues, status: 'stated', knownTo: isAllDebtCurrent ? null : end };
}

/**
 * The sum of what falls due after `day` and within `months` of it (M18.63); a bucket that reaches into these months
 * counts whole, since the filing does not say on which of its days it falls due.
 */
export function dueWithin(
  { basis, dues, status, knownTo }: Dues,
  { day, months, fallback }: { readonly day: string; readonly months: number; readonly fallback: string },
): Figure {
  const last = monthsAfter(day, months);
  if (basis === null) return absentFigure('missing', { part: 'maturities' });
  // the year after the balance sheet stands for the year after the day asked; a second year does not
  const isKnown = knownTo === null || last <= knownTo || (months === 12 && day < knownTo);
  if (!isKnown) return absentFigure('missing', { part: fallback });
  const within = dues.filter(({ start, end }) => start <= last && !isPast(end, day));
  return { value: sumOf(within.map(({ amount }) => amount)), status, basis, facts: [] };
}

/** True where a bucket that counts reaches beyond the months: part of it may fall due later. */
export function reachesBeyond(
  { dues }: Dues,
  { day, months }: { readonly day: string; readonly months: number },
): boolean {
  const last = monthsAfter(day, months);
  return dues.some(
    ({ start, end, amount }) => amount.sign > 0 && start <= last && (end === null || end > last),
  );
}

/** Dues that are certainly past on the day. */
export function pastDues({ dues }: Dues, day: string): ExactDecimal {
  return sumOf(dues.filter(({ end }) => isPast(end, day)).map(({ amount }) => amount));
}

/** What falls due in 24 months where holders put and springing dates come to pass (M18.63). */
export function dueIfPut(
  due: Figure,
  { day, maturities, instruments }: Pick<DueInputs, 'maturities' | 'instruments'> & { readonly day: string },
): Figure {
  const last = monthsAfter(day, 24);
  const early = maturities.wall.filter(({ kind }) => kind === 'put' || kind === 'springing');
  if (early.length === 0) return absentFigure('not_filed');
  if (due.value === null) return due;
  const own = new Map(instruments.found.map((one) => [one.id, one]));
  const isIncluded = (id: string | null) => {
    const maturity = id === null ? null : (own.get(id)?.maturityDate.value ?? null);
    const isBucketed = maturities.buckets.some(
      ({ instrumentId, start, amount }) => instrumentId === id && amount.sign > 0 && start <= last,
    );
    return isBucketed || (maturity !== null && maturity <= last);
  };
  const moved = new Map(
    early
      .filter(({ date, instrumentId }) => date > day && date <= last && !isIncluded(instrumentId))
      .map(({ instrumentId, amount }) => [instrumentId, amount]),
  );
  return { ...due, value: due.value.plus(sumOf([...moved.values()])), basis: `${due.basis}_if_put` };
}

function isPast(end: string | null, day: string): boolean {
  return end !== null && end <= day;
}

/** The same day of a later month, its last where the month is shorter; a last day stays a last day. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const isLastDay = addDays(day, 1).endsWith('-01');
  const index = year * 12 + month - 1 + months;
  const first = `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
  const last = lastDayOf(first);
  if (isLastDay || date > Number(last.slice(8))) return last;
  return addDays(first, date - 1);
}

export function lastDayOf(day: string): string {
  return addDays(`${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1);
}
