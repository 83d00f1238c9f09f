/** 97.5 % point of the standard normal distribution. */
const z = 1.959963984540054;

/**
 * Wilson score interval of a share with 95 % confidence (M12.12).
 *
 * @throws RangeError unless 0 ≤ hits ≤ n and n > 0.
 */
export function wilsonInterval(hits: number, n: number): { readonly low: number; readonly high: number } {
  if (!(n > 0 && hits >= 0 && hits <= n)) throw new RangeError(`no share: ${hits} of ${n}`);
  const share = hits / n;
  const scale = 1 + z ** 2 / n;
  const centre = (share + z ** 2 / (2 * n)) / scale;
  const half = (z * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2))) / scale;
  // at the ends rounding may leave a hair outside
  return { low: hits === 0 ? 0 : centre - half, high: hits === n ? 1 : centre + half };
}
