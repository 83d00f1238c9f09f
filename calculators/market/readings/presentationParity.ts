import type { FactorRow } from '../factors/factorRow.ts';

export type PresentationParity = {
  readonly status: 'confirmed' | 'requires_artifact' | 'mismatch' | 'unavailable';
  readonly reason: string | null;
};

/**
 * Whether a chart shows what the row says (M8.16b).
 *
 * @param shown bucket and pressure of the newest point of the chart's artifact; null without one
 */
export function presentationParity(
  row: Pick<FactorRow, 'start' | 'pressure'> | null,
  shown: { readonly start: number; readonly pressure: number | null } | null,
): PresentationParity {
  if (row === null) return { status: 'unavailable', reason: 'No factor row is stored.' };
  if (shown === null) return { status: 'requires_artifact', reason: 'No chart artifact is bound.' };
  if (shown.start !== row.start)
    return { status: 'mismatch', reason: 'The chart ends with another bucket than the row.' };
  if (shown.pressure !== row.pressure)
    return { status: 'mismatch', reason: 'The chart shows another pressure than the row.' };
  return { status: 'confirmed', reason: null };
}
