import type { ReadinessArtifact } from '../../data/contract/payloads/universe/readiness.ts';
import * as e from '../../data/contract/values/enums.ts';
import { list, type Named, number, type RegistryReader, refused, text } from './registryReader.ts';

/** Weights and tables of the alpha score, the board and the tower (METHODOLOGY section 5). */
export function alphaParameters({ num, numbers, record, table }: RegistryReader) {
  return {
    alpha: {
      weights: {
        stressResilience: table('alpha_stress_resilience_weights', [
          'inverse_live_stress',
          'delta_stability_proxy',
          'debt_buffer_strength',
          'treasury_cushion',
        ]),
        regimeFit: table('alpha_regime_fit_weights', [
          'stress_alignment',
          'peer_relative_strength',
          'treasury_regime_bonus',
          'tower_participation_modifier',
        ]),
        treasuryStrength: table('alpha_treasury_strength_weights', [
          'asset_ratio',
          'net_coverage',
          'disclosure',
        ]),
      },
      coverage: table('alpha_coverage_points', e.debtCoverages),
      source: table('alpha_source_points', e.dataSources),
      quality: table('alpha_quality_points', e.qualityFlags),
      disclosure: table('alpha_disclosure_points', e.cryptoUnitsBases),
      /** τ: the stress_50 a regime tolerates (M5.5). */
      toleratedStress: table('alpha_tolerated_stress', e.marketRegimes),
      /** B: the percent of treasury strength a regime lets count (M5.7). */
      regimeBonus: table('alpha_regime_bonus', e.marketRegimes),
      deltaScale: num('alpha_delta_scale'),
      /** stress_70 at which the buffer is empty and full (M5.4). */
      debtBuffer: numbers('alpha_debt_buffer', 'empty', 'full'),
      resonance: numbers('alpha_resonance', 'points', 'absM'),
      unrankedPeerScore: num('alpha_unranked_peer_score'),
      towerModifier: numbers(
        'alpha_tower_modifier',
        'oscillator',
        'falling',
        'stable',
        'rising',
        'risingWithCluster',
        'unknown',
      ),
      treasuryClass: numbers('alpha_treasury_class', 'strong', 'moderate'),
      posture: numbers('alpha_posture', 'resilienceCandidate', 'regimeDependent'),
    },
    dominantAsset: numbers('dominant_asset', 'dominantShare', 'mixedShare'),
    boardMaxAgeDays: num('board_max_age_days'),
    tower: towerThresholds(record('tower')),
  };
}

export type AlphaParameters = Readonly<ReturnType<typeof alphaParameters>>;

function towerThresholds(tower: Named<unknown>): ReadinessArtifact['tower_thresholds'] {
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
