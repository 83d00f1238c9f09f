import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../contract/canonicalJson.ts';
import { companyFundamentals } from '../contract/companyFundamentals.ts';
import { covenantStress } from '../contract/covenantStress.ts';
import registry from '../data/registry/parameters.json' with { type: 'json' };
import { computeIssuer } from './computeIssuer.ts';
import { goldenCloses } from './golden/goldenIssuers.ts';
import { filedFact, type InputsOf, issuerInputs } from './golden/issuerInputs.ts';
import { parseParameters } from './parameters.ts';
import { priceBook } from './priceBook.ts';
import type { SliceContext } from './sliceContext.ts';
import { chargeLevel, dischargeRisk, stressBand } from './stress/bands.ts';

const parameters = parseParameters(registry);
const k = 1000;
const context: SliceContext = {
  sourceDate: '2026-02-07',
  asOf: '2026-02-08T07:12:40Z',
  prices: priceBook(goldenCloses, parameters),
  parameters,
  backfilled: false,
};

/** Strategy's 10-Q for 2025-09-30, 0001193125-25-262568. */
const strategy: InputsOf = {
  balance: {
    Assets: 73_619_038 * k,
    Liabilities: 15_501_990 * k,
    StockholdersEquity: 52_330_718 * k,
    LongTermDebt: 8_173_903 * k,
    LongTermDebtNoncurrent: 8_173_587 * k,
    LongTermDebtCurrent: 316 * k,
    IndefiniteLivedIntangibleAssetsExcludingGoodwill: 73_205_725 * k,
  },
  facts: [
    filedFact(issuerInputs({}).filing, { concept: 'Revenues', value: 354_245 * k, start: '2025-01-01' }),
  ],
};

/** What a row says that is compared with no other issuer (M3.15, M3.16). */
const alone = ['own_z_partial', 'z_universe_small'];
const notes = (...others: string[]) => [...others, ...alone].sort();

function rowOf(o: InputsOf, overrides: Partial<SliceContext> = {}) {
  const { stress, fundamentals } = computeIssuer(issuerInputs(o), { ...context, ...overrides });
  companyFundamentals.parse(fundamentals);
  covenantStress.parse(stress);
  return JSON.parse(canonicalJson(stress));
}

describe('the row of MSTR on 2026-02-07', () => {
  it('holds filing values, live overlay and provenance (M12.2, M12.11)', () => {
    expect(rowOf(strategy)).toEqual({
      source_date: '2026-02-07',
      cik: '0001050446',
      ticker: 'MSTR',
      entity_name: 'Strategy Inc',
      accession_number: '0001193125-25-262568',
      filing_form: '10-Q',
      period: '2025-09-30',
      computed_at_utc: '2026-02-08T07:12:40Z',
      core_model: 'core-ltv-1.0',
      core_tier: 'Oscillator',
      total_long_term_debt: 8_173_903_000,
      current_debt: 316_000,
      noncurrent_debt: 8_173_587_000,
      total_crypto_fair_value: 73_205_725_000,
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
      classification_version: 'cls-1.1',
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
      charge_level: 'Elevated',
      risk_tier: 'MODERATE',
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

describe('edges of the tier (M3.3, M3.10)', () => {
  const coins = {
    CryptoAssetFairValue: 100_000,
    Assets: 120_000,
    StockholdersEquity: 90_000,
    Liabilities: 30_000,
  };

  it.each([
    [
      'no coins, no debt',
      { Assets: 100, Liabilities: 1, StockholdersEquity: 9 },
      0,
      ['no_crypto'],
      'resolved_with_notes',
    ],
    [
      'debt without coins',
      { NotesPayableCurrent: 5, StockholdersEquity: 9 },
      1000,
      ['no_crypto_denominator', 'stress_saturated'],
      'saturated',
    ],
    ['coins, but debt unknown', { ...coins }, 0, ['stress_untrusted'], 'unresolved'],
  ])('gives no tier to %s', (_, balance, stress, notes, status) => {
    expect(rowOf({ balance })).toMatchObject({
      stress_50pct: stress,
      risk_tier: 'UNCLASSIFIED',
      risk_tier_reasons: [],
      data_quality_notes: notes,
      resolution_status: status,
    });
  });

  it('leaves out the covenant figures of untrusted debt (M3.3)', () => {
    const row = rowOf({ balance: coins });
    for (const member of [
      'covenant_headroom_50pct',
      'reference_covenant_ltv',
      'charge_level',
      'discharge_risk',
    ]) {
      expect(row).not.toHaveProperty(member);
    }
    expect(row.breach_probability_1y).toBeNull();
    expect(row.core_tier).toBe('Coil');
  });

  it.each(['etf_trust', 'fund_vehicle', 'product'] as const)('gives no tier to a %s', (issuerType) => {
    expect(rowOf({ balance: { ...coins, NotesPayableCurrent: 5 }, issuer: { issuerType } }).risk_tier).toBe(
      'UNCLASSIFIED',
    );
  });

  it('gives no tier to a filing older than 400 days (M3.10, M1.41)', () => {
    const balance = { ...coins, NotesPayableCurrent: 5 };
    expect(rowOf({ balance }, { sourceDate: '2026-11-04' })).toMatchObject({
      risk_tier: 'LOW',
      quality_flag: 'Low',
    });
    expect(rowOf({ balance }, { sourceDate: '2026-11-05' }).risk_tier).toBe('UNCLASSIFIED');
  });

  it('gives no tier to coins above assets or equal to customers’ coins (M2.14)', () => {
    const balance = { ...coins, NotesPayableCurrent: 5 };
    expect(rowOf({ balance: { ...balance, Assets: 95_000 } })).toMatchObject({
      risk_tier: 'UNCLASSIFIED',
      quality_flag: 'Low',
    });
    expect(
      rowOf({ balance: { ...balance, 'srt:PlatformOperatorCryptoAssetHeldForUser': 100_000 } }),
    ).toMatchObject({ risk_tier: 'UNCLASSIFIED', quality_flag: 'Low' });
    expect(
      rowOf({ balance: { ...balance, 'srt:PlatformOperatorCryptoAssetHeldForUser': 7 } }).risk_tier,
    ).toBe('LOW');
  });

  it('keeps an issuer with negative equity and no debt (M3.11: HSDT)', () => {
    const balance = { ...coins, StockholdersEquity: -152_392, NotesPayableCurrent: 0 };
    expect(rowOf({ balance })).toMatchObject({
      debt_coverage_status: 'resolved_zero',
      stress_50pct: 0,
      covenant_headroom_50pct: 1,
      risk_tier: 'LOW',
      data_quality_notes: notes('negative_equity_nondebt'),
    });
  });

  it('notches when equity does not survive the shock, never when it is not filed (M3.9, M15.33)', () => {
    const balance = { ...coins, NotesPayableCurrent: 5, StockholdersEquity: 49_999 };
    expect(rowOf({ balance })).toMatchObject({
      risk_tier: 'MODERATE',
      risk_tier_reasons: ['shocked_equity_negative'],
      shocked_equity_50pct: -1,
    });
    const { StockholdersEquity: _, ...unknown } = balance;
    expect(rowOf({ balance: unknown })).toMatchObject({
      risk_tier: 'LOW',
      shocked_equity_50pct: null,
      data_quality_notes: notes('equity_not_reported'),
    });
  });
});

describe('what a row says about itself', () => {
  const balance = {
    CryptoAssetFairValue: 100_000,
    Assets: 120_000,
    StockholdersEquity: 90_000,
    NotesPayableCurrent: 5,
  };

  it('names an issuer without ticker by its CIK, and estimates and placeholders as such (I1.18, M1.44, M1.45)', () => {
    const filing = {
      accession: '0000000000-25-018662',
      accessionStatus: 'placeholder',
      acceptanceEstimated: true,
    } as const;
    expect(rowOf({ balance, filing, issuer: { ticker: null } })).toMatchObject({
      ticker: '0001050446',
      data_quality_notes: notes('acceptance_estimated', 'accession_placeholder', 'ticker_is_cik'),
      resolution_status: 'resolved_with_notes',
    });
  });

  it('never publishes a whole-entity quantity as reported (M2.7, T09: BMNR 2025-11-30)', () => {
    const bitmine: InputsOf = {
      issuer: { primaryAsset: 'ETH' },
      filing: { period: '2025-11-30', filed: '2026-01-13' },
    };
    const { filing } = issuerInputs(bitmine);
    const row = rowOf({
      ...bitmine,
      balance: { CryptoAssetFairValue: 10_561_789 * k, Assets: 11_487_275 * k },
      facts: [filedFact(filing, { concept: 'CryptoAssetNumberOfUnits', value: 3_737_333, unit: 'Integer' })],
    });
    expect(row).toMatchObject({ bitcoin_units_held: null, crypto_units_basis: 'fair_value_implied_eth' });
    expect(row.ethereum_units_held).toBe(3_529_620);
  });

  it('says when a filed quantity cannot be priced, and drops the tier with quality Low (T10: BTBT)', () => {
    const { filing } = issuerInputs({});
    const miners = filedFact(filing, { concept: 'CryptoAssetNumberOfUnits', value: 10_221, unit: 'ETH' });
    expect(
      rowOf({
        issuer: { primaryAsset: 'ETH' },
        balance: {
          CryptoAssetFairValueCurrent: 423_682_364,
          CryptoAssetFairValue: 3_575_804,
          OtherLongTermDebtNoncurrent: 196_345,
          Assets: 1_133_084_610,
          StockholdersEquity: 906_153_675,
        },
        facts: [miners],
      }),
    ).toMatchObject({
      total_crypto_fair_value: 423_682_364,
      stress_50pct: 0.000927,
      quality_flag: 'Low',
      risk_tier: 'UNCLASSIFIED',
      data_quality_notes: notes('unit_price_mismatch'),
    });
  });

  it('notes contradicting duplicates and conflicting closes (M1.8, M2.13)', () => {
    const { filing } = issuerInputs({});
    const second = filedFact(filing, { concept: 'Assets', value: 121_000 });
    const conflict = { date: '2026-02-07', asset: 'BTC', close: 72_000, source: 'coingecko' };
    const row = rowOf(
      { balance, facts: [second] },
      { prices: priceBook([...goldenCloses, conflict], parameters) },
    );
    expect(row.data_quality_notes).toEqual(
      notes('inconsistent_duplicate:us-gaap:Assets', 'price_conflict:BTC'),
    );
  });

  it('says how the filing was chosen (M1.39)', () => {
    expect(rowOf({ balance, filing: { form: '10-Q/A' } }).selection_strategy).toBe('latest_amendment');
    expect(rowOf({ balance }, { backfilled: true }).selection_strategy).toBe('as_of_source_date');
  });

  it('never claims a linkbase, and trusts no debt it did not find (M15.6, M15.11, M15.12)', () => {
    const concepts = ['NotesPayableCurrent', 'LongTermDebt', 'Liabilities', 'Assets', 'CryptoAssetFairValue'];
    const anyBalance = fc.dictionary(fc.constantFrom(...concepts), fc.nat({ max: 10_000 }));
    fc.assert(
      fc.property(anyBalance, (facts) => {
        const row = rowOf({ balance: facts });
        expect(row).toMatchObject({ data_source: 'direct_facts_fallback', is_linkbase_backed: false });
        expect(row.core_tier).toBe(row.quality_flag === 'Low' ? 'Coil' : 'Oscillator');
        expect(row.total_long_term_debt > 0).toBe(row.debt_coverage_status === 'resolved_nonzero');
        if (row.debt_coverage_status !== 'low_confidence_missing_debt') return;
        expect(row).toMatchObject({
          quality_flag: 'Low',
          risk_tier: 'UNCLASSIFIED',
          resolution_status: 'unresolved',
        });
      }),
      { numRuns: 50 },
    );
  });

  it('holds labels anyone can repeat from its numbers (M0.5, M15.3)', () => {
    const usd = fc.integer({ min: 0, max: 10 ** 9 });
    fc.assert(
      fc.property(usd, usd, usd, (debt, crypto, equity) => {
        const row = rowOf({
          balance: { NotesPayableCurrent: debt, CryptoAssetFairValue: crypto, StockholdersEquity: equity },
        });
        expect(row.charge_level).toBe(chargeLevel(row.stress_50pct, parameters));
        expect(row.discharge_risk).toBe(dischargeRisk(row.breach_probability_1y, parameters));
        expect(row.risk_tier === 'UNCLASSIFIED').toBe(crypto === 0);
        if (crypto === 0) return;
        const tiers = ['LOW', 'MODERATE', 'HIGH', 'CRITICAL'];
        const step = tiers.indexOf(row.risk_tier) - tiers.indexOf(stressBand(row.stress_50pct, parameters));
        expect(step).toBeLessThanOrEqual(row.risk_tier_reasons.length);
        expect(row.risk_tier_reasons.length > 0).toBe(debt > 0 && row.shocked_equity_50pct < 0);
      }),
      { numRuns: 50 },
    );
  });
});
