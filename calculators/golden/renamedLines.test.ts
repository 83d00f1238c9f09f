import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { goldenCloses } from '../../fixtures/builders/goldenIssuers.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { filesOfInstance } from '../../pipeline/xbrl/filingFolder.ts';
import { loadFiling } from '../../pipeline/xbrl/loadFiling.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { priceBook } from '../prices/priceBook.ts';

const parameters = registryParameters;
const prices = priceBook(goldenCloses, parameters);
const instances = fileURLToPath(new URL('../../../shared/data/edgar/instances/', import.meta.url));

/** Real balance sheets, their tier, and the lines it rests on. */
const sheets = [
  {
    path: '1167419/riot-20250930',
    tier: 'HIGH',
    debt: ['us-gaap:LongTermDebtNoncurrent', 'us-gaap:LongTermDebtCurrent'],
    coins: ['us-gaap:CryptoAssetFairValueNoncurrent', 'riot:CryptoAssetFairValueRestrictedNoncurrent'],
  },
  {
    path: '1805526/dfdv-20250930',
    tier: 'HIGH',
    debt: ['us-gaap:LongTermDebtNoncurrent', 'dfdv:DigitalAssetFinancingArrangements'],
    // of its pledged coins the filing states no other total
    coins: ['us-gaap:CryptoAssetFairValueNoncurrent'],
  },
  {
    path: '1889123/fld-20250930',
    tier: 'HIGH',
    debt: ['us-gaap:ConvertibleLongTermNotesPayable', 'fld:ConvertibleNotesPayableRelatedPartyNoncurrent'],
    coins: ['fld:DigitalAssetsNoncurrent'],
  },
  {
    path: '1436229/btcs-20250930',
    tier: 'LOW',
    debt: ['us-gaap:LoansPayableCurrent', 'us-gaap:ConvertibleLongTermNotesPayable'],
    coins: ['BTCS:CryptoAssetsDefi', 'BTCS:StakedCryptoAssetsCurrencies'],
  },
  {
    path: '1662684/tmb-20250930',
    tier: 'LOW',
    debt: ['us-gaap:LinesOfCreditCurrent'],
    coins: ['us-gaap:CryptoAssetFairValueUnrestricted', 'kutg:CryptoAssetHeldAsCollateralNonCurrent'],
  },
] as const;

/** Balance sheets that add up with their coins under another name, and what is left of the coins. */
const hidden = [
  // 1,946,582 of 2,443,079 K, 2,895,619 of 3,638,387 K: all the coins in one line
  ['1050446/mstr-20210331', 'us-gaap:IndefiniteLivedIntangibleAssetsExcludingGoodwill', '0'],
  ['1050446/mstr-20220331', 'us-gaap:IndefiniteLivedIntangibleAssetsExcludingGoodwill', '0'],
  // 302,783 of 27,146,691 would be incidental, 25,202,929 are the core
  ['1436229/btcs-20231231', 'BTCS:StakedCryptoAssetsCurrencies', '302783'],
  // CRITICAL over 396,519 K, HIGH over 453,719 K
  ['1805526/dfdv-20250930', 'dfdv:DigitalAssetsAtCarryingValueNet', '396519000'],
] as const;

/** Balance sheets of a coin class without coins, whose large lines are named or are no coins by the notes. */
const without = [
  // IntangibleAssetsNetExcludingGoodwill 27,898,454 of 101,864,100 is FiniteLivedIntangibleAssetsNet to the dollar
  ['1714562/game-20240331', []],
  // 7,715,746 other and 1,492,607 intangible of 66,474,517, and the filing nowhere speaks of coins
  ['1808110/ddc-20241231', ['unnamed_assets:9208353']],
  // 51,289,643 of 52,156,156 are assets in trust, and the filing speaks of bitcoin in `BitcoinAmount`
  ['1889123/emld-20240930', []],
] as const;

const assets: Readonly<Record<string, string>> = { '1805526': 'SOL', '1436229': 'ETH' };
const read = async (path: string) => {
  const [cik = ''] = path.split('/');
  const files = filesOfInstance(`${instances}${path}_htm.xml.gz`);
  return loadFiling({ cik: cik.padStart(10, '0'), accession: '0001000000-25-000001', files });
};

function stressOf(xbrl: XbrlFiling, path: string) {
  const { cik, accession } = xbrl;
  const filed = '2025-11-18';
  const period = path.replace(/^.*-(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  const filing = { cik, accession, period, filed, acceptedAt: `${filed}T21:00:00Z` };
  const issuer = { cik, ticker: 'X', primaryAsset: assets[path.split('/')[0] ?? ''] ?? 'BTC' };
  return computeIssuer(issuerInputs({ issuer, filing, xbrl }), {
    sourceDate: filed,
    asOf: `${filed}T23:00:00Z`,
    backfilled: false,
    parameters,
    prices,
  }).stress;
}

function renamed({ facts, ...filing }: XbrlFiling, from: string, to: string): XbrlFiling {
  expect(facts.some(({ concept }) => concept === from)).toBe(true);
  return {
    ...filing,
    facts: facts.map((fact) => (fact.concept === from ? { ...fact, concept: to } : fact)),
  };
}

/** Real filings lie beside the project and are not part of it. */
it.for(sheets)(
  '$path under names that say nothing keeps its tier or has none, and says why',
  async (sheet, ctx) => {
    const { path, tier } = sheet;
    if (!existsSync(`${instances}${path}_htm.xml.gz`))
      ctx.skip(`../shared/data/edgar/instances/${path} is not there to resolve`);
    const filing = await read(path);
    expect(stressOf(filing, path).risk_tier).toBe(tier);
    const variants = [
      ...sheet.debt.map((line) => renamed(filing, line, 'x:LenderFacility')),
      ...sheet.debt.map((line) => renamed(filing, line, 'us-gaap:OtherLiabilities')),
      ...sheet.coins.map((line) => renamed(filing, line, 'x:TreasuryReserve')),
      ...sheet.coins.map((line) => renamed(filing, line, 'us-gaap:OtherIntangibleAssetsNet')),
    ];
    for (const variant of variants) {
      const { risk_tier, data_quality_notes, figures_basis, quality_flag } = stressOf(variant, path);
      if (risk_tier === tier) continue;
      expect({ risk_tier, quality_flag }).toEqual({ risk_tier: 'UNCLASSIFIED', quality_flag: 'Low' });
      expect(figures_basis).not.toBe('resolved');
      expect((data_quality_notes ?? []).join()).toMatch(
        /tier_depends_on_candidate|(debt|crypto)_candidates_disagree|zero_debt_unproven/,
      );
    }
  },
);

it.for(hidden)(
  '%s with %s under a name that says nothing has coins that are not proven',
  async (row, ctx) => {
    const [path, line, left] = row;
    if (!existsSync(`${instances}${path}_htm.xml.gz`))
      ctx.skip(`../shared/data/edgar/instances/${path} is not there to resolve`);
    const filing = await read(path);
    expect(stressOf(filing, path).figures_basis).toBe('resolved');
    for (const name of ['x:TreasuryReserve', 'us-gaap:OtherIntangibleAssetsNet']) {
      const row = stressOf(renamed(filing, line, name), path);
      expect(row).toMatchObject({ figures_basis: 'crypto_unproven', risk_tier: 'UNCLASSIFIED' });
      expect(String(row.total_crypto_fair_value)).toBe(left);
      expect(row.data_quality_notes).not.toContain('no_crypto_denominator');
      expect(row.data_quality_notes?.join()).toMatch(/tier_depends_on_candidate|crypto_unproven/);
    }
  },
);

it.for(without)('%s has no coins, and that is proven', async ([path, notes], ctx) => {
  if (!existsSync(`${instances}${path}_htm.xml.gz`))
    ctx.skip(`../shared/data/edgar/instances/${path} is not there to resolve`);
  const row = stressOf(await read(path), path);
  expect(row.figures_basis).toBe('resolved');
  expect(String(row.total_crypto_fair_value)).toBe('0');
  expect(row.data_quality_notes?.filter((note) => note.startsWith('unnamed_assets'))).toEqual(notes);
});

it('Lite Strategy 2025-09-30 with its litecoin among intangibles is unproven, never without coins', async (ctx) => {
  const path = '1262104/lits-20250930';
  if (!existsSync(`${instances}${path}_htm.xml.gz`))
    ctx.skip(`../shared/data/edgar/instances/${path} is not there to resolve`);
  const { facts, ...filing } = await read(path);
  const among = facts.flatMap((fact) => {
    if (fact.concept === 'us-gaap:CryptoAssetFairValue')
      return [{ ...fact, concept: 'us-gaap:OtherIntangibleAssetsNet' }];
    return /CryptoAsset|DigitalAsset/.test(fact.concept) ? [] : [fact];
  });
  // what is left of them: 99,369 K of AssetsFairValueDisclosure, by level, of digital assets
  const { figures_basis, data_quality_notes } = stressOf({ ...filing, facts: among }, path);
  expect(figures_basis).toBe('crypto_unproven');
  expect(data_quality_notes).toContain('crypto_unproven:99369000');
  expect(data_quality_notes).not.toContain('no_crypto');
});
