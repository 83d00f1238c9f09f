import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { readRows } from '../build/readRows.ts';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

const filing = { form: '10-Q', filed: '2025-11-14', end: '2025-09-30' };

async function file(cik: string, values: Record<string, string>, members: Partial<typeof filing> = {}) {
  const of = { ...filing, ...members };
  const accession = `${cik}-25-${of.end.replaceAll('-', '').slice(2)}`;
  await warehouse.putFacts(
    Object.entries(values).map(([concept, value]) => ({ ...of, cik, accession, concept, value })),
  );
}

const candidates = () =>
  readRows(
    warehouse.connection,
    `SELECT cik, amount, share_of_assets AS share, concept, coin_facts AS facts, period::VARCHAR AS period, form, filing_url
    FROM candidates`,
  );

it('lists registrants outside the universe whose newest filing names coins, with amount, share, date and link', async () => {
  await file('0000000005', { Assets: '1000', CryptoAssetFairValueNoncurrent: '250', CryptoAssetCost: '300' });
  await file('0000000006', { Assets: '9000', CryptoAssetFairValue: '400' });
  // in the universe
  await file('0000000007', { Assets: '1000', CryptoAssetFairValue: '500' });
  await warehouse.connection.run(
    `INSERT INTO universe_issuer BY NAME SELECT 0 AS position, '0000000007' AS cik, 'Known' AS entity_name,
      []::VARCHAR[] AS aliases, 'operating_company' AS issuer_type`,
  );
  // without coins, without them any more, and of others
  await file('0000000008', { Assets: '1000', IntangibleAssetsNetExcludingGoodwill: '900' });
  await file(
    '0000000009',
    { Assets: '1000', CryptoAssetFairValue: '800' },
    { end: '2024-12-31', filed: '2025-02-14' },
  );
  await file('0000000009', { Assets: '1000' });
  await file('0000000010', { Assets: '1000', SafeguardingAssetPlatformOperatorCryptoAsset: '700' });
  expect(await candidates()).toEqual([
    {
      cik: '0000000006',
      amount: 400,
      share: 0.044444,
      concept: 'CryptoAssetFairValue',
      facts: 1,
      period: '2025-09-30',
      form: '10-Q',
      filing_url:
        'https://www.sec.gov/Archives/edgar/data/6/000000000625250930/0000000006-25-250930-index.htm',
    },
    expect.objectContaining({
      cik: '0000000005',
      amount: 250,
      share: 0.25,
      concept: 'CryptoAssetFairValueNoncurrent',
      facts: 2,
    }),
    // another's coins are named, and no amount of its own
    expect.objectContaining({ cik: '0000000010', amount: null, share: null, facts: 1 }),
  ]);
});
