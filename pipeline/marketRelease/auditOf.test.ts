import { describe, expect, it } from 'vitest';
import type { FactorRow, Factors } from '../../calculators/market/factors/factorRow.ts';
import { type EtfAudit, etfAudit } from '../../data/contract/payloads/market/etfAudit.ts';
import { contextOfWindows } from '../../fixtures/builders/contextOfWindows.ts';
import { marketRow } from '../../fixtures/builders/marketRow.ts';
import { auditProblems } from '../../serve/audit/marketChecks.ts';
import { auditOf } from './auditOf.ts';
import { latestOf } from './marketContext.ts';

const day = 86_400_000;
const calm = {
  pressure: 0.2,
  funding_annualized: 0.1,
  basis_bps: 5,
  oi_change_24h: 0.01,
  vol_ratio: 1,
  breadth: 0.6,
} satisfies Partial<Factors>;

/** A whole row of 2024-01-01 and the row of the day before, to which its deltas refer. */
function windowWith(
  given: Partial<Record<keyof typeof calm, number | null>> = {},
  more: Partial<FactorRow> = {},
): readonly [FactorRow, FactorRow] {
  const values = { ...calm, ...given };
  const row = marketRow({ pressure: values.pressure });
  const [one] = row.returns.rows;
  if (one === undefined) throw new RangeError('the sample row has no constituent');
  const attribution =
    values.pressure === null ? [] : [{ factor: 'basis_bps' as const, contribution: values.pressure }];
  const earlier = { ...row, start: row.start - day, sourceDate: '2023-12-31' };
  return [
    earlier,
    {
      ...row,
      previousStart: earlier.start,
      attribution,
      factors: { ...row.factors, ...values },
      returns: {
        rows: [{ ...one, weight: 1, return7d: 0.02, contribution: 0.02 }],
        perpReturn: 0.03,
        trackingResidual: 0.01,
      },
      ...more,
    },
  ];
}

/** The audit of a window's newest row, whole by its schema, in which the regression audit finds no problem. */
function auditWith(window: readonly [FactorRow, ...FactorRow[]]): EtfAudit {
  const context = contextOfWindows([window]);
  const [latest] = latestOf(context.facts, '1d');
  if (latest === undefined) throw new RangeError('the window has no row');
  const audit = auditOf(context, latest);
  const { factor_history: _, ...schema } = etfAudit.schema.shape;
  for (const [member, of] of Object.entries(schema)) {
    const parsed = of.safeParse((audit as Record<string, unknown>)[member]);
    expect([member, parsed.error?.issues]).toEqual([member, undefined]);
  }
  expect([...auditProblems(audit)]).toEqual([]);
  return audit;
}

const resultsOf = ({ threshold_flags: flags }: EtfAudit) =>
  Object.fromEntries(flags.map(({ metric, result }) => [metric, result]));

describe('the audit of a product (I2.63)', () => {
  it('is complete with a previous bucket, a pressure, its parts and contributions', () => {
    const audit = auditWith(windowWith());
    expect(audit).toMatchObject({
      audit_status: 'complete',
      previous_bucket: { status: 'available', bucket_utc: '2023-12-31T00:00:00Z' },
      pressure_attribution: {
        pressure_unrounded: 0.2,
        rows: [{ factor: 'basis_bps', contribution: 0.2 }],
      },
      constituent_contributions: { status: 'available', basis: 'returns', tracking_residual: 0.01 },
    });
    expect(audit.bucket_comparison['pressure']).toMatchObject({ current: 0.2, previous: 0.2 });
  });

  it('is partial without a previous bucket, which is then named unavailable and has nothing', () => {
    const [, row] = windowWith();
    expect(auditWith([{ ...row, previousStart: null }])).toMatchObject({
      audit_status: 'partial',
      previous_bucket: { status: 'unavailable', bucket_utc: null, factors: {}, evidence_hash: null },
      canonical_event: { canonical_event_status: 'not_confirmed' },
    });
  });

  it('is partial without returns of the constituents: weights alone attribute nothing', () => {
    const [earlier, row] = windowWith();
    const returns = { ...row.returns, perpReturn: null, trackingResidual: null };
    expect(auditWith([earlier, { ...row, returns }])).toMatchObject({
      audit_status: 'partial',
      constituent_contributions: { status: 'partial', basis: 'weights_only', tracking_residual: null },
      caveats: expect.arrayContaining(['weights_only_attribution']),
    });
  });

  it('is partial without a pressure, which has no parts and fails no threshold (M8.15)', () => {
    const [earlier, row] = windowWith({ pressure: null });
    const missing = { status: 'missing', reason: 'made for a test', meaning: 'made for a test' } as const;
    const coverage = { ...row.coverage, level_4_perp_dislocation: missing };
    const audit = auditWith([earlier, { ...row, coverage }]);
    expect(audit).toMatchObject({
      audit_status: 'partial',
      pressure_state: { pressure: null, market_state: 'insufficient_evidence' },
      pressure_attribution: { pressure_unrounded: null, rows: [] },
      canonical_event: { canonical_event_status: 'blocked', blockers: ['coverage_incomplete'] },
    });
    expect(resultsOf(audit)['pressure']).toBe('unavailable');
  });

  it('is partial once its row is older than 48 hours at the end of the slice (M8.7)', () => {
    const window = windowWith().map((row) => ({ ...row, start: row.start - 3 * day }));
    const [earlier, row] = window as [FactorRow, FactorRow];
    const old = { ...row, previousStart: earlier.start };
    expect(auditWith([earlier, old])).toMatchObject({
      audit_status: 'partial',
      current_bucket: { quality: { status: 'stale', row_age_minutes: 3 * 1440 } },
      canonical_event: { canonical_event_status: 'blocked', blockers: ['stale_factor_row'] },
    });
  });
});

describe('the event of an audit (M8.16)', () => {
  it.each([
    ['not_confirmed', {}, null, 0],
    ['watch', { basis_bps: 30 }, 'long_crowding', 1],
    ['watch', { funding_annualized: -0.3, oi_change_24h: 0.15, vol_ratio: 1.25 }, 'long_crowding', 3],
    ['confirmed', { pressure: 1.5, oi_change_24h: 0.15, breadth: 0.35 }, 'long_crowding', 3],
  ] as const)('is %s with %o', (status, given, type, passes) => {
    const audit = auditWith(windowWith(given));
    expect(audit.canonical_event).toMatchObject({ canonical_event_status: status, type, blockers: [] });
    expect(audit.event_classification).toEqual({ canonical_confirmed: status === 'confirmed' });
    expect(audit.quality_flags[0]).toBe(`event_${status}`);
    expect(Object.values(resultsOf(audit)).filter((result) => result === 'pass')).toHaveLength(passes);
  });

  it('is blocked by every blocker at once, each named, whatever passes', () => {
    const [earlier, row] = windowWith({ pressure: 3, basis_bps: 30, vol_ratio: 2 });
    const audit = auditWith([
      earlier,
      {
        ...row,
        quality: { ...row.quality, historyRows: 29, flags: ['weights_invalid'] },
        lineage: { ...row.lineage, registryEffectiveDate: null },
      },
    ]);
    expect(audit.canonical_event).toMatchObject({
      canonical_event_status: 'blocked',
      type: null,
      blockers: ['insufficient_history', 'registry_missing', 'weights_invalid'],
    });
    expect(audit.event_classification).toEqual({ canonical_confirmed: false });
    expect(resultsOf(audit)).toMatchObject({ pressure: 'pass', basis_bps: 'pass', vol_ratio: 'pass' });
  });

  it('has a flag for each threshold: pass, fail, or unavailable where nothing is observed', () => {
    const audit = auditWith(
      windowWith({ pressure: 1.499999, basis_bps: -25, oi_change_24h: null, vol_ratio: 1.25, breadth: null }),
    );
    expect(resultsOf(audit)).toEqual({
      pressure: 'fail',
      funding_annualized: 'fail',
      basis_bps: 'pass',
      oi_change_24h: 'unavailable',
      vol_ratio: 'pass',
      breadth: 'unavailable',
    });
    const evidence = 'ii://perp-factors/1d/2024-01-01/BTC-PERP-INTX';
    for (const flag of audit.threshold_flags) expect(flag.evidence_ref).toBe(evidence);
  });

  it('of a length without a row is no artifact: nothing is made up for it', () => {
    expect(latestOf(contextOfWindows([windowWith()]).facts, '1h')).toEqual([]);
  });
});
