import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { goldenCloses } from '../../fixtures/builders/goldenIssuers.ts';
import { filedFact, type InputsOf, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { rowOfTables } from '../../fixtures/builders/rowOfTables.ts';
import { declaration, fact, statementFiling } from '../../fixtures/builders/statementFiling.ts';
import { filingOfTables } from '../../fixtures/builders/xbrlFilingOfTables.ts';
import { xbrlTablesOf } from '../../fixtures/builders/xbrlTables.ts';
import type { InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import { priceBook } from '../prices/priceBook.ts';

const parameters = registryParameters;
const prices = priceBook(
  [...goldenCloses, { date: '2024-12-31', asset: 'BTC', close: 93_391.98, source: 'cryptocompare' }],
  parameters,
);

function row(input: Omit<InputsOf, 'xbrl'> & { xbrl: XbrlFiling | string; asset?: string; date?: string }) {
  const { asset = 'BTC', date = '2026-02-07', ...more } = input;
  const xbrl = typeof input.xbrl === 'string' ? statementFiling(input.xbrl) : input.xbrl;
  const inputs = issuerInputs({ ...more, issuer: { primaryAsset: asset }, xbrl });
  const context = { sourceDate: date, asOf: `${date}T07:12:40Z`, prices, parameters, backfilled: false };
  return computeIssuer(inputs, context);
}

const coins = (
  concept: string,
  value: string | number,
  more: Partial<Omit<InstanceFact, 'concept' | 'value'>> = {},
) => fact({ concept, value, decimals: 'INF', ...more });
const member = (name: string) => ({
  dimensions: [{ axis: 'srt:CryptoAssetAxis', member: name, typed: false }],
  contextId: name,
});

function withFacts(text: string, ...facts: InstanceFact[]): XbrlFiling {
  const filing = statementFiling(text);
  return { ...filing, facts: [...filing.facts, ...facts] };
}

describe('coins by the calculation network (M2.3)', () => {
  it("adds up the issuer's own lines although a customer tag repeats them (T11: BTCS 2025-09-30)", () => {
    const { stress, trail } = row({
      asset: 'ETH',
      xbrl: withFacts(
        `
Assets 298855352
  AssetsCurrent 298344324
    CashAndCashEquivalentsAtCarryingValue 4486051
    BTCS:StableCoins 331633
    CryptoAssetFairValueCurrent 2304873
    BTCS:CryptoAssetsDefi 161703903
    BTCS:StakedCryptoAssetsCurrencies 129171906
    BTCS:NonfungibleTokens 191256
    PrepaidExpenseCurrent 154702
  AssetsNoncurrent 511028`,
        fact({ concept: 'srt:PlatformOperatorCryptoAssetHeldForUser', value: 293_180_682 }),
        fact({ concept: 'CryptoAssetFairValue', value: 127_642_000 }),
      ),
    });
    expect(stress.total_crypto_fair_value.toString()).toBe('293180682');
    expect(stress.extension_root_concepts).toEqual([
      'BTCS:CryptoAssetsDefi',
      'BTCS:StakedCryptoAssetsCurrencies',
    ]);
    expect(trail?.ratio.children[1].children.map((root) => root.rung)).toEqual(Array(3).fill('assets_walk'));
  });

  it('counts pledged and liquid-staked coins and says that some are at cost (T08: DFDV 2025-09-30)', () => {
    const { stress } = row({
      asset: 'SOL',
      xbrl: withFacts(
        `
Assets 479954000
  AssetsCurrent 174410000
    dfdv:DigitalAssetsPledgedAsCollateral 152248000
  CryptoAssetFairValueNoncurrent 244271000
  dfdv:DigitalAssetsAtCarryingValueNet 57200000`,
        coins('CryptoAssetNumberOfUnits', 1157, { unit: 'Solana' }),
        coins('CryptoAssetNumberOfUnits', 1157, { unit: 'Solana', ...member('dfdv:SolanaMember') }),
        coins('CryptoAssetFairValue', 244_271_000, member('dfdv:SolanaMember')),
      ),
    });
    expect(stress.total_crypto_fair_value.toString()).toBe('453719000');
    expect(stress.crypto_units_basis).toBe('fair_value_implied_other');
    expect(stress.data_quality_notes).toEqual(
      expect.arrayContaining(['outside_asu_2023_08', 'unit_scale_corrected:10^3', 'units_partial']),
    );
  });

  it('keeps a claim to pledged coins out and notes it (M2.2: CLSK 2025-06-30)', () => {
    const statement = `
Assets 3101817000
  AssetsCurrent 1210140000
    CryptoAssetFairValueCurrent 877067000
    clsk:ReceivableForBitcoinCollateralPledged 271491000
  CryptoAssetFairValueNoncurrent 202687000`;
    for (const xbrl of [statementFiling(statement), statementFiling(statement, { arcs: [] })]) {
      const { stress } = row({ xbrl });
      expect(stress.total_crypto_fair_value.toString()).toBe('1079754000');
      expect(stress.data_quality_notes).toContain('pledged_receivable:271491000');
    }
  });

  it('does not read definite-lived, Ethernet, mining or fund lines as coins', () => {
    const { stress } = row({
      xbrl: `
Assets 1000
  x:IntangibleAssetsDefiniteLivedNet 100
  x:EthernetSwitches 100
  x:BitcoinMiningEquipment 100
  x:InvestmentInETHFund 100
  x:DeFiPositions 7
  x:EtherHeld 5`,
    });
    expect(stress.total_crypto_fair_value.toString()).toBe('12');
  });

  it('refuses an extension that is declared a liability, and one of shares', () => {
    const filing = statementFiling('Assets 1000\n  x:BitcoinHeld 10\n  CryptoAssetFairValueCurrent 7');
    for (const change of [{ balance: 'credit' } as const, { isMonetary: false }]) {
      const { stress } = row({ xbrl: { ...filing, concepts: [declaration('x:BitcoinHeld', change)] } });
      expect(stress.total_crypto_fair_value.toString()).toBe('7');
    }
  });

  it('grades down standard figures that lack lines nobody can place (DFDV without its linkbase)', () => {
    const { stress } = row({
      asset: 'SOL',
      xbrl: statementFiling(
        `
Assets 479954000
  CryptoAssetFairValueNoncurrent 244271000
  dfdv:DigitalAssetsPledgedAsCollateral 152248000`,
        { arcs: [] },
      ),
    });
    expect(stress.total_crypto_fair_value.toString()).toBe('244271000');
    expect(stress.quality_flag).toBe('Low');
  });
});

describe('coins before adoption (M2.6)', () => {
  const annual = {
    accession: '0000950170-25-021814',
    form: '10-K',
    filed: '2025-02-18',
    period: '2024-12-31',
    acceptedAt: '2025-02-18T21:00:00Z',
  };
  const dated = (filing: XbrlFiling): XbrlFiling => ({
    ...filing,
    accession: annual.accession,
    facts: filing.facts.map((given) => ({ ...given, end: annual.period })),
  });
  const statement = `
Assets 25843685000
  IndefiniteLivedIntangibleAssetsExcludingGoodwill 23909373000
LiabilitiesAndStockholdersEquity 25843685000
  Liabilities 7613701000
    LiabilitiesCurrent 355384000
      LongTermDebtCurrent 517000
    LongTermDebtNoncurrent 7191158000`;
  const held = coins('mstr:NumberOfBitcoinHeld', 447_470, { unit: 'Bitcoin' });

  it('are the filed quantity at the close of the period end (T19 instance path: MSTR on 2025-03-31)', () => {
    const { stress, trail } = row({
      xbrl: dated(withFacts(statement, held)),
      filing: annual,
      date: '2025-03-31',
    });
    expect(stress.total_crypto_fair_value.toString()).toBe('41790109291');
    expect(stress).toMatchObject({
      stress_50pct: 0.344181,
      risk_tier: 'LOW',
      crypto_units_basis: 'reported_quantity',
      bitcoin_units_held: 447_470,
    });
    expect(trail?.ratio.children[1].children[0]?.children).toMatchObject([
      { kind: 'fact', concept: 'mstr:NumberOfBitcoinHeld' },
      { kind: 'price', asset: 'BTC', date: '2024-12-31', close: 93_391.98 },
    ]);
  });

  it('take the adoption-date value once it is known (T04: MSTR from 2025-05-05)', () => {
    const { filing } = issuerInputs({ filing: annual });
    const adopted = filedFact(
      { ...filing, accession: '0000950170-25-063536', filed: '2025-05-05' },
      {
        concept: 'IndefiniteLivedIntangibleAssetsExcludingGoodwill',
        value: '41790421000',
        end: '2025-01-01',
      },
    );
    const o = { xbrl: dated(withFacts(statement, held)), filing: annual, supporting: [adopted] };
    const after = row({ ...o, date: '2025-05-05' }).stress;
    expect([after.total_crypto_fair_value.toString(), after.stress_50pct]).toEqual(['41790421000', 0.344178]);
    expect(row({ ...o, date: '2025-05-04' }).stress.stress_50pct).toBe(0.344181);
  });

  it('stay a lower bound without a quantity of the day, or with one no close explains (M2.9)', () => {
    const wrong = coins('mstr:NumberOfBitcoinHeld', 20, { unit: 'Bitcoin' });
    for (const xbrl of [
      withFacts(statement, coins('OtherAssets', 1, { ...member('mstr:BitcoinMember'), end: '2023-12-31' })),
      withFacts(statement, wrong),
    ]) {
      const { stress } = row({ xbrl: dated(xbrl), filing: annual, date: '2025-03-31' });
      expect(stress).toMatchObject({
        stress_50pct: 0.601578,
        risk_tier: 'UNCLASSIFIED',
        crypto_units_basis: 'carrying_value_lower_bound',
      });
    }
  });

  it("of a filer's own line are a lower bound too (TSLA 2024-06-30)", () => {
    const { stress } = row({ xbrl: 'Assets 112832000000\n  tsla:DigitalAssetsNetNonCurrent 184000000' });
    expect(stress.total_crypto_fair_value.toString()).toBe('184000000');
    expect(stress.crypto_units_basis).toBe('carrying_value_lower_bound');
  });
});

describe('coins that a walk lacks', () => {
  /** The published row of a quoted filing after a change to its files. */
  async function stressOf(ticker: string, change: (filing: XbrlFiling) => XbrlFiling) {
    const tables = await xbrlTablesOf(ticker, '2025-09-30');
    return rowOfTables(tables, { xbrl: change(filingOfTables(tables)) }).stress;
  }

  const withoutFact =
    (concept: string) =>
    ({ facts, ...filing }: XbrlFiling): XbrlFiling => ({
      ...filing,
      facts: facts.filter((fact) => fact.concept !== concept),
    });
  const withoutArc =
    (concept: string) =>
    ({ arcs, ...filing }: XbrlFiling): XbrlFiling => ({
      ...filing,
      arcs: arcs.filter(({ to }) => to !== concept),
    });
  /** The line keeps its place and its amount and loses the name that says what it is. */
  const renamed =
    (concept: string) =>
    ({ facts, arcs, concepts, ...filing }: XbrlFiling): XbrlFiling => ({
      ...filing,
      facts: facts.map((fact) =>
        fact.concept === concept ? { ...fact, concept: 'x:TreasuryReserve' } : fact,
      ),
      arcs: arcs.map((arc) => (arc.to === concept ? { ...arc, to: 'x:TreasuryReserve' } : arc)),
      concepts,
    });

  const pledged = 'dfdv:DigitalAssetsPledgedAsCollateral';

  describe('coins of a walk that lacks a line (M2.4c)', () => {
    it('are 453,719 K and HIGH as DFDV filed them', async () => {
      const row = await stressOf('DFDV', (filing) => filing);
      expect(row).toMatchObject({ risk_tier: 'HIGH', quality_flag: 'Medium', figures_basis: 'resolved' });
      expect(String(row.total_crypto_fair_value)).toBe('453719000');
    });

    // 152,248 K of current assets in no line; 301,471 K alone would be CRITICAL, 1.340374
    it.each([
      ['fact', withoutFact(pledged)],
      ['arc', withoutArc(pledged)],
    ])('are not proven where the pledged coins of DFDV have no %s', async (_, change) => {
      const row = await stressOf('DFDV', change);
      expect(row).toMatchObject({
        risk_tier: 'UNCLASSIFIED',
        quality_flag: 'Low',
        figures_basis: 'crypto_unproven',
        net_debt_to_coins: null,
      });
      expect(String(row.total_crypto_fair_value)).toBe('301471000');
      expect(row.data_quality_notes).toContain('tier_depends_on_candidate:CRITICAL/HIGH');
    });

    // 9,295,587 of customers' coins are left of the face; the notes state 179,688,082 at fair value
    it('are not proven where a line of Fold has a name that says nothing', async () => {
      const row = await stressOf('FLD', renamed('fld:DigitalAssetsNoncurrent'));
      expect(row).toMatchObject({ risk_tier: 'UNCLASSIFIED', figures_basis: 'crypto_unproven' });
      expect(row.data_quality_notes).toContain('crypto_candidates_disagree:9295587/179688082');
    });
  });
});
