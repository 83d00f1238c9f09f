import { IssuerError } from '../contract/issuerError.ts';
import type { ReadinessArtifact } from '../contract/readiness.ts';

type Named<T> = Readonly<Record<string, T>>;

/** Every threshold the calculators use, `params-1.1` (M13.1); values come from `data/registry/parameters.json`. */
export type Parameters = {
  readonly version: string;
  readonly coreModel: string;
  readonly classificationVersion: string;
  readonly referenceCovenantLtv: number;
  readonly stressBands: { readonly moderate: number; readonly high: number; readonly critical: number };
  readonly chargeBands: { readonly elevated: number; readonly critical: number };
  readonly stressCap: number;
  readonly breachBands: { readonly medium: number; readonly high: number };
  readonly breachHorizonYears: number;
  /** Annual volatility by asset symbol; `other` is the rest. */
  readonly volatility: Named<number> & { readonly other: number };
  readonly livePriceMaxAgeHours: number;
  readonly priceCheck: number;
  readonly identityTolerance: number;
  readonly candidateDisagreement: number;
  readonly principalExcess: number;
  readonly cryptoDisagreement: number;
  readonly intangibleShareOfAssets: number;
  readonly fairValueAdoption: string;
  readonly anomalousAssetsRatio: number;
  readonly zeroDebt: {
    readonly identifiedShare: number;
    readonly liabilitiesOfAssets: number;
    readonly interestOfAssets: number;
  };
  readonly filingAgeDays: { readonly fresh: number; readonly usable: number; readonly unclassified: number };
  readonly qualityPoints: { readonly high: number; readonly medium: number };
  readonly flowDays: { readonly annualMin: number; readonly annualMax: number; readonly quarterMax: number };
  readonly priceSourceOrder: readonly string[];
  readonly priceLookbackDays: number;
  readonly priceConflict: number;
  readonly freshnessWindowHours: number;
  readonly tower: ReadinessArtifact['tower_thresholds'];
};

/**
 * Reads the parameter registry into {@link Parameters} (M13.1).
 *
 * @throws IssuerError `validation_failed` naming the first entry that is missing, has another type or lacks
 * its rule or source.
 */
export function parseParameters(json: unknown): Parameters {
  const file = record(json, 'the file');
  const entries = record(file['parameters'], 'parameters');
  const value = (name: string): unknown => {
    const entry = record(entries[name], name);
    text(entry['rule'], `${name}.rule`);
    text(entry['source'], `${name}.source`);
    return entry['value'];
  };
  const num = (name: string) => number(value(name), name);
  const nums = <K extends string>(name: string, ...keys: K[]): Record<K, number> => {
    const group = record(value(name), name);
    return Object.fromEntries(keys.map((k) => [k, number(group[k], `${name}.${k}`)])) as Record<K, number>;
  };
  const volatility = record(value('volatility'), 'volatility');
  const zeroDebt = nums(
    'zero_debt_corroboration',
    'identified_share',
    'liabilities_of_assets',
    'interest_of_assets',
  );
  const flowDays = nums('flow_days', 'annual_min', 'annual_max', 'quarter_max');
  return {
    version: text(file['version'], 'version'),
    coreModel: text(file['core_model'], 'core_model'),
    classificationVersion: text(file['classification_version'], 'classification_version'),
    referenceCovenantLtv: num('reference_covenant_ltv'),
    stressBands: nums('stress_bands', 'moderate', 'high', 'critical'),
    chargeBands: nums('charge_bands', 'elevated', 'critical'),
    stressCap: num('stress_cap'),
    breachBands: nums('breach_bands', 'medium', 'high'),
    breachHorizonYears: num('breach_horizon_years'),
    volatility: {
      ...nums('volatility', ...Object.keys(volatility)),
      other: number(volatility['other'], 'volatility.other'),
    },
    livePriceMaxAgeHours: num('live_price_max_age_hours'),
    priceCheck: num('price_check'),
    identityTolerance: num('identity_tolerance'),
    candidateDisagreement: num('candidate_disagreement'),
    principalExcess: num('principal_excess'),
    cryptoDisagreement: num('crypto_disagreement'),
    intangibleShareOfAssets: num('intangible_share_of_assets'),
    fairValueAdoption: text(value('fair_value_adoption'), 'fair_value_adoption'),
    anomalousAssetsRatio: num('anomalous_assets_ratio'),
    zeroDebt: {
      identifiedShare: zeroDebt.identified_share,
      liabilitiesOfAssets: zeroDebt.liabilities_of_assets,
      interestOfAssets: zeroDebt.interest_of_assets,
    },
    filingAgeDays: nums('filing_age_days', 'fresh', 'usable', 'unclassified'),
    qualityPoints: nums('quality_points', 'high', 'medium'),
    flowDays: {
      annualMin: flowDays.annual_min,
      annualMax: flowDays.annual_max,
      quarterMax: flowDays.quarter_max,
    },
    priceSourceOrder: list(value('price_source_order'), 'price_source_order').map((v) =>
      text(v, 'price_source_order'),
    ),
    priceLookbackDays: num('price_lookback_days'),
    priceConflict: num('price_conflict'),
    freshnessWindowHours: num('freshness_window_hours'),
    tower: towerThresholds(record(value('tower'), 'tower')),
  };
}

function towerThresholds(tower: Named<unknown>): Parameters['tower'] {
  const num = (key: string) => number(tower[key], `tower.${key}`);
  return {
    version: text(tower['version'], 'tower.version'),
    min_issuers: num('min_issuers'),
    isolated_max: num('isolated_max'),
    building_min: num('building_min'),
    synchronized_min: num('synchronized_min'),
    direction_band_7d: num('direction_band_7d'),
    high_stress_min: num('high_stress_min'),
    resonance_abs_m: num('resonance_abs_m'),
    tie_order: list(tower['tie_order'], 'tower.tie_order').map((v) => {
      if (v === 'rising' || v === 'stable' || v === 'falling') return v;
      throw refused('tower.tie_order', 'a list of rising, stable, falling');
    }),
  };
}

function record(v: unknown, name: string): Named<unknown> {
  if (typeof v === 'object' && v !== null && !Array.isArray(v)) return v as Named<unknown>;
  throw refused(name, 'an object');
}

function list(v: unknown, name: string): readonly unknown[] {
  if (Array.isArray(v)) return v;
  throw refused(name, 'a list');
}

function number(v: unknown, name: string): number {
  if (typeof v === 'number' && Number.isFinite(v)) return v;
  throw refused(name, 'a finite number');
}

function text(v: unknown, name: string): string {
  if (typeof v === 'string' && v !== '') return v;
  throw refused(name, 'a non-empty string');
}

function refused(name: string, wanted: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The parameter registry does not hold ${wanted} at ${name}.`,
    hint: 'Compare data/registry/parameters.json with METHODOLOGY M13.1.',
    details: { name },
  });
}
