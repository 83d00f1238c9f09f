// Arithmetic on published decimals, exact because it counts in their last digit: z-scores have 4 decimals, ratios 6.

/** a² + b² of two z-scores, half up at 6 decimals. */
export function sumOfSquares(a: number, b: number): number {
  return sixDecimals(units(a, 4) ** 2 + units(b, 4) ** 2);
}

/** a·b of two z-scores, half up with ties away from zero at 6 decimals. */
export function product(a: number, b: number): number {
  return sixDecimals(units(a, 4) * units(b, 4));
}

/** a − b of two ratios. */
export function difference(a: number, b: number): number {
  return (units(a, 6) - units(b, 6)) / 1e6 || 0;
}

/** True when a ratio fell by at least `drop`. */
export function fellBy(from: number, to: number, drop: number): boolean {
  return units(from, 6) - units(to, 6) >= units(drop, 6);
}

/** Eight decimals as units, rounded to six; −0 is 0. */
function sixDecimals(eight: number): number {
  return (Math.sign(eight) * Math.floor((Math.abs(eight) + 50) / 100)) / 1e6 || 0;
}

/** How many of its last digit a published decimal counts; doubles hold it up to nine quadrillion. */
function units(value: number, digits: 4 | 6): number {
  return Math.round(value * 10 ** digits);
}
