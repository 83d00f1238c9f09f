import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteMeanings } from '../../data/contract/meanings/noteMeanings.ts';
import { figureReaches } from '../../data/contract/payloads/audit/figuresToCheck.ts';
import { handMadeTrail } from '../../fixtures/builders/handMadeTrail.ts';
import { parameters } from '../../fixtures/builders/issuerRow.ts';
import { reviewedRow } from '../../fixtures/builders/reviewedRow.ts';
import type { ResolutionTrail, TrailCheck } from '../trail/resolutionTrail.ts';
import { figureDoubts } from './figureDoubts.ts';
import { doubtingNotes } from './noteDoubts.ts';
import type { ReviewedIssuer, ReviewedRow } from './reviewedRow.ts';

/** Notes of a row that question no figure: what was measured, where it comes from, what the model leaves out. */
const quietNotes: readonly string[] = [
  'accession_placeholder',
  'acceptance_estimated',
  'cash_not_reported',
  'coins_gap',
  'coins_incidental',
  'coins_not_split',
  'companyfacts_behind',
  'debt_since_period',
  'dominant_asset',
  'exhibit_contradicts_body',
  'exhibit_missing',
  'face_order',
  'filing_age',
  'filing_date_statutory',
  'financial_institution',
  'gate_history_short',
  'includes_restricted_cash',
  'live_equals_filing',
  'live_overlay_on_cost_refused',
  'member_line',
  'mezzanine_equity_present',
  'mix_assumed',
  'negative_equity_nondebt',
  'newer_report_due',
  'no_crypto',
  'no_crypto_denominator',
  'outside_asu_2023_08',
  'own_z_partial',
  'price_mismatch',
  'regime_unavailable',
  'relevance_unknown',
  'reporting_currency',
  'related_party_line',
  'reporting_ended',
  'stress_saturated',
  // reported by `figures_lower_bound`
  'stress_untrusted',
  'tail_understated',
  'ticker_is_cik',
  'tier_same_at_cost_and_value',
  'unit_of_measure',
  'units_none',
  'units_quarantined',
  'units_scope_unknown',
  'units_stale',
  'units_stated',
  'unreadable_exhibit',
  'unranked',
  'z_universe_small',
];

const alone = (now: ReviewedRow): ReviewedIssuer => ({
  now,
  earlierFiling: null,
  nightBefore: null,
  contradicted: [],
});
const doubtsOf = (...issuers: ReviewedIssuer[]) => figureDoubts(issuers, parameters);

// FLD 2025-09-30 as companyfacts alone tells it: 60,750,183 of its debt is a concept of its own (M1.36b)
const withoutInstance = reviewedRow({
  debt: '21644139',
  stress50: 0.240908,
  riskTier: 'UNCLASSIFIED',
  basis: 'debt_unproven',
  notes: [
    'debt_candidates_disagree:21644139/82394322',
    'figures_lower_bound:debt',
    'stress_untrusted',
    'tier_depends_on_candidate:LOW/HIGH',
  ],
});

function failing(check: TrailCheck): ResolutionTrail {
  const trail = handMadeTrail();
  const [debt, coins] = trail.ratio.children;
  return { ...trail, ratio: { ...trail.ratio, children: [{ ...debt, checks: [check] }, coins] } };
}

describe('figures to check first (M13.11)', () => {
  it('lists nothing for a row without notes, failed checks or a past', () => {
    expect(doubtsOf(alone(reviewedRow({ trail: handMadeTrail() })))).toEqual([]);
  });

  it('holds the rival total of FLD against its tier, and says it once', () => {
    expect(doubtsOf(alone(withoutInstance))).toEqual([
      {
        ticker: 'FLD',
        cik: '0001889123',
        period: '2025-09-30',
        figure: 'debt',
        kind: 'debt_candidates_disagree',
        finding: 'two totals of debt fit the filing: 21,644,139 and 82,394,322',
        reach: 'another_tier',
        risk_tier: 'UNCLASSIFIED',
        stress_50pct: 0.240908,
        band: 'LOW',
        other_stress_50pct: 0.917082,
        other_band: 'HIGH',
        explain: 'issuer explain FLD --source-date 2025-11-19',
      },
    ]);
  });

  it.each([
    ['crypto_candidates_disagree:2304873/293180682', 'coins', 'from 2,304,873 to 293,180,682', 0.562072],
    ['liabilities_residual:8239432', 'debt', '8,239,432 of the liabilities', 1.00879],
    // 30 % a year at most 15 %: twice the debt
    [
      'implied_interest:0.3',
      'debt',
      '30 % of debt a year, above 15 %; such interest fits a debt of 164,788,644',
      1.834163,
    ],
    ['subsequent_debt:1000000', 'debt', '1,000,000 of debt is dated after', 0.928212],
    ['pledged_receivable:20311918', 'coins', '20,311,918 of coins at lenders', 0.823943],
    ['customer_coins:9295587', 'coins', '9,295,587 of the coins is owed to customers', 0.967112],
    ['inconsistent_duplicate:us-gaap:LongTermDebt', 'debt', 'us-gaap:LongTermDebt is filed twice', null],
    ['unit_price_mismatch', 'coins', 'do not fit the close', null],
    ['equity_not_reported', 'tier', 'equity is not filed', null],
  ])('reads %s with its numbers', (note, figure, finding, other) => {
    const [doubt, ...more] = doubtsOf(alone(reviewedRow({ notes: [note] })));
    expect(more).toEqual([]);
    expect(doubt).toMatchObject({ figure, kind: note.split(':')[0], other_stress_50pct: other });
    expect(doubt?.finding).toContain(finding);
  });

  it('says why a figure is a lower bound where no note has an amount', () => {
    const trail = handMadeTrail();
    const [debt, coins] = trail.ratio.children;
    const rungs = [{ rung: 'explicit_zero', taken: false, reason: 'no debt concept is filed' }];
    const ratio = { ...trail.ratio, children: [{ ...debt, rungs }, coins] } as const;
    const row = reviewedRow({
      debt: '0',
      stress50: 0,
      riskTier: 'UNCLASSIFIED',
      basis: 'debt_unproven',
      notes: ['figures_lower_bound:debt', 'stress_untrusted'],
      trail: { ...trail, ratio },
    });
    expect(doubtsOf(alone(row))).toMatchObject([
      { finding: 'debt of 0 is a lower bound: no debt concept is filed', reach: 'another_tier' },
    ]);
  });

  it('reads failed checks of the trail, a residual with its amount', () => {
    const residual = 'us-gaap:Liabilities of 106214000 is 8239432 above its items';
    const row = (check: TrailCheck) => alone(reviewedRow({ trail: failing(check) }));
    expect(doubtsOf(row({ check: 'M1.18b', result: 'fail', detail: residual }))).toMatchObject([
      {
        kind: 'calculation_residual',
        finding: 'us-gaap:Liabilities of 106,214,000 is 8,239,432 above its items',
        other_band: 'CRITICAL',
        reach: 'another_tier',
      },
    ]);
    const items = 'items add up to 99000000';
    expect(doubtsOf(row({ check: 'us-gaap:Liabilities', result: 'fail', detail: items }))).toMatchObject([
      { kind: 'calculation_residual', finding: `us-gaap:Liabilities: ${items}`, reach: 'unknown' },
    ]);
    expect(doubtsOf(row({ check: 'M1.18b', result: 'pass', detail: residual }))).toEqual([]);
  });

  it('tells a break of method between two filings and a jump of the share of coins', () => {
    const before = handMadeTrail();
    const [debt, coins] = before.ratio.children;
    const direct = { ...debt, method: 'direct_precedence', dataSource: 'direct_facts_fallback' };
    const earlierFiling = reviewedRow({
      period: '2025-06-30',
      sourceDate: '2025-08-31',
      debt: '21644139',
      stress50: 0.240908,
      riskTier: 'LOW',
      share: 0.6,
      trail: { ...before, ratio: { ...before.ratio, children: [direct, coins] } },
    });
    const now = reviewedRow({ trail: handMadeTrail() });
    expect(
      doubtsOf({ now, earlierFiling, nightBefore: null, contradicted: [] }).map((d) => [
        d.kind,
        d.finding,
        d.reach,
      ]),
    ).toEqual([
      [
        'method_break',
        '82,394,322 of debt comes from the calculation linkbase, the 21,644,139 of 2025-06-30 from single facts',
        'another_tier',
      ],
      ['share_jump', 'coins are 94.1 % of assets, 60.0 % on 2025-06-30', 'another_tier'],
    ]);
  });

  it('tells one filing that two nights read differently from one that changed', () => {
    const nightBefore = {
      ...withoutInstance,
      sourceDate: '2025-11-18',
      method: 'core-ltv-1.0 cls-1.1 params-1.1',
    };
    const changed = doubtsOf({ now: reviewedRow(), earlierFiling: null, nightBefore, contradicted: [] });
    expect(changed.map(({ kind, figure }) => `${kind} ${figure}`)).toEqual([
      'method_changed debt',
      'method_changed tier',
    ]);
    const refiled = { ...nightBefore, accession: '0001213900-25-000009' };
    expect(
      doubtsOf({ now: reviewedRow(), earlierFiling: null, nightBefore: refiled, contradicted: [] }),
    ).toEqual([]);
  });

  it('puts what could give another tier first, by tiers and ratio moved, and rows without a tier last', () => {
    const row = (ticker: string, more: Parameters<typeof reviewedRow>[0]) =>
      alone(reviewedRow({ ticker, ...more }));
    const low = { debt: '17968808', stress50: 0.2, riskTier: 'LOW' as const };
    const doubts = doubtsOf(
      row('NONE', { ...low, riskTier: 'UNCLASSIFIED', notes: ['liabilities_residual:99999999'] }),
      row('SAME', { ...low, notes: ['liabilities_residual:1000'] }),
      row('WORD', { ...low, notes: ['cyclic_network'] }),
      row('ONE', { ...low, notes: ['liabilities_residual:30000000'] }),
      row('THREE', { ...low, notes: ['liabilities_residual:80000000'] }),
    );
    expect(doubts.map(({ ticker, reach, other_band: other }) => `${ticker} ${reach} ${other}`)).toEqual([
      'THREE another_tier CRITICAL',
      'ONE another_tier MODERATE',
      'WORD unknown null',
      'SAME same_tier LOW',
      'NONE no_tier CRITICAL',
    ]);
  });

  it('tells a close once with the issuers it concerns, and none without coins', () => {
    const notes = ['close_missing:BTC:2026-02-07'];
    const row = (ticker: string, stated: object = {}) =>
      alone(reviewedRow({ ticker, cik: ticker.padStart(10, '0'), notes, ...stated }));
    const none = { crypto: '0', riskTier: 'UNCLASSIFIED' } as const;
    const doubts = doubtsOf(
      row('B'),
      row('A'),
      row('IBM', none),
      row('DDC', { ...none, basis: 'debt_unproven' }),
      row('OPEN', { ...none, basis: 'crypto_unproven' }),
      row('C', { notes: ['close_missing:ETH:2026-02-07'] }),
    );
    expect(doubts.map(({ ticker, finding, also_concerns: also }) => [ticker, finding, also])).toEqual([
      ['A', 'no source gives the close BTC of 2026-02-07', ['B', 'OPEN']],
      ['C', 'no source gives the close ETH of 2026-02-07', undefined],
    ]);
  });

  it('law: every line has a reason, and the order of the rows changes nothing', () => {
    const notes = fc.uniqueArray(
      fc.tuple(
        fc.constantFrom(...doubtingNotes, ...quietNotes),
        fc.constantFrom('', ':5000000', ':1/2', ':x'),
      ),
      { selector: ([name]) => name, maxLength: 6 },
    );
    const row = fc.record({
      cik: fc.integer({ min: 1, max: 10 }).map((n) => String(n).padStart(10, '0')),
      riskTier: fc.constantFrom('LOW' as const, 'UNCLASSIFIED' as const),
      basis: fc.constantFrom('resolved' as const, 'both_unproven' as const),
      notes: notes.map((found) => found.map(([name, value]) => `${name}${value}`)),
    });
    fc.assert(
      fc.property(fc.uniqueArray(row, { selector: ({ cik }) => cik }), fc.nat(), (rows, turn) => {
        const issuers = rows.map((stated) => alone(reviewedRow({ ...stated, ticker: `T${stated.cik}` })));
        const doubts = doubtsOf(...issuers);
        const at = turn % (issuers.length + 1);
        expect(doubtsOf(...issuers.slice(at).toReversed(), ...issuers.slice(0, at))).toEqual(doubts);
        for (const doubt of doubts) {
          expect(doubt.finding).not.toBe('');
          expect(doubt.explain).toContain(doubt.ticker);
        }
        const reaches = doubts.map(({ reach }) => figureReaches.indexOf(reach));
        expect(reaches).toEqual(reaches.toSorted((a, b) => a - b));
      }),
    );
  });

  it('knows every note of the vocabulary, as a doubt or as none (M13.3)', () => {
    const rules = readFileSync(new URL('../METHODOLOGY.md', import.meta.url), 'utf8');
    const vocabulary = rules.split('\n').find((line) => line.startsWith('- **M13.3**')) ?? '';
    const listed = [...vocabulary.matchAll(/`([a-z0-9_]+)(?::\*)?`/g)].map(([, name]) => name ?? '');
    const known = [...doubtingNotes, ...quietNotes];
    expect(listed.filter((name) => !known.includes(name) && name !== 'data_quality_notes')).toEqual([]);
    expect(known.filter((name) => doubtingNotes.includes(name) && quietNotes.includes(name))).toEqual([]);
  });
});

it('every note a row can carry has a meaning, one sentence each, and nothing else has', () => {
  expect(Object.keys(noteMeanings).sort()).toEqual([...doubtingNotes, ...quietNotes].sort());
  for (const [note, meaning] of Object.entries(noteMeanings))
    expect(`${note}: ${meaning}`).toMatch(/: [A-Z].{10,118}\.$/);
});
