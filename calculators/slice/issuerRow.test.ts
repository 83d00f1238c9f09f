import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { goldenCloses } from '../../fixtures/builders/goldenIssuers.ts';
import { filedFact, type InputsOf, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { alone, context, k, parameters, rowOf, strategy } from '../../fixtures/builders/issuerRow.ts';
import { priceBook } from '../prices/priceBook.ts';

describe('the row of MSTR on 2026-02-07', () => {
  it('holds filing values, live overlay and provenance (M12.2, M12.11)', () => {
    expect(rowOf(strategy)).toEqual({
      source_date: '2026-02-07',
      cik: '0001050446',
      ticker: 'MSTR',
      entity_name: 'Strategy Inc',
      accession_number: '0001193125-25-262568',
      filing_url:
        'https://www.sec.gov/Archives/edgar/data/1050446/000119312525262568/0001193125-25-262568-index.htm',
      filing_form: '10-Q',
      period: '2025-09-30',
      filed: '2025-11-03',
      filing_age_days: 130,
      next_report_due: '2026-03-31',
      current_reports: null,
      current_reports_missing: 'submissions_not_at_hand',
      computed_at_utc: '2026-02-08T07:12:40Z',
      core_model: 'core-ltv-1.0',
      core_tier: 'Oscillator',
      total_long_term_debt: 8_173_903_000,
      current_debt: 316_000,
      noncurrent_debt: 8_173_587_000,
      total_crypto_fair_value: 73_205_725_000,
      figures_basis: 'resolved',
      crypto_share_of_assets: 0.994386,
      treasury_relevance: 'core',
      net_debt_to_coins: null,
      bitcoin_units_held: 641_715,
      ethereum_units_held: null,
      crypto_units_basis: 'fair_value_implied_btc',
      reference_price_date: '2025-09-30',
      stress_30pct: 0.159509,
      stress_50pct: 0.223313,
      stress_70pct: 0.372189,
      covenant_headroom_50pct: 0.656441,
      reference_covenant_ltv: 0.65,
      charge_level: 'Low',
      discharge_risk: 'Low',
      breach_probability_1y: 0.003326,
      shocked_equity_50pct: 15_727_855_500,
      resonance_status: 'Neutral',
      risk_tier: 'LOW',
      risk_tier_reasons: [],
      quality_flag: 'Medium',
      data_source: 'direct_facts_fallback',
      is_linkbase_backed: false,
      calculation_arc_count: 0,
      debt_coverage_status: 'resolved_nonzero',
      root_resolution_method: 'direct_precedence',
      root_resolution_details: [
        'C us-gaap:LongTermDebtCurrent = 316000 via direct_precedence w=+1 rule=2',
        'N us-gaap:LongTermDebtNoncurrent = 8173587000 via direct_precedence w=+1 rule=2',
      ],
      extension_root_concepts: [],
      mapping_hit_count: 4,
      resolution_status: 'resolved',
      selection_strategy: 'latest_periodic',
      classification_version: 'cls-1.4',
      market_regime: null,
      btc_24h_change_pct: null,
      btc_7d_change_pct: null,
      stress_velocity: null,
      uses_live_prices: true,
      price_source: 'cryptocompare',
      price_last_updated: '2026-02-07T23:59:59Z',
      live_ap_z: null,
      live_ecs_z: null,
      live_lsi_z: null,
      live_mp_z: null,
      live_st_z: null,
      live_stress_30pct: 0.260007,
      live_stress_50pct: 0.36401,
      live_stress_70pct: 0.606684,
      live_covenant_headroom_50pct: 0.439984,
      live_total_crypto_fair_value: 44_910_279_061,
      live_stress_delta_24h: null,
      live_stress_delta_7d: null,
      live_charge_level: 'Low',
      live_discharge_risk: 'Low',
      live_resonance_status: 'Neutral',
      live_risk_tier: 'LOW',
      live_risk_tier_reasons: [],
      live_breach_probability_1y: 0.033875,
      data_quality_notes: alone,
      data_quality_note_words: [
        'Some of the indicators behind the issuer’s own score are missing.',
        'Fewer than twelve issuers could be compared, so there is no z-score.',
      ],
    });
  });

  it('has no live member without fresh closes (I2.5)', () => {
    const row = rowOf(strategy, { sourceDate: '2026-02-10' });
    const live = Object.entries(row).filter(([member]) => member.startsWith('live_'));
    expect(row.uses_live_prices).toBe(false);
    expect([row.price_source, row.price_last_updated]).toEqual([null, null]);
    expect(live.length).toBe(18);
    expect(live.every(([, value]) => value === null)).toBe(true);
  });

  it('never dates a price after the plan (M0.13)', () => {
    const row = rowOf(strategy, { asOf: '2026-02-07T07:12:40Z' });
    expect(row.price_last_updated).toBe('2026-02-07T07:12:40Z');
  });

  it('does not read facts or closes of a later day (M15.16, M15.55)', () => {
    const later = [
      { date: '2026-02-08', asset: 'BTC', close: 1, source: 'cryptocompare' },
      { date: '2025-10-01', asset: 'BTC', close: 1, source: 'cryptocompare' },
    ];
    const inputs = issuerInputs(strategy);
    const lateFact = filedFact(
      { ...inputs.filing, filed: '2026-02-08' },
      { concept: 'DebtCurrent', value: 9 },
    );
    expect(
      rowOf(
        { ...strategy, facts: [...(strategy.facts ?? []), lateFact] },
        { prices: priceBook([...goldenCloses, ...later], parameters) },
      ),
    ).toEqual(rowOf(strategy));
  });

  it('is the same for any order of facts (M15.1, M15.2)', () => {
    const inputs = issuerInputs(strategy);
    const bytes = (facts: typeof inputs.facts) =>
      canonicalJson(computeIssuer({ ...inputs, facts }, context).stress);
    fc.assert(
      fc.property(fc.shuffledSubarray([...inputs.facts], { minLength: inputs.facts.length }), (facts) => {
        expect(bytes(facts)).toBe(bytes(inputs.facts));
      }),
    );
  });
});

describe('reference cases M12.1 on carrying values and the restatement M10.7', () => {
  const filing = {
    accession: '0000950170-25-021814',
    form: '10-K',
    filed: '2025-02-18',
    period: '2024-12-31',
  };
  const annual: InputsOf = {
    filing,
    balance: {
      Assets: 25_843_685 * k,
      Liabilities: 7_613_701 * k,
      StockholdersEquity: 18_229_984 * k,
      LongTermDebt: 7_191_675 * k,
      LongTermDebtNoncurrent: 7_191_158 * k,
      LongTermDebtCurrent: 517 * k,
      IndefiniteLivedIntangibleAssetsExcludingGoodwill: 23_909_373 * k,
    },
    supporting: [
      filedFact(
        { ...issuerInputs({ filing }).filing, accession: '0000950170-25-063536', filed: '2025-05-05' },
        {
          concept: 'IndefiniteLivedIntangibleAssetsExcludingGoodwill',
          value: 41_790_421 * k,
          end: '2025-01-01',
        },
      ),
    ],
  };

  it('shows MSTR on 2025-03-31 as it was known then (M10.7, T19)', () => {
    expect(rowOf(annual, { sourceDate: '2025-03-31' })).toMatchObject({
      total_long_term_debt: 7_191_675_000,
      total_crypto_fair_value: 23_909_373_000,
      crypto_units_basis: 'carrying_value_lower_bound',
      bitcoin_units_held: null,
      stress_50pct: 0.601578,
      // a cost is a lower bound of coins and proves no tier but LOW (M3.10b)
      risk_tier: 'UNCLASSIFIED',
      risk_tier_reasons: [],
      data_quality_notes: expect.arrayContaining(['tier_at_most:MODERATE', 'live_overlay_on_cost_refused']),
    });
  });

  it('shifts assets and equity to the adoption value once it is filed (M12.4, M3.12, T04)', () => {
    expect(rowOf(annual, { sourceDate: '2025-05-05' })).toMatchObject({
      total_crypto_fair_value: 41_790_421_000,
      stress_50pct: 0.344178,
      risk_tier: 'LOW',
      // E* = 36,111,032 K
      shocked_equity_50pct: (36_111_032 * k * 2 - 41_790_421 * k) / 2,
    });
  });
});
