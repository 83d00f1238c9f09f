import { describe, expect, it } from 'vitest';
import { IssuerError } from '../contract/issuerError.ts';
import { towerThresholds } from '../contract/readiness.ts';
import registry from '../data/registry/parameters.json' with { type: 'json' };
import { parseParameters } from './parameters.ts';

describe('parameter registry (M13.1)', () => {
  const parameters = parseParameters(registry);

  it('holds params-1.1 with the values of the methodology', () => {
    expect(parameters).toMatchObject({
      version: 'params-1.1',
      coreModel: 'core-ltv-1.0',
      classificationVersion: 'cls-1.1',
      referenceCovenantLtv: 0.65,
      stressBands: { moderate: 0.5, high: 0.65, critical: 1 },
      chargeBands: { elevated: 0.5, critical: 0.83 },
      stressCap: 1000,
      breachBands: { medium: 0.05, high: 0.25 },
      volatility: { BTC: 0.6, ETH: 0.75, SOL: 0.9, LTC: 0.8, other: 1 },
      livePriceMaxAgeHours: 36,
      filingAgeDays: { fresh: 135, usable: 200, unclassified: 400 },
      priceSourceOrder: ['cryptocompare', 'coingecko', 'yahoo'],
    });
  });

  it('publishes the tower thresholds verbatim (M5.15)', () => {
    expect(towerThresholds.parse(parameters.tower)).toEqual({
      version: 'tower-1.0',
      min_issuers: 12,
      isolated_max: 0.4,
      building_min: 0.4,
      synchronized_min: 0.7,
      direction_band_7d: 0.05,
      high_stress_min: 0.65,
      resonance_abs_m: 1,
      tie_order: ['rising', 'stable', 'falling'],
    });
  });

  it.each([
    ['null', null, 'the file'],
    ['an empty object', {}, 'parameters'],
    [
      'a threshold of another type',
      withEntry('stress_cap', { value: '1000', rule: 'M3.3', source: 's' }),
      'stress_cap',
    ],
    [
      'an entry without its source',
      withEntry('stress_cap', { value: 1000, rule: 'M3.3' }),
      'stress_cap.source',
    ],
    ['a missing entry', withEntry('price_check', undefined), 'price_check'],
    [
      'an unknown direction',
      withEntry('tower', {
        ...registry.parameters.tower,
        value: { ...registry.parameters.tower.value, tie_order: ['up'] },
      }),
      'tower.tie_order',
    ],
  ])('refuses %s and names where', (_, json, name) => {
    let refusal: unknown;
    try {
      parseParameters(json);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(IssuerError);
    expect(refusal).toMatchObject({ code: 'validation_failed', details: { name } });
  });
});

function withEntry(name: string, entry: unknown) {
  return { ...registry, parameters: { ...registry.parameters, [name]: entry } };
}
