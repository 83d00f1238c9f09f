import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goldenCloses } from '../../fixtures/builders/goldenIssuers.ts';
import { filedFact, type InputsOf, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { k, notes, parameters, rowOf } from '../../fixtures/builders/issuerRow.ts';
import { priceBook } from '../prices/priceBook.ts';
import { chargeLevel, dischargeRisk, stressBand } from '../stress/stressRatio.ts';

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

  it('says when a filed quantity cannot be priced (T10: BTBT)', () => {
    const { filing } = issuerInputs({});
    const miners = filedFact(filing, { concept: 'CryptoAssetNumberOfUnits', value: 10_221, unit: 'ETH' });
    expect(
      rowOf({
        issuer: { primaryAsset: 'ETH' },
        balance: {
          CryptoAssetFairValueCurrent: 423_682_364,
          OtherLongTermDebtNoncurrent: 196_345,
          Assets: 1_133_084_610,
          StockholdersEquity: 906_153_675,
        },
        facts: [miners],
      }),
    ).toMatchObject({
      total_crypto_fair_value: 423_682_364,
      stress_50pct: 0.000927,
      quality_flag: 'Medium',
      risk_tier: 'LOW',
      data_quality_notes: notes('tail_understated', 'unit_price_mismatch'),
    });
  });

  it.each([
    ['SOL', 5, true],
    ['ETH', 5, true],
    ['BTC', 5, false],
    // no debt: the probability is 0 for any tails
    ['SOL', 0, false],
    // LTV 0.40: the band is no longer Low
    ['ETH', 40_000, false],
  ])('says that the tail of %s with debt of %i is understated: %s (M3.8b)', (primaryAsset, debt, isNoted) => {
    const row = rowOf({ balance: { ...balance, NotesPayableCurrent: debt }, issuer: { primaryAsset } });
    expect((row.data_quality_notes ?? []).includes('tail_understated')).toBe(isNoted);
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
      notes('inconsistent_duplicate:us-gaap:Assets', 'price_conflict:BTC', 'relevance_unknown'),
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
        if (row.debt_coverage_status !== 'low_confidence_missing_debt') {
          expect(row.total_long_term_debt > 0).toBe(row.debt_coverage_status === 'resolved_nonzero');
          return;
        }
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
          issuer: { issuerClass: 'operating_other' },
          balance: {
            Assets: crypto,
            NotesPayableCurrent: debt,
            CryptoAssetFairValue: crypto,
            StockholdersEquity: equity,
          },
        });
        expect(row.risk_tier === 'UNCLASSIFIED').toBe(crypto === 0);
        expect('charge_level' in row).toBe(crypto !== 0);
        if (crypto === 0) return;
        expect(row.charge_level).toBe(chargeLevel(row.stress_50pct, parameters));
        expect(row.discharge_risk).toBe(dischargeRisk(row.breach_probability_1y, parameters));
        const tiers = ['LOW', 'MODERATE', 'HIGH', 'CRITICAL'];
        const step = tiers.indexOf(row.risk_tier) - tiers.indexOf(stressBand(row.stress_50pct, parameters));
        expect(step).toBeLessThanOrEqual(row.risk_tier_reasons.length);
        expect(row.risk_tier_reasons.length > 0).toBe(debt > 0 && row.shocked_equity_50pct < 0);
      }),
      { numRuns: 50 },
    );
  });
});
