import { describe, expect, it } from 'vitest';
import type { AuditRun } from '../../data/contract/payloads/audit/auditRun.ts';
import auditStatusExample from '../../data/contract/payloads/audit/auditStatus.example.json' with {
  type: 'json',
};
import { auditStatus } from '../../data/contract/payloads/audit/auditStatus.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { PeerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { kulr, naka } from '../../fixtures/rigs/auditSamples.ts';
import { exactJson } from './auditClient.ts';
import { auditHealth, auditStatusOf, auditWords } from './auditStatusOf.ts';
import { stressProblems } from './compositeChecks.ts';
import { fieldMapProblems, sameMembers } from './issuerChecks.ts';
import { alphaProblems, rankingProblems } from './scoreChecks.ts';

const nowMs = Date.parse('2026-02-07T10:00:00Z');

describe('health of an audit (M13.9, M15.59)', () => {
  // golden.json audit_cases: failed, historical, composite, age in hours → stale, status
  it.each([
    [0, 0, 0, 12, false, 'healthy'],
    [0, 0, 0, 36, false, 'healthy'],
    [0, 0, 0, 36.5, true, 'degraded'],
    [2, 0, 0, 1, false, 'degraded'],
    [0, 0, 1, 1, false, 'degraded'],
    [0, 1, 0, 1, false, 'degraded'],
  ] as const)(
    'with %i, %i, %i failures at %f hours is stale %s, %s',
    (failed, past, whole, hours, stale, status) => {
      const run = {
        finished_at_utc: '2026-02-07T10:00:00Z',
        freshness_window_hours: 36,
        failed_count: failed,
        historical_failed_count: past,
        composite_failed_count: whole,
      };
      expect(auditHealth(run, nowMs + hours * 3_600_000)).toMatchObject({ stale, status });
    },
  );

  it.each([
    [1935, 1772, 8, 'healthy, 8 % applicable'],
    [1935, 0, 100, 'healthy, 100 % applicable'],
    // one that could apply is not all, nor is it rounded up to a percent
    [1935, 1934, 0, 'healthy, 0 % applicable'],
  ])('of %i operations, %i not applicable, says how much it is about (I2.36)', (all, none, share, words) => {
    const run = {
      ...auditStatusExample,
      operation_count: all,
      not_applicable_count: none,
      finished_at_utc: '2026-02-07T10:00:00Z',
      source_date: '2026-02-07',
      release: '2026-02-07.1',
    } as unknown as AuditRun;
    const status = auditStatusOf({ run, bytes: 1, nowMs });
    expect(status).toMatchObject({
      applicable_pct: share,
      last_successful_run_utc: '2026-02-07T10:00:00Z',
      job: { name: 'issuer-serve audit', execution_name: '2026-02-07.1' },
    });
    expect(auditWords(status)).toBe(words);
    const failed = auditStatusOf({ run: { ...run, failed_count: 1 }, bytes: 1, nowMs });
    expect(failed).not.toHaveProperty('last_successful_run_utc');
  });

  it('is unavailable, stale and without counts when there is no run (I2.36)', () => {
    const status = auditStatusOf({ run: null, bytes: 0, nowMs });
    expect(auditStatus.parse(status)).toMatchObject({
      ok: false,
      stale: true,
      status: 'unavailable',
      issuer_count: 0,
      operation_count: 0,
    });
  });
});

describe('checks on published numbers', () => {
  const problems = (change: Partial<CovenantStress>) => [...stressProblems({ ...naka, ...change })];

  it('finds nothing in the golden NAKA row (M12.6, M12.11)', () => {
    expect(problems({})).toEqual([]);
  });

  it.each<[string, Partial<CovenantStress>, string]>([
    ['a ratio off by two in the sixth decimal', { stress_50pct: 0.659365 }, 'stress_50pct does not follow'],
    ['a headroom of another ratio', { covenant_headroom_50pct: 0.014405 }, 'covenant_headroom_50pct'],
    ['unproven figures with a tier', { figures_basis: 'debt_unproven' }, 'carry a tier (M15.64)'],
    [
      'incidental coins with a tier',
      { treasury_relevance: 'incidental' },
      'coins that are incidental (M3.25)',
    ],
    [
      'a cost that proves HIGH',
      { crypto_units_basis: 'carrying_value_lower_bound' },
      'a cost proves a tier other than LOW (M3.10b)',
    ],
    ['a total that is not its parts', { noncurrent_debt: 5 }, 'sum of its parts'],
    ['a charge level too mild', { charge_level: 'Low' }, 'charge_level is Low, not Elevated'],
    ['a tier upgraded', { risk_tier: 'MODERATE' }, 'risk_tier is MODERATE, not HIGH'],
    ['a notch without its reason', { risk_tier: 'CRITICAL' }, 'risk_tier is CRITICAL, not HIGH'],
    ['a live tier of another ratio', { live_risk_tier: 'HIGH' }, 'live_risk_tier is HIGH'],
  ])('finds %s', (_, change, problem) => {
    expect(problems(change).join('; ')).toContain(problem);
  });

  it('takes the live tier from the upper bound of the debt since where the note says so (M17.31)', () => {
    const since = {
      ...{ live_total_crypto_fair_value: 1_000_000, debt_since_high: 600_000 },
      data_quality_notes: ['debt_since_period'],
    };
    expect(problems({ ...since, live_risk_tier: 'CRITICAL' })).toEqual([]);
    expect(problems({ ...since, live_risk_tier: 'LOW' }).join()).toContain(
      'live_risk_tier is LOW, not CRITICAL',
    );
    expect(problems({ debt_since_high: 1, live_risk_tier: 'LOW' }).join()).toContain('live_risk_tier is LOW');
  });

  it('accepts the cap, no debt, and a notch with its reason (M3.3, M3.9)', () => {
    const none = { stress_30pct: 0, stress_50pct: 0, stress_70pct: 0 } as const;
    const free = { total_long_term_debt: 0, current_debt: 0, covenant_headroom_50pct: 1 };
    expect(problems({ ...none, ...free, charge_level: 'Low', risk_tier: 'LOW' })).toEqual([]);
    expect(problems({ risk_tier: 'CRITICAL', risk_tier_reasons: ['adverse_resonance'] })).toEqual([]);
  });

  it('recomputes the KULR score of METHODOLOGY M12.11 and finds a part that does not fit', () => {
    expect([...alphaProblems(kulr)]).toEqual([]);
    expect([...alphaProblems({ ...kulr, alpha_score: 79 })]).toEqual([
      'alpha_score is not the mean of its four components (M15.37)',
    ]);
    const treasury = {
      ...kulr.treasury_strength_breakdown,
      asset_ratio: 95,
      net_coverage: 95,
      disclosure: 100,
    };
    expect([...alphaProblems({ ...kulr, treasury_strength_breakdown: treasury })].join()).toContain('M15.38');
    const missing = { ...kulr.score_inputs, stress_data_status: 'missing' as const };
    expect([...alphaProblems({ ...kulr, score_inputs: missing })]).toEqual([
      'missing stress is rewarded (M15.39)',
    ]);
  });

  it('takes ranks that are a permutation and mid-rank percentiles (M4.3)', () => {
    const rank = (peer_rank: number, x: number, percentile: number) =>
      ({ peer_rank, stressed_leverage_50pct: x, percentile, peer_count: 3 }) as PeerRanking;
    // two zero-debt issuers tie: 100·(1 + 0.5·2)/3
    const all = [rank(1, 0.9, 16.67), rank(2, 0, 66.67), rank(3, 0, 66.67)];
    for (const row of all) expect([...rankingProblems(row, all)]).toEqual([]);
    const [first, second, third] = all;
    if (first === undefined || second === undefined || third === undefined) throw new Error('three rows');
    expect([...rankingProblems(rank(2, 0.9, 16.67), [rank(2, 0.9, 16.67), second, third])]).toEqual([
      'peer_rank is not the place of its stress',
      'peer_rank is given twice',
    ]);
    expect([...rankingProblems(rank(3, 0, 50), all)].join()).toContain('percentile is not 66.67');
  });

  it('bounds the curves of a field map (M15.54)', () => {
    const point = {
      date: '2026-02-06',
      E_total: 6.460894,
      R_s: -0.520888,
      delta_L: -0.044413,
      field_pressure: 0.799746,
      stored_energy: 0.534917,
      price_echo: 0.226291,
      compression: 0,
      release: 1,
      volume: null,
      current_read: null,
      read: null,
    };
    const found = (...points: object[]) => [...fieldMapProblems({ points } as never)];
    expect(found(point)).toEqual([]);
    expect(found(point, point)).toEqual(['2026-02-06 is out of order']);
    expect(found({ ...point, field_pressure: 1.2 }).join()).toContain('outside');
    expect(found({ ...point, compression: 1 }).join()).toContain('compression and release');
    expect(found({ ...point, E_total: 1 }).join()).toContain('2·|R_s|');
  });

  it('reads fractions back to the bytes they were hashed as, however small or long (I4.32)', () => {
    for (const text of [
      '{"a":0.0000001}',
      '{"a":1e-7}',
      '{"a":0.000095123456789012345678}',
      '{"a":0.659363}',
    ])
      expect(canonicalJson(exactJson(text) as CanonicalValue)).toBe(text);
  });

  it('compares rows with amounts a double cannot hold (M13.7, M10.8)', () => {
    const row = (amount: string) => exactJson(`{"amount":${amount},"ratio":0.5}`) as object;
    expect(sameMembers(row('9007199254740993'), row('9007199254740993'))).toBe(true);
    expect(sameMembers(row('9007199254740993'), row('9007199254740995'))).toBe(false);
    expect(sameMembers({ amount: null }, { amount: 0 })).toBe(false);
  });

  it('keeps the digits of amounts a double cannot hold (I4.32)', () => {
    const { amount, ratio } = exactJson('{"amount":9007199254740993,"ratio":0.659363}') as Record<
      string,
      unknown
    >;
    expect(String(amount)).toBe('9007199254740993');
    expect(ratio).toBe(0.659363);
  });
});
