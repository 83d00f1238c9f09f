import { type Named, number, type RegistryReader } from './registryReader.ts';

/** Thresholds of stress, z-scores, resonance, the live overlay and the regime (METHODOLOGY section 3). */
export function stressParameters({ num, numbers, record, texts }: RegistryReader) {
  return {
    referenceCovenantLtv: num('reference_covenant_ltv'),
    stressBands: numbers('stress_bands', 'moderate', 'high', 'critical'),
    chargeBands: numbers('charge_bands', 'elevated', 'critical'),
    stressCap: num('stress_cap'),
    /** Caps of the ratios inside ln(1 + x) (M3.13). */
    indicatorCaps: numbers('indicator_caps', 'ap', 'lsi'),
    breachBands: numbers('breach_bands', 'medium', 'high'),
    breachHorizonYears: num('breach_horizon_years'),
    volatility: volatilityTable(record('volatility')),
    livePriceMaxAgeHours: num('live_price_max_age_hours'),
    /** Relative seven-day change of stress from which it is rising or falling (M3.19). */
    velocityBand: num('velocity_band'),
    /** Adverse resonance from these z on makes a tier one notch worse (M3.9). */
    notch: numbers('notch', 'ownZ', 'mp'),
    robustZ: numbers('robust_z', 'madScale', 'meanDeviationScale', 'clip', 'minIssuers'),
    marketPressure: numbers('market_pressure', 'returnDays', 'windowDays', 'minDays'),
    resonanceAbsM: num('resonance_abs_m'),
    regime: {
      synchronization: numbers('regime_synchronization', 'correlation', 'volatilityRatio'),
      trend: numbers('regime_trend', 'momentum', 'volatilityRatio'),
      ...numbers(
        'regime_windows',
        'minCloses',
        'shortVolatilityDays',
        'longVolatilityDays',
        'momentumDays',
        'averageDays',
        'correlationDays',
        'confirmationDays',
        'daysPerYear',
      ),
      basket: texts('regime_basket'),
    },
  };
}

export type StressParameters = Readonly<ReturnType<typeof stressParameters>>;

/** Annual volatility by asset symbol; `other` is the rest. */
function volatilityTable(table: Named<unknown>): Named<number> & { readonly other: number } {
  const pairs = Object.entries(table).map(([asset, v]) => [asset, number(v, `volatility.${asset}`)]);
  return {
    ...(Object.fromEntries(pairs) as Named<number>),
    other: number(table['other'], 'volatility.other'),
  };
}
