import { describe, expect, it } from 'vitest';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import {
  type CompanyProfile,
  type FormRow,
  issuerClassOf,
  issuerTypeOf,
  preIpoLikelihood,
} from './companyChange.ts';

const date = '2026-02-07';
const parameters = registryParameters;

function profile(
  input: Omit<Partial<CompanyProfile>, 'facts'> & { facts?: Partial<CompanyProfile['facts']> },
): CompanyProfile {
  return {
    cik: '0000000001',
    entityName: 'Issuer One Inc.',
    ticker: 'ONE',
    exchange: 'Nasdaq',
    sic: null,
    ownerOrg: null,
    forms: [],
    universe: null,
    cryptoShareOfAssets: null,
    debtIsZero: null,
    ...input,
    facts: {
      crypto: false,
      safeguarding: false,
      mining: false,
      operations: true,
      creationUnits: false,
      ...input.facts,
    },
  };
}

const form = (name: string, filed: string): FormRow => ({ form: name, filed });
const unlisted = { ticker: null, exchange: null };

describe('preIpoLikelihood (M6.11)', () => {
  const of = (input: Parameters<typeof profile>[0]) => preIpoLikelihood(profile(input), { date, parameters });

  it('adds the points of what was filed and says which', () => {
    expect(of({ ...unlisted, forms: [form('S-1', '2025-12-01'), form('S-1/A', '2026-01-20')] })).toEqual({
      likelihood: 'high',
      points: 6,
      reason: 'no ticker or exchange (+2); S-1/A filed 2026-01-20 (+3); no EFFECT or 424B4 yet (+1)',
    });
    expect(
      of({ ...unlisted, forms: [form('DRS', '2025-12-01'), form('8-A12B', '2026-01-30')], sic: '6770' }),
    ).toMatchObject({
      likelihood: 'high',
      points: 5,
    });
    expect(of({ ...unlisted, forms: [form('S-1', '2025-12-01'), form('RW', '2026-01-30')] })).toMatchObject({
      likelihood: 'medium',
      points: 3,
    });
    expect(of({ ...unlisted })).toMatchObject({ likelihood: 'low', points: 2 });
    expect(of({ forms: [form('10-Q', '2025-11-14')] })).toMatchObject({ likelihood: 'none', points: -4 });
  });

  it('counts registrations of the last eighteen months, and an offering that became effective since', () => {
    expect(of({ ...unlisted, forms: [form('F-1', '2024-08-07')] })?.points).toBe(6);
    expect(of({ ...unlisted, forms: [form('F-1', '2024-08-06')] })?.points).toBe(2);
    expect(of({ forms: [form('S-1', '2025-12-01'), form('EFFECT', '2025-12-20')] })?.points).toBe(3);
    // that one was another offering
    expect(of({ forms: [form('424B4', '2025-11-30'), form('S-1', '2025-12-01')] })?.points).toBe(4);
  });

  it('sees no filing of a later day (M10.2)', () => {
    expect(of({ ...unlisted, forms: [form('S-1', '2026-02-08')] })?.points).toBe(2);
  });

  it('says nothing where the submissions are not at hand', () => {
    expect(of({ ...unlisted, forms: null })).toBeNull();
  });
});

describe('issuerTypeOf (M5.20)', () => {
  const of = (input: Parameters<typeof profile>[0]) => issuerTypeOf(profile(input), { date, parameters });

  it('never makes a trust of a name alone', () => {
    expect(of({ entityName: 'Northern Trust Corp' })).toBe('operating_company');
    const coins = { entityName: 'Sample Bitcoin Trust ETF', cryptoShareOfAssets: 0.99, debtIsZero: true };
    expect(of(coins)).toBe('operating_company');
    expect(of({ ...coins, facts: { creationUnits: true } })).toBe('etf_trust');
    const monthly = Array.from({ length: 10 }, (_, i) =>
      form('424B3', `2025-${String(i + 3).padStart(2, '0')}-15`),
    );
    expect(of({ ...coins, forms: monthly })).toBe('etf_trust');
    expect(of({ ...coins, forms: monthly.slice(1) })).toBe('operating_company');
    expect(of({ ...coins, debtIsZero: false, facts: { creationUnits: true } })).toBe('operating_company');
  });

  it('tells trusts by SIC 6221 without operations, funds by 40-Act forms, foreign issuers by their reports', () => {
    expect(of({ sic: '6221', facts: { operations: false } })).toBe('etf_trust');
    expect(of({ sic: '6221' })).toBe('operating_company');
    expect(of({ forms: [form('N-PORT', '2025-11-01')] })).toBe('fund_vehicle');
    expect(of({ forms: [form('6-K', '2025-11-01'), form('20-F', '2025-04-30')] })).toBe('foreign_issuer');
    expect(of({ forms: [form('6-K', '2025-11-01'), form('10-Q', '2025-11-10')] })).toBe('operating_company');
    expect(of({ forms: null })).toBeNull();
  });
});

describe('issuerClassOf (M6.10)', () => {
  const of = (
    input: Parameters<typeof profile>[0],
    more: { issuerType?: 'etf_trust'; preIpo?: 'high' } = {},
  ) =>
    issuerClassOf(profile(input), {
      issuerType: more.issuerType ?? null,
      preIpo: more.preIpo ?? null,
      parameters,
    });

  it('takes the first rule that holds', () => {
    const everything = {
      sic: '6770',
      ownerOrg: '09 Crypto Assets',
      cryptoShareOfAssets: 0.5,
      facts: { crypto: true, safeguarding: true, mining: true },
    };
    expect(of(everything, { issuerType: 'etf_trust' })).toBe('crypto_trust_or_etf');
    expect(of(everything)).toBe('shell_or_spac');
    expect(of({ ...everything, sic: null })).toBe('exchange_or_custodian');
    expect(of({ ...everything, sic: null, facts: { crypto: true, mining: true } })).toBe('miner');
    expect(of({ ownerOrg: '09 Crypto Assets', cryptoShareOfAssets: 0.25 })).toBe('crypto_treasury');
    expect(of({ ownerOrg: '09 Crypto Assets', cryptoShareOfAssets: 0.24 })).toBe('crypto_financial');
    expect(of({ cryptoShareOfAssets: 0.01, facts: { crypto: true } })).toBe('digital_asset_adjacent');
    expect(of({}, { preIpo: 'high' })).toBe('pre_ipo');
    expect(of({})).toBe('operating_other');
  });

  it('keeps the curated class whatever the facts at hand suggest (KULR, BTBT, GAME)', () => {
    const universe = { issuerType: 'operating_company', issuerClass: 'crypto_treasury' } as const;
    expect(of({ universe })).toBe('crypto_treasury');
    expect(of({ universe, facts: { crypto: true, mining: true } })).toBe('crypto_treasury');
    expect(of({ universe: { ...universe, issuerClass: null }, facts: { mining: true } })).toBe('miner');
  });
});
