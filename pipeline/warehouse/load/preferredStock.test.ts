import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { readSql } from '../build/readRows.ts';

type Filed = readonly [concept: string, value: number];

/** What the script makes of one balance sheet in companyfacts. */
async function preferredStock(filed: readonly Filed[]): Promise<readonly unknown[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run('CREATE SCHEMA internal; USE internal');
    await connection.run(await readSql('facts.sql'));
    await connection.run(
      'CREATE TABLE preferred_stock (cik VARCHAR, accession VARCHAR, period DATE, amount DOUBLE)',
    );
    await connection.run("INSERT INTO fact_entity VALUES (1, '0000000001', 'One')");
    for (const [series, [concept, value]] of filed.entries()) {
      await connection.run(`INSERT INTO fact_series VALUES (${series}, 'us-gaap', '${concept}', 'USD')`);
      await connection.run(`INSERT INTO fact BY NAME SELECT 1 AS cik, 100012525000001 AS accession, ${series} AS series_id,
        ${value} AS value, DATE '-infinity' AS start_date, DATE '2024-12-31' AS end_date`);
    }
    await connection.run(await readSql('preferredStock.sql'));
    const read = await connection.runAndReadAll('SELECT amount FROM preferred_stock');
    return read.getRows().map(([amount]) => amount);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const redeemable = 'TemporaryEquityCarryingAmountAttributableToParent';

it.each<[string, readonly Filed[], readonly number[]]>([
  ['the redeemable part of MSTR 2025-09-30', [[redeemable, 5_786_330_000]], [5_786_330_000]],
  [
    'both parts',
    [
      ['PreferredStockValue', 5_150_000],
      [redeemable, 10],
    ],
    [5_150_010],
  ],
  // FTAC Emerald, 10-K for 2024-12-31: class A common stock subject to redemption, and the trust that holds its price
  [
    'no common stock of a blank-check company (FLD 2024-12-31)',
    [
      [redeemable, 51_246_348],
      ['AssetsHeldInTrustNoncurrent', 51_289_643],
    ],
    [],
  ],
  [
    'the preferred stock of a company whose trust is empty',
    [
      [redeemable, 10],
      ['AssetsHeldInTrustNoncurrent', 0],
    ],
    [10],
  ],
])('preferred stock is %s (M3.28)', async (_, filed, amounts) => {
  expect(await preferredStock(filed)).toEqual(amounts);
});
