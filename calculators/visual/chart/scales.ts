import type { Cpx } from '../geometry/rect.ts';
import { countText, ratioText } from './figures.ts';

export type Scale = (value: number) => Cpx;
type Ends = { readonly from: number; readonly to: number; readonly at: Cpx; readonly end: Cpx };

/** Places values between two ends, evenly. */
export function linearScale({ from, to, at, end }: Ends): Scale {
  const span = to === from ? 1 : to - from;
  return (value) => at + Math.round(((value - from) * (end - at)) / span);
}

/** Places positive values by their binary logarithm; what lies beyond an end stands at it. */
export function logScale({ from, to, at, end }: Ends): Scale {
  const [low, high] = [log2Fixed(from), log2Fixed(to)];
  return (value) => {
    const within = Math.min(to, Math.max(from, value));
    return at + Math.round(((log2Fixed(within) - low) * (end - at)) / (high - low));
  };
}

/**
 * Binary logarithm of a positive number with 24 binary digits by repeated squaring: products and comparisons alone, so
 * that it is equal on every machine (V3).
 */
export function log2Fixed(value: number): number {
  let rest = value;
  let whole = 0;
  while (rest >= 2) {
    rest /= 2;
    whole++;
  }
  while (rest < 1) {
    rest *= 2;
    whole--;
  }
  let part = 0;
  for (let digit = 0.5; digit > 1 / 33_554_432; digit /= 2) {
    rest *= rest;
    if (rest >= 2) {
      rest /= 2;
      part += digit;
    }
  }
  return whole + part;
}

/** Round numbers of a logarithmic axis: 1, 2 and 5 times powers of ten, as they print. */
const steps = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000] as const;

/** The narrowest axis from one round number to another around positive values; smaller ones stand at its lower end. */
export function roundSpan(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return [
    steps.findLast((step) => step <= low) ?? steps[0],
    steps.find((step) => step >= high) ?? steps[steps.length - 1] ?? high,
  ];
}

/** The round numbers of an axis with their texts, ascending. */
export function roundMarks({ from, to }: { from: number; to: number }): { value: number; text: string }[] {
  return steps
    .filter((value) => value >= from && value <= to)
    .map((value) => ({ value, text: value < 1 ? ratioText(value) : countText(value) }));
}

type Ticks = { from: number; to: number; most: number; least: number };

/**
 * Round values from `from` to the first at or over `to`, at most `most` of them, in steps of 1, 2, 2.5 or 5 times ten
 * that are whole multiples of `least`, the last digit that is printed.
 */
export function ticksOf({ from, to, most, least }: Ticks): number[] {
  if (!(to > from)) return [from];
  for (let decade = 0.000_001; decade < 1e18; decade *= 10)
    for (const part of [1, 2, 2.5, 5]) {
      const step = part * decade;
      if (!isMultiple(step, least)) continue;
      const first = Math.floor(from / step);
      const last = Math.ceil(to / step);
      if (last - first + 1 <= most)
        // steps below one are no exact doubles: counted in whole steps, written by the formats of figures
        return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
    }
  return [from, to];
}

function isMultiple(step: number, least: number): boolean {
  const times = step / least;
  return times > 0.5 && Math.abs(times - Math.round(times)) < 1e-6;
}
