import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import registry from '../../data/registry/parameters.json' with { type: 'json' };
import { filesOfFolder, filesOfInstance } from '../../pipeline/xbrl/filingFolder.ts';
import { loadFiling } from '../../pipeline/xbrl/loadFiling.ts';
import { computeIssuer } from '../computeIssuer.ts';
import { parseParameters } from '../parameters.ts';
import { priceBook } from '../priceBook.ts';
import { goldenCloses } from './goldenIssuers.ts';
import { issuerInputs } from './issuerInputs.ts';

const parameters = parseParameters(registry);
const closes = [
  ...goldenCloses,
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

async function row(o: Case) {
  const { cik, accession, period, filed } = o;
  const path = `${edgar}${o.path}`;
  const files = o.path.endsWith('.gz') ? filesOfInstance(path) : filesOfFolder(path);
  const xbrl = await loadFiling({ cik, accession, files });
  const issuer = { cik, ticker: 'X', primaryAsset: o.asset };
  const filing = { cik, accession, period, filed, acceptedAt: `${filed}T21:00:00Z` };
  return computeIssuer(issuerInputs({ issuer, filing, xbrl }), {
    ...{ sourceDate: filed, asOf: `${filed}T23:00:00Z`, backfilled: false, parameters },
    prices: priceBook(closes, parameters),
  });
}

const tesla: Case = {
  ...{ cik: '0001318605', accession: '0001628280-24-032662', period: '2024-06-30', filed: '2024-07-24' },
  ...{ asset: 'BTC', path: 'filings/1318605/000162828024032662' },
};
const next: Case = {
  ...{ cik: '0001784970', accession: '0001213900-25-041307', period: '2025-03-31', filed: '2025-05-09' },
  ...{ asset: 'BTC', path: 'filings/1784970/000121390025041307' },
};
const hyperliquid: Case = {
  ...{ cik: '0002078856', accession: '0001193125-25-311400', period: '2025-09-30', filed: '2025-12-08' },
  ...{ asset: 'HYPE', path: 'filings/2078856/000119312525311400' },
};

/** Real filings lie beside the project and are not part of it. */
const real = (name: string, o: Case, test: (row: Awaited<ReturnType<typeof computeIssuer>>) => void) =>
  it(name, async (ctx) => {
    if (!existsSync(`${edgar}${o.path}`)) ctx.skip(`../shared/data/edgar/${o.path} is not there to resolve`);
    test(await row(o));
  });

describe('filings with their own linkbases', () => {
  // face, USD M: debt and finance leases 2,264 current and 5,481 noncurrent; finance leases of the note 240 and 143
  real('Tesla 2024-06-30 owes 7,362 M: 2,024 current, 5,338 noncurrent', tesla, ({ stress }) => {
    expect(String(stress.current_debt)).toBe('2024000000');
    expect(String(stress.noncurrent_debt)).toBe('5338000000');
    expect(stress).toMatchObject({
      ...{ data_source: 'linkbase_rollup', root_resolution_method: 'extension_root_rollup' },
      ...{ is_linkbase_backed: true, calculation_arc_count: 121 },
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

  // face: accounts payable 730,000, income tax 130,415, "Other payable" 2,062,195 (accrued fees and other),
  // deferred tax 59,655,376; no line of debt, but a conversion price of 4.8 is disclosed
  real('Next Technology 2025-03-31 shows no debt and no proof of it', next, ({ stress, trail }) => {
    expect(stress).toMatchObject({
      ...{ debt_coverage_status: 'low_confidence_missing_debt', risk_tier: 'UNCLASSIFIED' },
      ...{ bitcoin_units_held: 5833, crypto_units_basis: 'reported_quantity', calculation_arc_count: 54 },
    });
    expect(String(stress.total_long_term_debt)).toBe('0');
    expect(String(stress.total_crypto_fair_value)).toBe('481717253');
    expect(trail?.ratio.children[0].rungs.at(-1)?.reason).toBe(
      'us-gaap:DebtInstrumentConvertibleConversionPrice1 is filed',
    );
  });

  // face: accounts payable and accrued liabilities 1,138,335 of 1,212,921, the rest due to related parties; no assets
  real(
    'Hyperliquid Strategies 2025-09-30 has a corroborated zero and no coins',
    hyperliquid,
    ({ stress }) => {
      expect(stress).toMatchObject({
        ...{ debt_coverage_status: 'legitimate_zero_debt', root_resolution_method: 'corroborated_zero' },
        ...{ data_source: 'linkbase_rooted_facts', calculation_arc_count: 11, risk_tier: 'UNCLASSIFIED' },
      });
      expect(stress.data_quality_notes).toContain('no_crypto');
    },
  );
});

describe('instances without a linkbase give direct facts and say so', () => {
  const instance = (o: Partial<Case> & Pick<Case, 'cik' | 'path'>): Case => ({
    ...{ accession: '0000000000-25-000001', period: '2025-09-30', filed: '2025-11-14', asset: 'BTC' },
    ...o,
  });
  const fold = instance({ cik: '0001889123', path: 'instances/1889123/fld-20250930_htm.xml.gz' });
  const riot = instance({ cik: '0001167419', path: 'instances/1167419/riot-20250930_htm.xml.gz' });
  const btcs = instance({
    cik: '0001436229',
    asset: 'ETH',
    path: 'instances/1436229/btcs-20250930_htm.xml.gz',
  });

  real('Fold 2025-09-30: three quarters of the debt cannot be placed', fold, ({ stress }) => {
    expect(String(stress.total_long_term_debt)).toBe('21644139');
    expect(stress).toMatchObject({ data_source: 'direct_facts_fallback', quality_flag: 'Low' });
    expect(stress.data_quality_notes).toContain('debt_candidates_disagree:21644139/82394322');
    expect(String(stress.total_crypto_fair_value)).toBe('179688082');
    expect(stress.bitcoin_units_held).toBe(1575);
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

  real('BTCS 2025-09-30: the tags that are left contradict each other', btcs, ({ stress }) => {
    expect(String(stress.total_long_term_debt)).toBe('67599589');
    expect(stress).toMatchObject({
      data_source: 'direct_facts_fallback',
      quality_flag: 'Low',
      core_tier: 'Coil',
    });
  });
});
