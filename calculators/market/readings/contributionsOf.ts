import { roundHalfUp } from '../../exact/decimals.ts';
import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import type { FactorRow } from '../factors/factorRow.ts';

export type Contributions = {
  readonly status: 'available' | 'partial' | 'unavailable';
  /** `returns`: rows and residual sum to the contract's return; `weights_only`: no returns to attribute. */
  readonly basis: 'returns' | 'weights_only' | 'none';
  readonly rows: readonly {
    readonly ticker: string | null;
    readonly name: string;
    readonly weight: number | null;
    readonly contribution: number | null;
    readonly leave_one_out: number | null;
  }[];
  readonly tracking_residual: number | null;
  readonly max_leave_one_out: number | null;
  readonly flags: readonly ('attribution_exceeds_bound' | 'single_name_sensitive')[];
};

/** What the constituents did and how much of P may be ascribed to one (M8.12, M8.13). */
export function contributionsOf(row: FactorRow, parameters: PerpsParameters): Contributions {
  const { rows, trackingResidual } = row.returns;
  const isAttributed = trackingResidual !== null;
  const hasWeights = rows.some(({ weight }) => weight !== null);
  const isWhole = isAttributed && rows.every(({ contribution }) => contribution !== null);
  return {
    status: isWhole ? 'available' : hasWeights ? 'partial' : 'unavailable',
    basis: isAttributed ? 'returns' : hasWeights ? 'weights_only' : 'none',
    rows: rows.map(({ ticker, name, weight, contribution, leaveOneOut }) => ({
      ticker,
      name,
      weight,
      contribution: isAttributed ? contribution : null,
      leave_one_out: leaveOneOut,
    })),
    tracking_residual: trackingResidual,
    max_leave_one_out: row.maxLeaveOneOut,
    flags: flagsOf(row, parameters),
  };
}

function flagsOf(row: FactorRow, { perps }: PerpsParameters): Contributions['flags'] {
  const breadth = row.attribution.find(({ factor }) => factor === 'breadth')?.contribution ?? 0;
  // claims and bounds are compared as published, at 6 decimals
  const exceeds = row.returns.rows.some(
    ({ weight, leaveOneOut }) =>
      weight !== null &&
      leaveOneOut !== null &&
      Math.abs(roundHalfUp(weight * breadth, 6)) >
        Math.abs(leaveOneOut) + perps.registry.attributionTolerance,
  );
  const isSensitive = row.maxLeaveOneOut !== null && row.maxLeaveOneOut >= perps.singleName;
  return [
    ...(exceeds ? (['attribution_exceeds_bound'] as const) : []),
    ...(isSensitive ? (['single_name_sensitive'] as const) : []),
  ];
}
