import type { Resonance } from '../../data/contract/values/enums.ts';
import { medianOf, roundHalfUp } from '../exact/decimals.ts';
import { divide, exactly, published, sumOfDecimals } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { RawIndicators } from './rawIndicators.ts';

/** One issuer to be compared with the others on one basis. */
export type StandingSubject = {
  readonly raw: RawIndicators;
  /** z_R of its mix on the basis's day (M3.14). */
  readonly zReturn: number | null;
  /** Its values make up the cross-section: an operating company with a filing that is not stale (M3.15). */
  readonly isInUniverse: boolean;
};

/** Where an issuer stands against the others: published z-scores (4 decimals) and what follows from them. */
export type Standing = {
  readonly raw: RawIndicators;
  readonly apZ: number | null;
  readonly ecsZ: number | null;
  readonly lsiZ: number | null;
  /** Market pressure, a level and no comparison of issuers (M3.14). */
  readonly mpZ: number | null;
  /** The issuer's own stress (M3.16). */
  readonly ownZ: number | null;
  /** Structural tension: own stress and market pressure (M3.16). */
  readonly stZ: number | null;
  readonly resonance: Resonance;
  /** `z_universe_small`, `own_z_partial` (M3.15, M3.16). */
  readonly notes: readonly string[];
};

/** The cross-section of each indicator; null where no issuer has it. */
export type StandingStatistics = Readonly<Record<'ap' | 'ecs' | 'lsi', CrossSection | null>>;

/** Compares issuers with the cross-section of the universe among them; null stays null (M3.15–M3.17). */
export function standingsOf(
  subjects: readonly (StandingSubject | null)[],
  parameters: Parameters,
): { readonly standings: readonly (Standing | null)[]; readonly statistics: StandingStatistics } {
  const universe = subjects.filter((subject) => subject?.isInUniverse === true);
  const section = (name: 'ap' | 'ecs' | 'lsi') =>
    crossSectionOf(universe.map((subject) => subject?.raw[name] ?? null).filter((value) => value !== null));
  const statistics = { ap: section('ap'), ecs: section('ecs'), lsi: section('lsi') };
  return {
    standings: subjects.map((subject) => subject && standingOf(subject, statistics, parameters)),
    statistics,
  };
}

/** Compares one issuer with given statistics (M3.14–M3.17). */
export function standingOf(
  { raw, zReturn }: StandingSubject,
  statistics: StandingStatistics,
  parameters: Parameters,
): Standing {
  const z = (name: 'ap' | 'ecs' | 'lsi') => {
    const [value, section] = [raw[name], statistics[name]];
    if (value === null || section === null || section.n < parameters.robustZ.minIssuers) return null;
    return roundHalfUp(robustZ(value, section, parameters), 4);
  };
  const [apZ, ecsZ, lsiZ] = [z('ap'), z('ecs'), z('lsi')];
  const mpZ =
    zReturn === null || raw.cryptoShare === null ? null : roundHalfUp(-raw.cryptoShare * zReturn, 4);
  const own = ownParts({ ap: apZ, ecs: ecsZ, lsi: lsiZ });
  const ownStress = meanZ(own);
  const isSmall = (['ap', 'ecs', 'lsi'] as const).some(
    (name) => raw[name] !== null && (statistics[name]?.n ?? 0) < parameters.robustZ.minIssuers,
  );
  return {
    raw,
    apZ,
    ecsZ,
    lsiZ,
    mpZ,
    ownZ: ownStress,
    stZ: meanZ(mpZ === null ? own : [...own, mpZ]),
    resonance: resonance({ own: ownStress, market: mpZ }, parameters),
    notes: [...(isSmall ? ['z_universe_small'] : []), ...(own.length < 3 ? ['own_z_partial'] : [])],
  };
}

type OwnComponents = Readonly<Record<'ap' | 'ecs' | 'lsi', number | null>>;

/** The issuer's own stress: the mean of its published component z-scores that are there, 4 decimals (M3.16). */
export function ownZ(z: OwnComponents): number | null {
  return meanZ(ownParts(z));
}

/** Components of own stress that are there, each higher the worse. */
function ownParts(z: OwnComponents): number[] {
  return [z.ap, z.ecs === null ? null : -z.ecs, z.lsi].filter((part) => part !== null);
}

/** The mean of published z-scores, exact before it is rounded (M0.5, M3.16); null for none. */
function meanZ(parts: readonly number[]): number | null {
  if (parts.length === 0) return null;
  const units = parts.map((part) => Math.round(part * 1e4));
  // published z-scores have 4 decimals: counted in the last, their mean is exact
  if (units.every((unit, i) => unit / 1e4 === parts[i])) return meanOfUnits(units) / 1e4;
  return published(divide(sumOfDecimals(parts), exactly(parts.length)), 4);
}

/** Half up, ties away from zero (M0.4). */
function meanOfUnits(units: readonly number[]): number {
  const sum = units.reduce((total, unit) => total + unit, 0);
  const magnitude = Math.floor((2 * Math.abs(sum) + units.length) / (2 * units.length));
  return sum < 0 && magnitude > 0 ? -magnitude : magnitude;
}

/**
 * Whether the issuer's own stress and the market-wide pressure reinforce each other, by their published z-scores
 * (M3.17). A missing or zero score is Neutral.
 */
export function resonance(
  z: { readonly own: number | null; readonly market: number | null },
  { resonanceAbsM }: Parameters,
): Resonance {
  if (z.own === null || z.market === null || Math.abs(z.market) < resonanceAbsM) return 'Neutral';
  const sign = Math.sign(z.own) * Math.sign(z.market);
  if (sign === 0) return 'Neutral';
  return sign > 0 ? 'Aligned' : 'Dissonant';
}

/** Robust statistics of one indicator; stored with the slice so that a z can be recomputed (M3.15). Unrounded. */
type CrossSection = {
  readonly n: number;
  readonly median: number;
  /** Median absolute deviation from the median. */
  readonly mad: number;
  /** Mean absolute deviation from the median, the scale when the MAD is 0. */
  readonly meanDeviation: number;
};

/** Median, MAD and mean deviation of the values, in any order; null for none (M3.15). */
export function crossSectionOf(values: readonly number[]): CrossSection | null {
  const median = medianOf(values);
  if (median === null) return null;
  // sorted, so that the floating sum below does not depend on the order of issuers
  const deviations = values.map((value) => Math.abs(value - median)).sort((a, b) => a - b);
  return {
    n: values.length,
    median,
    mad: medianOf(deviations) ?? 0,
    meanDeviation: deviations.reduce((sum, deviation) => sum + deviation, 0) / values.length,
  };
}

/** What a value is measured by; the mean deviation only where the MAD is 0. */
export type Yardstick = Pick<CrossSection, 'n' | 'median' | 'mad'> & {
  readonly meanDeviation: number | null;
};

/**
 * Robust z of a value: by MAD, by the mean deviation where the MAD is 0, 0 where both are; clipped, unrounded
 * (M3.15).
 */
export function robustZ(value: number, section: Yardstick, { robustZ: scales }: Parameters): number {
  const scale =
    section.mad > 0
      ? scales.madScale * section.mad
      : scales.meanDeviationScale * (section.meanDeviation ?? 0);
  if (scale === 0) return 0;
  return Math.max(-scales.clip, Math.min(scales.clip, (value - section.median) / scale));
}
