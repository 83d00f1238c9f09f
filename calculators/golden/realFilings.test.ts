import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { goldenCloses } from '../../fixtures/builders/goldenIssuers.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { filesOfFolder, filesOfInstance } from '../../pipeline/xbrl/filingFolder.ts';
import { loadFiling } from '../../pipeline/xbrl/loadFiling.ts';
import { priceBook } from '../prices/priceBook.ts';

const parameters = registryParameters;
const closes = [
  ...goldenCloses,
  { date: '2024-03-31', asset: 'BTC', close: 71_312.91, source: 'cryptocompare' },
  { date: '2025-03-31', asset: 'BTC', close: 82_548.91, source: 'cryptocompare' },
];
const edgar = fileURLToPath(new URL('../../../shared/data/edgar/', import.meta.url));

type Case = {
  readonly cik: string;
  readonly accession: string;
  readonly period: string;
  readonly filed: string;
  readonly asset: string;
  /** Below the shared EDGAR folder: a filing folder, or one instance. */
  readonly path: string;
};

async function row(input: Case) {
  const { cik, accession, period, filed } = input;
  const path = `${edgar}${input.path}`;
  const files = input.path.endsWith('.gz') ? filesOfInstance(path) : filesOfFolder(path);
  const xbrl = await loadFiling({ cik, accession, files });
  const issuer = { cik, ticker: 'X', primaryAsset: input.asset };
  const filing = { cik, accession, period, filed, acceptedAt: `${filed}T21:00:00Z` };
  return computeIssuer(issuerInputs({ issuer, filing, xbrl }), {
    sourceDate: filed,
    asOf: `${filed}T23:00:00Z`,
    backfilled: false,
    parameters,
    prices: priceBook(closes, parameters),
  });
}

const tesla: Case = {
  cik: '0001318605',
  accession: '0001628280-24-032662',
  period: '2024-06-30',
  filed: '2024-07-24',
  asset: 'BTC',
  path: 'filings/1318605/000162828024032662',
};
const next: Case = {
  cik: '0001784970',
  accession: '0001213900-25-041307',
  period: '2025-03-31',
  filed: '2025-05-09',
  asset: 'BTC',
  path: 'filings/1784970/000121390025041307',
};
const hyperliquid: Case = {
  cik: '0002078856',
  accession: '0001193125-25-311400',
  period: '2025-09-30',
  filed: '2025-12-08',
  asset: 'HYPE',
  path: 'filings/2078856/000119312525311400',
};

/** Real filings lie beside the project and are not part of it. */
const real = (name: string, input: Case, test: (row: Awaited<ReturnType<typeof computeIssuer>>) => void) =>
  it(name, async (ctx) => {
    if (!existsSync(`${edgar}${input.path}`))
      ctx.skip(`../shared/data/edgar/${input.path} is not there to resolve`);
    test(await row(input));
  });

describe('filings with their own linkbases', () => {
  // face, USD M: debt and finance leases 2,264 current and 5,481 noncurrent; finance leases of the note 240 and 143
  real('Tesla 2024-06-30 owes 7,362 M: 2,024 current, 5,338 noncurrent', tesla, ({ stress }) => {
    expect(String(stress.current_debt)).toBe('2024000000');
    expect(String(stress.noncurrent_debt)).toBe('5338000000');
    expect(stress).toMatchObject({
      data_source: 'linkbase_rollup',
      root_resolution_method: 'extension_root_rollup',
      is_linkbase_backed: true,
      calculation_arc_count: 121,
      extension_root_concepts: [
        'tsla:DigitalAssetsNetNonCurrent',
        'tsla:LongTermDebtAndFinanceLeasesCurrent',
        'tsla:LongTermDebtAndFinanceLeasesNoncurrent',
      ],
      crypto_units_basis: 'carrying_value_lower_bound',
    });
    // digital assets, net: 184 M at cost less impairment, before adoption
    expect(String(stress.total_crypto_fair_value)).toBe('184000000');
  });

  // face: accounts payable 730,000, to related parties 221,000, income tax 130,415, "Other payable" 2,062,195 under a
  // concept of notes, deferred tax 59,655,376; a conversion price of 4.8 is no amount of debt
  real(
    'Next Technology 2025-03-31 is LOW: the one doubtful line is 0.4 % of the coins',
    next,
    ({ stress }) => {
      expect(stress).toMatchObject({
        debt_coverage_status: 'resolved_nonzero',
        risk_tier: 'LOW',
        stress_50pct: 0.008562,
        bitcoin_units_held: 5833,
        crypto_units_basis: 'reported_quantity',
        calculation_arc_count: 54,
      });
      expect(String(stress.total_long_term_debt)).toBe('2062195');
      expect(String(stress.total_crypto_fair_value)).toBe('481717253');
      expect(stress.data_quality_notes).toContain('debt_line_unconfirmed:us-gaap:OtherNotesPayableCurrent');
    },
  );

  // face: accounts payable and accrued liabilities 1,138,335 of 1,212,921, the rest due to related parties; no assets
  real(
    'Hyperliquid Strategies 2025-09-30 has a corroborated zero and no coins',
    hyperliquid,
    ({ stress }) => {
      expect(stress).toMatchObject({
        debt_coverage_status: 'legitimate_zero_debt',
        root_resolution_method: 'corroborated_zero',
        data_source: 'linkbase_rooted_facts',
        calculation_arc_count: 11,
        risk_tier: 'UNCLASSIFIED',
      });
      expect(stress.data_quality_notes).toContain('no_crypto');
    },
  );
});

describe('instances without a linkbase are read by document order and say so', () => {
  const instance = (input: Partial<Case> & Pick<Case, 'cik' | 'path'>): Case => ({
    accession: '0000000000-25-000001',
    period: '2025-09-30',
    filed: '2025-11-14',
    asset: 'BTC',
    ...input,
  });
  const fold = instance({ cik: '0001889123', path: 'instances/1889123/fld-20250930_htm.xml.gz' });
  const riot = instance({ cik: '0001167419', path: 'instances/1167419/riot-20250930_htm.xml.gz' });
  const btcs = instance({
    cik: '0001436229',
    asset: 'ETH',
    path: 'instances/1436229/btcs-20250930_htm.xml.gz',
  });

  // face: convertible notes 21,644,139 and, to related parties under a name of its own, 60,750,183
  real('Fold 2025-09-30 owes 82,394,322, three quarters of it to related parties', fold, ({ stress }) => {
    expect(String(stress.total_long_term_debt)).toBe('82394322');
    expect(stress).toMatchObject({
      data_source: 'direct_facts_fallback',
      root_resolution_method: 'face_order',
      is_linkbase_backed: false,
      quality_flag: 'Medium',
      risk_tier: 'HIGH',
      stress_50pct: 0.917082,
    });
    expect(stress.data_quality_notes).toContain('face_order');
    expect(String(stress.total_crypto_fair_value)).toBe('179688082');
    expect(stress.bitcoin_units_held).toBe(1575);
    expect(stress.data_quality_notes).toContain('customer_coins:9295587');
  });

  // 586,501 + 253,243 K of debt; 1,823,630 + 376,423 K of coins, 15,987 + 3,300 BTC
  real('Riot 2025-09-30: whole-entity facts are enough', riot, ({ stress }) => {
    expect(String(stress.total_long_term_debt)).toBe('839744000');
    expect(String(stress.total_crypto_fair_value)).toBe('2200053000');
    expect(stress).toMatchObject({
      bitcoin_units_held: 19_287,
      quality_flag: 'Medium',
      core_tier: 'Oscillator',
    });
  });

  // face: 2,304,873 of coins, 161,703,903 in decentralised finance, 129,171,906 staked
  real('BTCS 2025-09-30 holds 293,180,682 and is LOW, not 2.3 M and CRITICAL', btcs, ({ stress }) => {
    expect(String(stress.total_long_term_debt)).toBe('67599589');
    expect(String(stress.total_crypto_fair_value)).toBe('293180682');
    expect(stress).toMatchObject({
      figures_basis: 'resolved',
      risk_tier: 'LOW',
      stress_50pct: 0.461146,
      quality_flag: 'Medium',
      treasury_relevance: 'core',
      crypto_share_of_assets: 0.981012,
      net_debt_to_coins: 0.215272,
    });
  });

  const earlier = (period: string, filed: string) =>
    instance({
      cik: '0001436229',
      asset: 'ETH',
      period,
      filed,
      path: `instances/1436229/btcs-${period.replaceAll('-', '')}_htm.xml.gz`,
    });
  // at level 1 the filing states the 302,783 + 24,900,146 of its face, of which ether is 17,829,264
  real('BTCS 2023-12-31 adopted fair value early', earlier('2023-12-31', '2024-03-21'), ({ stress }) => {
    expect(String(stress.total_crypto_fair_value)).toBe('25202929');
    expect(stress).toMatchObject({ crypto_units_basis: 'mixed_unallocated', ethereum_units_held: null });
  });
  // 101,387 + 7,811,809 at cost less impairment; no fair value is stated
  real('BTCS 2023-09-30 is at cost', earlier('2023-09-30', '2023-11-09'), ({ stress }) => {
    expect(String(stress.total_crypto_fair_value)).toBe('7913196');
    expect(stress).toMatchObject({
      crypto_units_basis: 'carrying_value_lower_bound',
      net_debt_to_coins: null,
    });
  });
  // 9,063 ether of 16,529,501 among coins of 20,133,572, which at the price of ether would be 11,049
  real('BTCS 2025-03-31 has no quantity of ether', earlier('2025-03-31', '2025-05-15'), ({ stress }) => {
    expect(stress).toMatchObject({ crypto_units_basis: 'mixed_unallocated', ethereum_units_held: null });
  });

  // face: 244,271 K of coins, 152,248 K pledged, 57,200 K liquid-staked
  const defi = instance({
    cik: '0001805526',
    asset: 'SOL',
    path: 'instances/1805526/dfdv-20250930_htm.xml.gz',
  });
  real('DFDV 2025-09-30 holds 453,719 K and is HIGH, not CRITICAL', defi, ({ stress }) => {
    expect(String(stress.total_crypto_fair_value)).toBe('453719000');
    expect(stress).toMatchObject({ stress_50pct: 0.890604, risk_tier: 'HIGH', figures_basis: 'resolved' });
    // cash is filed with restricted cash in one figure, 8,801 K, and no restricted cash beside it; investments 1,377 K
    expect(stress.net_debt_to_coins).toBe(0.42287);
  });

  const clean = instance({
    cik: '0000827876',
    period: '2025-06-30',
    filed: '2025-08-07',
    path: 'instances/827876/clsk-20250630_htm.xml.gz',
  });
  real(
    'CLSK 2025-06-30 names its claim to pledged coins; both readings are CRITICAL',
    clean,
    ({ stress }) => {
      expect(String(stress.total_crypto_fair_value)).toBe('1079754000');
      expect(stress).toMatchObject({ stress_50pct: 1.519489, risk_tier: 'CRITICAL' });
      expect(stress.data_quality_notes).toContain('pledged_receivable:271491000');
    },
  );

  // the notes state 357,981,000 of bitcoin; the face has other current assets of 357,981,000
  const spring = instance({
    cik: '0000827876',
    period: '2024-03-31',
    filed: '2024-05-09',
    path: 'instances/827876/clsk-20240331_htm.xml.gz',
  });
  real('CLSK 2024-03-31 proves its coins by a line of another name', spring, ({ stress }) => {
    expect(String(stress.total_crypto_fair_value)).toBe('357981000');
    expect(stress.data_quality_notes).toContain('coins_in_lines:us-gaap:OtherAssetsCurrent');
    // 5,021 BTC filed in thousands of dollars; "fair value of bitcoin" is the same 357,981,000
    expect(stress).toMatchObject({ crypto_units_basis: 'reported_quantity', bitcoin_units_held: 5021 });
    // the filing names 323,052,000 of restricted cash and no other
    expect(stress.net_debt_to_coins).toBeNull();
  });

  // the face closes without a retainage of 1,097 K; 10,427 coins at 63,314.81 are 660,184 K
  const autumn = instance({
    cik: '0001167419',
    period: '2024-09-30',
    filed: '2024-10-30',
    path: 'instances/1167419/riot-20240930_htm.xml.gz',
  });
  real('RIOT 2024-09-30 holds 660,350 K of coins: 6,257 / 330,175 = 0.018951, LOW', autumn, ({ stress }) => {
    expect(stress).toMatchObject({ figures_basis: 'resolved', risk_tier: 'LOW', stress_50pct: 0.018951 });
    expect(String(stress.total_crypto_fair_value)).toBe('660350000');
  });

  // face: a note of 250,000 and an advance against shares, net of its discount, of 5,892,056; interest of the year 728,318
  const kulr = instance({
    cik: '0001662684',
    period: '2023-12-31',
    filed: '2024-04-12',
    path: 'instances/1662684/tmb-20231231_htm.xml.gz',
  });
  real('KULR 2023-12-31 owes 6,142,056: the prepaid advance is debt', kulr, ({ stress }) => {
    expect(String(stress.total_long_term_debt)).toBe('6142056');
    expect((stress.data_quality_notes ?? []).join()).not.toContain('implied_interest');
    expect(stress.data_quality_notes).toContain('no_crypto_denominator');
  });

  const digital = instance({
    cik: '0001710350',
    asset: 'ETH',
    path: 'instances/1710350/btbt-20250930_htm.xml.gz',
  });
  real('BTBT 2025-09-30 names the LsETH that lie in another line', digital, ({ stress }) => {
    expect(String(stress.total_crypto_fair_value)).toBe('423682364');
    expect(stress).toMatchObject({ treasury_relevance: 'core', crypto_share_of_assets: 0.373919 });
    expect(stress.data_quality_notes).toContain('coins_outside_total:17257172');
  });

  const game = instance({
    cik: '0001714562',
    asset: 'ETH',
    path: 'instances/1714562/game-20250930_htm.xml.gz',
  });
  real('GAME 2025-09-30 is exposed by a fund; its coins are 3 % of assets', game, ({ stress }) => {
    expect(stress.data_quality_notes).toContain('indirect_exposure:64539714');
    expect(stress).toMatchObject({ risk_tier: 'UNCLASSIFIED', crypto_share_of_assets: 0.033194 });
  });
});
