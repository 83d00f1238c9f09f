import { seededRandom } from './seededRandom.ts';

/** Draws and seed of every interval (M12.12). */
const draws = 2000;
const seed = 7;

/**
 * 95 % interval of a statistic by bootstrap over clusters (M12.12): whole issuers are drawn, with replacement, because
 * filings of one issuer say nearly the same thing. null with one cluster, or when no draw differs from another.
 */
export function clusterInterval<Row>(
  clusters: readonly (readonly Row[])[],
  statistic: (rows: readonly Row[]) => number | null,
): { readonly low: number; readonly high: number } | null {
  if (clusters.length < 2) return null;
  const random = seededRandom(seed);
  const drawn = Array.from({ length: draws }, () => {
    const sample = clusters.flatMap(() => clusters[Math.floor(random() * clusters.length)] ?? []);
    return statistic(sample);
  });
  const values = drawn.filter((value) => value !== null).sort((a, b) => a - b);
  const low = values[Math.floor(0.025 * values.length)];
  const high = values[Math.ceil(0.975 * values.length) - 1];
  return low === undefined || high === undefined || values[0] === values.at(-1) ? null : { low, high };
}
