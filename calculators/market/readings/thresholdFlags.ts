import type { Parameters } from '../../parameters/parameters.ts';
import type { FactorId, Factors } from '../factors/factorRow.ts';

export type ThresholdRow = {
  readonly threshold_id: string;
  readonly metric: FactorId;
  readonly operator: '>=' | '<=' | 'abs>=';
  readonly threshold: number;
  readonly unit: string;
};

export type ThresholdFlag = ThresholdRow & {
  readonly observed: number | null;
  readonly result: 'pass' | 'fail' | 'unavailable';
  readonly evidence_ref: string | null;
};

/** What the contract of thresholds may be about, with units. */
const units: Readonly<Partial<Record<string, { readonly metric: FactorId; readonly unit: string }>>> = {
  pressure: { metric: 'pressure', unit: 'z' },
  funding_annualized: { metric: 'funding_annualized', unit: 'fraction per year' },
  basis_bps: { metric: 'basis_bps', unit: 'bp' },
  oi_change_24h: { metric: 'oi_change_24h', unit: 'fraction' },
  vol_ratio: { metric: 'vol_ratio', unit: 'ratio' },
  breadth: { metric: 'breadth', unit: 'fraction of weight' },
};

const absolute = '_abs';

/** The threshold contract as published (M8.15); an id that ends in `_abs` is about the absolute value. */
export function thresholdContract({ perps, versions }: Pick<Parameters, 'perps' | 'versions'>): {
  readonly version: string;
  readonly rows: readonly ThresholdRow[];
} {
  return {
    version: versions.perps,
    rows: perps.thresholdContract.map(({ thresholdId, operator, threshold }): ThresholdRow => {
      const isAbsolute = thresholdId.endsWith(absolute) && operator === '>=';
      const of = units[isAbsolute ? thresholdId.slice(0, -absolute.length) : thresholdId];
      if (of === undefined) throw new RangeError(`the threshold ${thresholdId} is about no factor`);
      return { threshold_id: thresholdId, ...of, operator: isAbsolute ? 'abs>=' : operator, threshold };
    }),
  };
}

/** Every row of the contract against published factors: unavailable without an observation, never failed (M8.15). */
export function thresholdFlags(
  factors: Factors | null,
  { parameters, evidenceRef }: { readonly parameters: Parameters; readonly evidenceRef: string | null },
): ThresholdFlag[] {
  return thresholdContract(parameters).rows.map((row) => {
    const observed = factors?.[row.metric] ?? null;
    return {
      ...row,
      observed,
      result: observed === null ? 'unavailable' : passes(observed, row) ? 'pass' : 'fail',
      evidence_ref: evidenceRef,
    };
  });
}

function passes(observed: number, { operator, threshold }: ThresholdRow): boolean {
  if (operator === '<=') return observed <= threshold;
  return (operator === 'abs>=' ? Math.abs(observed) : observed) >= threshold;
}
