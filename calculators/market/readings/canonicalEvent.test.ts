import { describe, expect, it } from 'vitest';
import { marketRow } from '../../../fixtures/builders/marketRow.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import type { FactorRow } from '../factors/factorRow.ts';
import { canonicalEvent } from './canonicalEvent.ts';
import { latestQuality } from './qualityWarnings.ts';
import { thresholdContract, thresholdFlags } from './thresholdFlags.ts';

const parameters = registryParameters;
const calm = {
  pressure: 0.2,
  funding_annualized: 0.1,
  basis_bps: 5,
  oi_change_24h: 0.01,
  vol_ratio: 1,
  breadth: 0.6,
};

function rowWith(given: Partial<Record<keyof typeof calm, number | null>>, more: Partial<FactorRow> = {}) {
  const values = { ...calm, ...given };
  const row = marketRow({ pressure: values.pressure, ...more });
  return { ...row, factors: { ...row.factors, ...values } };
}
const flagsOf = (row: FactorRow | null) =>
  thresholdFlags(row?.factors ?? null, { parameters, evidenceRef: 'ii://perp-factors' });
const eventOf = (row: FactorRow | null, at = Date.parse('2024-01-02T00:00:00Z')) =>
  canonicalEvent(row, {
    quality: row === null ? null : latestQuality(row, { at, parameters }),
    flags: flagsOf(row),
    parameters,
  });

describe('the threshold contract (M8.15)', () => {
  it('is pc-1.0 with six rows', () => {
    const { version, rows } = thresholdContract(parameters);
    expect(version).toBe('pc-1.0');
    expect(rows.map(({ metric, operator, threshold, unit }) => [metric, operator, threshold, unit])).toEqual([
      ['pressure', '>=', 1.5, 'z'],
      ['funding_annualized', 'abs>=', 0.3, 'fraction per year'],
      ['basis_bps', 'abs>=', 25, 'bp'],
      ['oi_change_24h', '>=', 0.15, 'fraction'],
      ['vol_ratio', '>=', 1.25, 'ratio'],
      ['breadth', '<=', 0.35, 'fraction of weight'],
    ]);
  });

  it.each([
    ['pressure', 1.5, 1.499999],
    ['funding_annualized', 0.3, 0.299999],
    ['funding_annualized', -0.3, -0.299999],
    ['basis_bps', 25, 24.999999],
    ['basis_bps', -25, -24.999999],
    ['oi_change_24h', 0.15, 0.149999],
    ['oi_change_24h', 0.15, -0.15],
    ['vol_ratio', 1.25, 1.249999],
    ['breadth', 0.35, 0.350001],
  ] as const)('%s passes at %d, fails at %d and is unavailable without a value', (metric, passes, fails) => {
    const result = (value: number | null) =>
      flagsOf(rowWith({ [metric]: value })).find((flag) => flag.metric === metric)?.result;
    expect([result(passes), result(fails), result(null)]).toEqual(['pass', 'fail', 'unavailable']);
  });

  it('has no observation without a row', () => {
    expect(flagsOf(null).map(({ observed, result }) => [observed, result])).toEqual(
      Array(6).fill([null, 'unavailable']),
    );
  });

  it('is refused when it names what is no factor', () => {
    const perps = {
      ...parameters.perps,
      thresholdContract: [{ thresholdId: 'mood', operator: '>=' as const, threshold: 1 }],
    };
    expect(() => thresholdContract({ ...parameters, perps })).toThrow(
      'the threshold mood is about no factor',
    );
  });
});

describe('the canonical event (M8.16)', () => {
  it.each([
    ['not_confirmed', {}, null, '0 of 6 thresholds pass.'],
    ['not_confirmed', { basis_bps: null, breadth: null }, null, '0 of 6 thresholds pass, 2 are unavailable.'],
    ['watch', { basis_bps: 30 }, 'long_crowding', '1 of 6 thresholds passes (basis_bps); an event needs 3'],
    [
      'watch',
      { basis_bps: 30, funding_annualized: null },
      'long_crowding',
      '1 of 6 thresholds passes (basis_bps), 1 is unavailable; an event needs 3, pressure among them.',
    ],
    [
      'watch',
      { pressure: 1.6, vol_ratio: 1.3 },
      'long_crowding',
      '2 of 6 thresholds pass (pressure, vol_ratio); an',
    ],
    [
      'watch',
      { basis_bps: 30, vol_ratio: 1.3, oi_change_24h: 0.2, breadth: 0 },
      'long_crowding',
      '4 of 6 thresholds pass (basis_bps, oi_change_24h, vol_ratio, breadth); an event needs 3, pressure among them.',
    ],
    [
      'confirmed',
      { pressure: 1.6, basis_bps: 30, vol_ratio: 1.3 },
      'long_crowding',
      '3 of 6 thresholds pass (pressure, basis_bps, vol_ratio).',
    ],
  ] as const)('is %s with %o', (status, given, type, reason) => {
    const event = eventOf(rowWith(given));
    expect(event).toMatchObject({ canonical_event_status: status, type, blockers: [] });
    expect(event.reason).toContain(reason);
  });

  it('names the side that is crowded and the state it belongs to', () => {
    const groups = { carry: -1, positioning: 2, market: 3 };
    const row = rowWith({ pressure: 1.6, basis_bps: -30, vol_ratio: 1.3 }, { groups });
    expect(eventOf(row)).toMatchObject({ type: 'short_crowding', linked_state: 'elevated' });
  });

  it('is unavailable without a row', () => {
    expect(eventOf(null)).toMatchObject({
      canonical_event_status: 'unavailable',
      linked_state: null,
      blockers: [],
    });
  });

  it('is blocked by each blocker, whatever passes', () => {
    const whole = rowWith({ pressure: 3, basis_bps: 30, vol_ratio: 2 });
    const missing = { status: 'missing', reason: 'none', meaning: '' } as const;
    const cases: readonly (readonly [string, FactorRow, number?])[] = [
      ['coverage_incomplete', { ...whole, coverage: { ...whole.coverage, level_2_public_market: missing } }],
      ['stale_factor_row', whole, Date.parse('2024-01-04T00:01:00Z')],
      ['insufficient_history', { ...whole, quality: { ...whole.quality, historyRows: 29 } }],
      ['registry_missing', { ...whole, lineage: { ...whole.lineage, registryEffectiveDate: null } }],
      ['weights_invalid', { ...whole, quality: { ...whole.quality, flags: ['weights_invalid'] } }],
    ];
    for (const [blocker, row, at] of cases)
      expect(eventOf(row, at)).toMatchObject({
        canonical_event_status: 'blocked',
        blockers: [blocker],
        type: null,
        reason: `Not judged: ${blocker}.`,
      });
  });
});
