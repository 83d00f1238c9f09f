import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { briefProblems } from '../../data/contract/payloads/reports/briefProblems.ts';
import { briefStyles, coreTiers } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { briefSourcesOf, issuerSourcesOf } from '../../fixtures/builders/briefSourcesOf.ts';
import { goldenContext, goldenDate, gradedPosition } from '../../fixtures/builders/goldenSlice.ts';
import { composeGraded, type Slice } from '../composeSlice.ts';
import type { GradedPosition } from '../position/gradePosition.ts';
import type { BriefSources } from './briefEvidence.ts';
import { type BriefEvidence, compileBrief } from './compileBrief.ts';
import { covenantEvidence } from './covenantEvidence.ts';
import { morningEvidence } from './morningEvidence.ts';
import { topStressedEvidence } from './sliceEvidence.ts';

const context = await goldenContext();
const usd = (value: bigint) => new ExactDecimal(value, 0);
const money = fc.oneof(
  fc.constant(usd(0n)),
  fc.bigInt({ min: 1n, max: 2000n }).map(usd),
  fc.bigInt({ min: 999_000n, max: 1_000_500n }).map(usd),
  fc.bigInt({ min: 0n, max: 10n ** 12n }).map(usd),
);
const names = fc.constantFrom(
  'Strategy Inc',
  '<script>alert(1)</script> Holdings',
  '**Bold** _Coins_ `Inc` [link](https://example.com)',
  'שטרות מזומן בע״מ ١٢٣',
  'Best Buy & Sell Guarantee Corp',
  'Sphere 3D Corp 2030 5%',
  'Target Price Will Rise, Inc.',
  `${'Very Long Name Of A Company '.repeat(8)}`,
  'https://evil.example/ www.evil.example',
  '# Heading\\n## Next Checks',
  'HIGH CRITICAL LOW Ltd',
);
const labels = fc.constantFrom(
  'AA',
  'A',
  'I',
  'LOW',
  'HIGH',
  'MB',
  'B',
  'K',
  'M',
  'BRK.B',
  '0001234567',
  'X3',
  'V',
  'USD',
);
const figures = fc.record({
  name: names,
  label: labels,
  debt: money,
  crypto: money,
  assets: fc.option(money),
  equity: fc.option(money),
  liabilities: fc.option(money),
  cash: fc.option(money),
  asset: fc.constantFrom('BTC', 'ETH', 'SOL', 'NONE'),
  coreTier: fc.constantFrom(...coreTiers),
  quality: fc.constantFrom('High' as const, 'Medium' as const, 'Low' as const),
  period: fc.constantFrom('2025-09-30', '2025-06-30', '2024-12-31', '2023-12-31'),
  basis: fc.constantFrom('reported_quantity' as const, 'carrying_value_lower_bound' as const),
  isProven: fc.constantFrom(true, true, true, false),
});
type Figures = typeof figures extends fc.Arbitrary<infer F> ? F : never;

function position(f: Figures, n: number): GradedPosition {
  const stated = gradedPosition({
    ticker: n === 0 ? f.label : `T${n}`,
    cik: String(n + 1).padStart(10, '0'),
    period: f.period,
    currentDebt: usd(0n),
    noncurrentDebt: f.isProven ? f.debt : usd(0n),
    crypto: f.crypto,
    assets: f.assets,
    equity: f.equity,
    currentLiabilities: f.liabilities,
    cash: f.cash,
    mix: f.crypto.sign > 0 ? [{ asset: f.asset, amount: f.crypto }] : [],
    dataSource: 'linkbase_rollup',
    quality: f.quality,
    coreTier: f.coreTier,
    issuerType: 'operating_company',
    coverage: f.isProven
      ? f.debt.sign > 0
        ? 'resolved_nonzero'
        : 'legitimate_zero_debt'
      : 'low_confidence_missing_debt',
    basis: f.basis,
  });
  return { ...stated, issuer: { ...stated.issuer, entityName: f.name } };
}

const compose = (positions: readonly GradedPosition[]) => composeGraded(positions, { context, history: [] });
const ofFigures = (some: readonly Figures[]) => compose(some.map(position));

/** A night on which every issuer filed anew, some figures were unknown before, and tiers moved. */
function nightOf(slice: Slice): NonNullable<BriefSources['changes']> {
  const rows = slice.covenantRows;
  return {
    request_key: 'latest_daily_changes',
    source_date: goldenDate,
    computed_at_utc: '2026-02-08T07:12:40Z',
    stats: { changed_company_count: rows.length, new_company_count: 1, total_delta_size: 4711 },
    comparison_source_date: '2026-02-06',
    freshness_summary: { baseline_source_date: '2026-02-06', gate_passed: true, gate_reasons: [] },
    alpha_change_leaders: rows.map(({ ticker, cik }, i) => ({
      ticker,
      cik,
      entity_name: ticker,
      field: 'alpha_score' as const,
      prior_value: i === 1 ? null : 40,
      new_value: 60 + (i % 30),
      delta: i === 1 ? null : 20 + (i % 30),
    })),
    risk_tier_moves: rows
      .filter((_, i) => i % 2 === 0)
      .map(({ ticker, cik, risk_tier }) => ({
        ticker,
        cik,
        entity_name: ticker,
        direction: 'up' as const,
        prior_tier: risk_tier === 'LOW' ? ('HIGH' as const) : ('LOW' as const),
        new_tier: risk_tier,
      })),
    movement_summary: {
      new_filings_in_force: rows.map(({ ticker, cik, period }, i) => ({
        ticker,
        cik,
        entity_name: ticker,
        filing_form: '10-Q',
        period: period ?? '',
        accession_number: `0001193125-26-${String(i).padStart(6, '0')}`,
        filing_url: null,
      })),
      moved_figures: rows.map(({ ticker, cik, total_long_term_debt: debt }, i) => ({
        ticker,
        cik,
        field: 'total_long_term_debt' as const,
        new_value: debt as ExactDecimal,
        prior_value: i % 3 === 0 ? null : usd(1_234_567n),
        accession_number: `0001193125-26-${String(i).padStart(6, '0')}`,
        prior_accession_number: null,
      })),
      moved_facilities: [],
      capital_moves: [],
      method_changed: rows.slice(0, 1).map(({ ticker, cik }) => ({ ticker, cik })),
      issuers_entered: rows.slice(-1).map(({ ticker, cik }) => ({ ticker, cik })),
      issuers_left: [{ ticker: 'GONE', cik: '0009999999' }],
      risk_tier_move_count: 1,
    },
  } as unknown as NonNullable<BriefSources['changes']>;
}

function evidences(slice: Slice, o: { limit: number; isChanged: boolean }): BriefEvidence[] {
  const changes = o.isChanged ? nightOf(slice) : null;
  const sources = briefSourcesOf(slice, { sourceDate: goldenDate, changes });
  return [
    morningEvidence(sources, o.limit),
    topStressedEvidence(sources, o.limit),
    ...slice.issuers.map((result) => covenantEvidence(sources, issuerSourcesOf(slice, result))),
  ];
}

describe('briefs', () => {
  it('of any slice hold no number that their evidence lacks, and break no rule (M15.58, I2.44)', () => {
    const some = fc.array(figures, { minLength: 0, maxLength: 4 });
    fc.assert(
      fc.property(
        some,
        fc.constantFrom(5, 10, 25),
        fc.constantFrom(...briefStyles),
        fc.boolean(),
        (issuers, limit, style, isChanged) => {
          for (const evidence of evidences(ofFigures(issuers), { limit, isChanged })) {
            const text = compileBrief(evidence, style);
            expect(briefProblems({ text, evidence, kind: evidence.brief, style })).toEqual([]);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('are a function of their evidence, whatever the order of its members (M15.58)', () => {
    fc.assert(
      fc.property(fc.array(figures, { minLength: 1, maxLength: 3 }), (issuers) => {
        for (const evidence of evidences(ofFigures(issuers), { limit: 10, isChanged: true })) {
          const turned = JSON.parse(JSON.stringify(evidence, null, 1)) as BriefEvidence;
          expect(compileBrief(turned, 'detailed')).toBe(compileBrief(evidence, 'detailed'));
        }
      }),
      { numRuns: 20 },
    );
  });

  it.each([1, 500])('of %i issuers fit every style', (count) => {
    const [sample] = fc.sample(fc.array(figures, { minLength: count, maxLength: count }), {
      numRuns: 1,
      seed: 7,
    });
    const slice = ofFigures(sample ?? []);
    const [morning, top] = evidences(slice, { limit: 25, isChanged: true });
    for (const evidence of [morning, top])
      for (const style of briefStyles) {
        if (evidence === undefined) throw new RangeError('a slice has both briefs');
        const text = compileBrief(evidence, style);
        expect(briefProblems({ text, evidence, kind: evidence.brief, style })).toEqual([]);
      }
  });
});
