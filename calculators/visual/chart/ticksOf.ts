/**
 * Round values from `from` to the first at or over `to`, at most `most` of them, in steps of 1, 2, 2.5 or 5 times ten
 * that are whole multiples of `least`, the last digit that is printed.
 */
export function ticksOf({
  from,
  to,
  most,
  least,
}: {
  from: number;
  to: number;
  most: number;
  least: number;
}): number[] {
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
