import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import registry from '../../data/registry/parameters.json' with { type: 'json' };
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { goldenCloses } from '../../fixtures/builders/goldenIssuers.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { filesOfInstance } from '../../pipeline/xbrl/filingFolder.ts';
import { loadFiling } from '../../pipeline/xbrl/loadFiling.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { parseParameters } from '../parameters/parameters.ts';
import { priceBook } from '../prices/priceBook.ts';

const parameters = parseParameters(registry);
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

const assets: Readonly<Record<string, string>> = { '1805526': 'SOL', '1436229': 'ETH' };
const read = async (path: string) => {
  const [cik = ''] = path.split('/');
  const files = filesOfInstance(`${instances}${path}_htm.xml.gz`);
  return loadFiling({ cik: cik.padStart(10, '0'), accession: '0001000000-25-000001', files });
};

function stressOf(xbrl: XbrlFiling, path: string) {
  const { cik, accession } = xbrl;
  const filed = '2025-11-18';
  const filing = { cik, accession, period: '2025-09-30', filed, acceptedAt: `${filed}T21:00:00Z` };
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
