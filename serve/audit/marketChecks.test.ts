import { describe, expect, it } from 'vitest';
import { etfAudit } from '../../data/contract/payloads/market/etfAudit.ts';
import { type PerpRankingRow, perpRankings } from '../../data/contract/payloads/market/perpRankings.ts';
import { auditProblems, pressureProblems, rankedProblems } from './marketChecks.ts';

const [example] = perpRankings.example.data;
if (example === undefined) throw new Error('the example ranks a product');

const ranked = (
  rank: number | null,
  pressure: number | null,
  more: Partial<PerpRankingRow> = {},
): PerpRankingRow => ({
  ...example,
  rank,
  factors: { ...example.factors, pressure },
  ranking_score: pressure === null ? 0 : 50 + 20 * pressure,
  ranking_band: pressure === null ? 'insufficient_evidence' : 'balanced',
  ...more,
});

describe('the ranking of products, checked by its own numbers', () => {
  it('takes scores of 50 + 20 P in order, with what cannot be ranked last (M8.17, M8.18)', () => {
    expect([...rankedProblems([ranked(1, 0.5), ranked(2, -0.2), ranked(null, null)])]).toEqual([]);
    expect([...rankedProblems([ranked(1, null)])]).not.toEqual([]);
  });

  it.each<[string, PerpRankingRow[], string]>([
    ['a place that is no rank', [ranked(2, 0.5)], 'has rank 2 in place 1'],
    ['an order against the score', [ranked(1, -0.2), ranked(2, 0.5)], 'behind a lower ranking_score'],
    ['a score of another pressure', [ranked(1, 0.5, { ranking_score: 61 })], 'not 60 (M8.17)'],
    ['a rank without evidence', [ranked(1, null, { ranking_band: 'relief' })], 'ranked without a pressure'],
  ])('finds %s', (_, rows, problem) => {
    expect([...rankedProblems(rows)].join('; ')).toContain(problem);
  });
});

describe('the pressure read of a product, beside its ranked row', () => {
  const { pressure_state: shown } = etfAudit.example;
  const state = { ...shown, pressure: 0.21, market_state: 'balanced' as const };

  it('is the same pressure under the same name', () => {
    expect([...pressureProblems(state, ranked(1, 0.21))]).toEqual([]);
    expect([...pressureProblems(state, ranked(1, 0.22))].join()).toContain('0.22 in the ranking');
  });

  it('has a state exactly where it has a pressure (M8.10)', () => {
    const none = { ...state, pressure: null };
    expect([...pressureProblems(none, ranked(1, null))].join()).toContain('pressure null is called balanced');
    const unknown = { ...none, market_state: 'insufficient_evidence' as const };
    expect([...pressureProblems(unknown, ranked(1, null))]).toEqual([]);
  });

  it('keeps the state of a stale row, which the ranking puts last (M8.18)', () => {
    const stale = ranked(1, 0.21, {
      ranking_band: 'insufficient_evidence',
      ranking_score: 0,
      quality: { ...example.quality, status: 'stale' },
    });
    expect([...pressureProblems(state, stale)]).toEqual([]);
  });
});

describe('the audit of a product, checked by its own numbers', () => {
  const { example: sound } = etfAudit;

  it('accepts the example of the contract', () => {
    expect([...auditProblems(sound)]).toEqual([]);
  });

  it('finds an attribution that does not sum to the pressure (M15.50)', () => {
    const pressure_attribution = { ...sound.pressure_attribution, pressure_unrounded: 9 };
    expect([...auditProblems({ ...sound, pressure_attribution })].join()).toContain('(M15.50)');
  });

  it('finds a flag that does not follow from what was observed, and a missing one (M8.15)', () => {
    const [first, ...others] = sound.threshold_flags;
    if (first === undefined) throw new Error('the example has a flag');
    const changed = { ...first, observed: first.threshold, result: 'unavailable' as const };
    const wrong = { ...sound, threshold_flags: [changed, ...others] };
    expect([...auditProblems(wrong)].join()).toContain('is unavailable, not pass (M8.15)');
    expect([...auditProblems({ ...sound, threshold_flags: others })].join()).toContain('has no flag');
  });

  it('finds an event that contradicts its blockers or its passes (M8.16)', () => {
    const event = { ...sound.canonical_event, canonical_event_status: 'confirmed' as const, blockers: [] };
    const problems = [...auditProblems({ ...sound, canonical_event: event })].join('; ');
    expect(problems).toContain('the event is confirmed');
    expect(problems).toContain('canonical_confirmed contradicts');
    const blocked = { ...event, blockers: ['stale_factor_row'] };
    expect([...auditProblems({ ...sound, canonical_event: blocked })].join()).toContain('with 1 blockers');
  });
});
