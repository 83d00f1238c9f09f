import { describe, expect, it } from 'vitest';
import registry from '../../data/registry/parameters.json' with { type: 'json' };
import { filingOfTables } from '../../fixtures/builders/xbrlFilingOfTables.ts';
import { readXbrlExpectations, xbrlTablesOf } from '../../fixtures/builders/xbrlTables.ts';
import { computeIssuer } from '../computeIssuer.ts';
import { parseParameters } from '../parameters.ts';
import { priceBook } from '../priceBook.ts';
import { goldenCloses } from './goldenIssuers.ts';
import { issuerInputs } from './issuerInputs.ts';

const parameters = parseParameters(registry);
const closes = [
  ...goldenCloses,
  ...(
    [
      ['2022-12-31', 16_556.32],
      ['2023-12-31', 42_531.41],
      ['2024-03-31', 71_312.91],
      ['2024-12-31', 93_391.98],
      ['2025-03-31', 82_548.91],
    ] as const
  ).map(([date, close]) => ({ date, asset: 'BTC', close, source: 'cryptocompare' })),
];

const primaryAssets: Readonly<Record<string, string>> = {
  ...{ MSTR: 'BTC', CLSK: 'BTC', FLD: 'BTC', KULR: 'BTC' },
  ...{ BTBT: 'ETH', BTCS: 'ETH', BMNR: 'ETH', GAME: 'ETH', DFDV: 'SOL', LITS: 'LTC' },
};
/** Day each filing was accepted; rows are computed on the snapshot day unless the filing is older than the data. */
const filed: Readonly<Record<string, string>> = {
  'MSTR 2022-12-31': '2023-02-16',
  'MSTR 2023-12-31': '2024-02-15',
  'MSTR 2024-03-31': '2024-05-01',
  'MSTR 2024-12-31': '2025-02-18',
  'MSTR 2025-03-31': '2025-05-05',
  'CLSK 2024-12-31': '2025-02-06',
  'BMNR 2025-11-30': '2026-01-13',
};

async function rowOf(ticker: string, period: string, sourceDate?: string) {
  const tables = await xbrlTablesOf(ticker, period);
  const { cik, accession, form } = tables;
  const day = filed[`${ticker} ${period}`] ?? '2025-11-14';
  const date = sourceDate ?? (period < '2025-06-30' ? day : '2026-02-07');
  return computeIssuer(
    issuerInputs({
      issuer: { cik, ticker, entityName: ticker, primaryAsset: primaryAssets[ticker] ?? null },
      filing: { cik, accession, form, period, filed: day, acceptedAt: `${day}T21:00:00Z` },
      xbrl: filingOfTables(tables),
    }),
    {
      ...{ sourceDate: date, asOf: `${date}T23:00:00Z`, backfilled: false, parameters },
      prices: priceBook(closes, parameters),
    },
  );
}

const expectations = await readXbrlExpectations();
const filings = [...new Set(expectations.map(({ ticker, period }) => `${ticker} ${period}`))];

describe.each(filings)('fixture filing %s', (name) => {
  const [ticker = '', period = ''] = name.split(' ');
  const expected = expectations.filter((row) => row.ticker === ticker && row.period === period);

  it('gives the worked-out row', async () => {
    const { stress, fundamentals, trail } = await rowOf(ticker, period);
    const [debt, coins] = trail?.ratio.children ?? [];
    const roots = (side: typeof debt) => side?.children.map((root) => root.concept).sort();
    const actual: Readonly<Record<string, unknown>> = {
      ...stress,
      debt_root_concepts: roots(debt)?.join(' '),
      crypto_root_concepts: roots(coins)?.join(' '),
      debt_extension_roots: stress.extension_root_concepts.filter((c) => roots(debt)?.includes(c)).join(' '),
      crypto_extension_roots: stress.extension_root_concepts
        .filter((c) => roots(coins)?.includes(c))
        .join(' '),
      total_equity: fundamentals.fundamentals.total_equity,
    };
    const seen: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const { field, value } of expected) {
      if (!(field in actual)) continue;
      seen[field] = String(actual[field]);
      wanted[field] = value;
    }
    expect(seen).toEqual(wanted);
  });
});
