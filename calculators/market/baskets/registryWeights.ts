import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import type { Constituent, RegistryVersion } from './product.ts';

export type WeightedConstituent = {
  readonly constituent: Constituent;
  /** Share of the basket after renormalising; as stated, or null, where the weights are not valid. */
  readonly weight: number | null;
};

export type RegistryWeights = {
  readonly rows: readonly WeightedConstituent[];
  /** Sum of the weights in `rows`: 1 within the tolerance when they are valid. */
  readonly total: number;
  readonly isValid: boolean;
  readonly isRenormalised: boolean;
  /** Stated weight of constituents with an identity, at most 1 (M8.14a). */
  readonly mappedWeight: number;
};

/**
 * The weights of a registry version (M8.6): divided by their sum where it is not 1 within the tolerance. They are not
 * valid where one is missing or negative, a constituent stands twice, or all are zero (M8.6a).
 */
export function registryWeights(
  version: Pick<RegistryVersion, 'constituents'>,
  { perps }: PerpsParameters,
): RegistryWeights {
  const { constituents } = version;
  const stated = constituents.map(({ weight }) => (isWeight(weight) ? weight : null));
  const sum = stated.reduce<number>((total, weight) => total + (weight ?? 0), 0);
  const isValid =
    !stated.includes(null) &&
    new Set(constituents.map(({ kind, ticker }) => `${kind} ${ticker}`)).size === constituents.length &&
    Number.isFinite(sum) &&
    sum > 0;
  const isRenormalised = isValid && Math.abs(sum - 1) > perps.registry.weightTolerance;
  const rows = constituents.map((constituent, i) => {
    const weight = stated[i] ?? null;
    return { constituent, weight: weight !== null && isRenormalised ? weight / sum : weight };
  });
  const mapped = constituents.reduce((total, c, i) => total + (isMapped(c) ? (stated[i] ?? 0) : 0), 0);
  return {
    rows,
    total: rows.reduce((total, { weight }) => total + (weight ?? 0), 0),
    isValid,
    isRenormalised,
    // a sum of rounded weights within the tolerance of 1 is 1
    mappedWeight: Math.min(1, mapped),
  };
}

/** A coin is its symbol; a stock is known by the CIK of its issuer (M8.14a). */
function isMapped({ kind, cik }: Constituent): boolean {
  return kind === 'coin' || cik !== null;
}

function isWeight(weight: number | null): weight is number {
  return weight !== null && Number.isFinite(weight) && weight >= 0;
}
