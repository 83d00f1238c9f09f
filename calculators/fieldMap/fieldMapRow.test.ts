import { describe, expect, it } from 'vitest';
import { type CovenantStress, covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { ownZ } from '../standing/standings.ts';
import { fieldMapRow } from './fieldMapRow.ts';

const covenantRow: CovenantStress = {
  ...covenantStress.example,
  ap_z: 0,
  ecs_z: -0.087,
  lsi_z: -0.6784,
  mp_z: -0.1409,
  st_z: -0.1831,
  live_ap_z: 0,
  live_ecs_z: -0.0607,
  live_lsi_z: -0.6766,
  live_mp_z: 2.5755,
  live_st_z: 0.4899,
  stress_50pct: 0.223313,
  live_stress_50pct: 0.36401,
  total_crypto_fair_value: ExactDecimal.parse('73205725000'),
  live_total_crypto_fair_value: ExactDecimal.parse('44910279061'),
};

describe('fieldMapRow (M9.2)', () => {
  it('reads live values where the row has them', () => {
    // MSTR on 2026-02-07 (M12.11)
    expect(fieldMapRow({ ...covenantRow, uses_live_prices: true }, [])).toMatchObject({
      stZ: 0.4899,
      ownZ: -0.2053,
      mpZ: 2.5755,
      stress: 0.36401,
      priceIndex: 44_910_279_061 / 73_205_725_000,
    });
  });

  it('reads filing values where it has none, and then no price index', () => {
    expect(fieldMapRow({ ...covenantRow, uses_live_prices: false }, [])).toMatchObject({
      stZ: -0.1831,
      ownZ: -0.1971,
      mpZ: -0.1409,
      stress: 0.223313,
      priceIndex: null,
    });
  });

  it('keeps z-scores of a small universe missing', () => {
    const { ap_z: _ap, ecs_z: _ecs, lsi_z: _lsi, st_z: _st, ...small } = covenantRow;
    expect(fieldMapRow({ ...small, uses_live_prices: false }, [])).toMatchObject({ ownZ: null, stZ: null });
  });
});

describe('ownZ (M3.16)', () => {
  it('is the mean of the components that are there, half up at 4 decimals', () => {
    expect(ownZ({ ap: 2.9201, ecs: 0.2358, lsi: 1.9053 })).toBe(1.5299);
    expect(ownZ({ ap: -0.6153, ecs: null, lsi: null })).toBe(-0.6153);
    expect(ownZ({ ap: 0.0001, ecs: null, lsi: 0 })).toBe(0.0001);
    expect(ownZ({ ap: null, ecs: null, lsi: null })).toBeNull();
  });
});
