import { daysBetween } from '../exact/civilDate.ts';
import type { PriceRow } from '../filing/rows.ts';
import type { Parameters } from '../parameters/parameters.ts';

export type CloseBounds = Parameters['closeBounds'];

/** A close that is not used, and why. */
export type RefusedClose = PriceRow & { readonly reason: string };

/** The last close that is believed, and on how many days closes stood by it. */
type Level = { readonly close: number; readonly date: string; readonly days: number };

/** Closes of one source that left the level: the newest of them, and for how many days. */
type Departure = Level & { readonly isShifted: boolean };

/** Where a series stands after a day. */
type State = { readonly level: Level | null; readonly departures: ReadonlyMap<string, Departure> };

/**
 * The closes that are not used (M2.13b): beyond any coin's price, too far from the close before for its age,
 * or contradicted by the other sources of the day. A day is judged by what was known on it, so later closes change
 * nothing; a fall or rise that is real is confirmed by a second source, or by standing for some days.
 */
export function implausibleCloses(rows: readonly PriceRow[], bounds: CloseBounds): RefusedClose[] {
  const refused: RefusedClose[] = [];
  for (const [, series] of [...Map.groupBy(rows, (row) => row.asset)].sort()) {
    let state: State = { level: null, departures: new Map() };
    for (const [, day] of [...Map.groupBy(series, (row) => row.date)].sort()) {
      const judged = judgeDay(day, { state, bounds });
      refused.push(...judged.refused);
      state = judged.state;
    }
  }
  return refused;
}

type Judged = { readonly state: State; readonly refused: readonly RefusedClose[] };
type Series = { readonly state: State; readonly bounds: CloseBounds };

function judgeDay(day: readonly PriceRow[], series: Series): Judged {
  const { floor, ceiling } = series.bounds;
  const isPrice = ({ close }: PriceRow) => close >= floor && close <= ceiling;
  const rows = day.filter(isPrice);
  const beyond = day
    .filter((row) => !isPrice(row))
    .map((row) => ({
      ...row,
      reason: `is not between ${floor} and ${ceiling} USD`,
    }));
  if (rows.length === 0) return { state: series.state, refused: beyond };
  const judged = judgePrices(rows, series);
  return { ...judged, refused: [...beyond, ...judged.refused] };
}

function judgePrices(rows: readonly PriceRow[], { state, bounds }: Series): Judged {
  const { level } = state;
  if (level === null) return firstDay(rows, { state, bounds });
  const near = rows.filter((row) => isNear(row, { level, bounds }));
  if (near.length === 0) return departedDay(rows, { level, state, bounds });
  const [closest = level] = near.toSorted(
    (a, b) => apart(a.close, level.close) - apart(b.close, level.close),
  );
  const believed = near.filter(({ close }) => apart(close, closest.close) <= bounds.sourceFactor);
  const refused = rows
    .filter((row) => !believed.includes(row))
    .map((row) => ({
      ...row,
      reason: near.includes(row) ? besides(row, closest) : away(row, level),
    }));
  return { state: { level: levelOf(believed, level.days + 1), departures: new Map() }, refused };
}

/** A series begins, so that only the sources of its day can speak for it. */
function firstDay(rows: readonly PriceRow[], { state, bounds }: Series): Judged {
  const [one] = rows;
  const other = one && rows.find((row) => apart(row.close, one.close) > bounds.sourceFactor);
  if (one === undefined || other === undefined) {
    return { state: { ...state, level: levelOf(rows, 1) }, refused: [] };
  }
  return { state, refused: rows.map((row) => ({ ...row, reason: besides(row, row === one ? other : one) })) };
}

/** No source stands where the series stood: a crash, a rally, or a mistake. */
function departedDay(rows: readonly PriceRow[], { level, state, bounds }: Series & { level: Level }): Judged {
  const departures = new Map(rows.map((row) => [row.source, departureOf(row, { level, state, bounds })]));
  const believed = rows.filter((row) => {
    const departure = departures.get(row.source);
    const isLasting = departure !== undefined && departure.days >= bounds.restartDays;
    const isSeconded = rows.some(
      (other) => other.source !== row.source && apart(other.close, row.close) <= 1 + bounds.agreement,
    );
    // a shift of the decimal point looks the same in every source of one feed and on every day
    const isShifted = departure?.isShifted === true && level.days >= bounds.restartDays;
    return isShifted ? isLasting && isSeconded : isLasting || isSeconded;
  });
  const refused = rows
    .filter((row) => !believed.includes(row))
    .map((row) => ({ ...row, reason: away(row, level) }));
  if (believed.length === 0) return { state: { level, departures }, refused };
  return { state: { level: levelOf(believed, 1), departures: new Map() }, refused };
}

function departureOf(row: PriceRow, { level, state, bounds }: Series & { level: Level }): Departure {
  const { close, date, source } = row;
  const before = state.departures.get(source);
  if (before !== undefined && isNear(row, { level: before, bounds })) {
    return { close, date, days: before.days + 1, isShifted: before.isShifted };
  }
  const decades = Math.log10(apart(close, level.close));
  const isShifted = Math.abs(decades - Math.round(decades)) <= Math.log10(1 + bounds.agreement);
  return { close, date, days: 1, isShifted };
}

/** The longer the last close is ago, the further a coin may have moved. */
function isNear(row: PriceRow, { level, bounds }: { level: Level; bounds: CloseBounds }): boolean {
  const days = Math.max(1, daysBetween(level.date, row.date));
  return apart(row.close, level.close) <= Math.min(bounds.dailyFactor * days, bounds.gapFactor);
}

function levelOf(believed: readonly PriceRow[], days: number): Level | null {
  const [first] = believed;
  return first === undefined ? null : { close: first.close, date: first.date, days };
}

function apart(a: number, b: number): number {
  return a > b ? a / b : b / a;
}

function away({ close }: PriceRow, level: Level): string {
  const times = Number((close / level.close).toPrecision(3));
  return `is ${times} times the ${level.close} of ${level.date}`;
}

function besides({ close }: PriceRow, other: PriceRow | Level): string {
  const times = Number((close / other.close).toPrecision(3));
  return `is ${times} times the ${other.close} of another source`;
}
