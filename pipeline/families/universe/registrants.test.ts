import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type HandMadeWarehouse,
  handMadeIssuer,
  handMadeWarehouse,
} from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { selectRegistrants } from '../../warehouse/select/selectCompanies.ts';
import type { NightFacts } from '../familyContexts.ts';
import { registrants } from './companies.ts';

const tickerColumns = { input: 'VARCHAR', cik: 'VARCHAR', ticker: 'VARCHAR', name: 'VARCHAR' };
const entityColumns = { cik_number: 'INTEGER', cik: 'VARCHAR', entity_name: 'VARCHAR' };

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

async function made(): Promise<unknown[]> {
  const known = await selectRegistrants(warehouse.connection);
  const issuers = [handMadeIssuer('0001050446', { ticker: 'MSTR' })];
  const night = { sourceDate: '2026-02-07', issuers, registrants: known } as unknown as NightFacts;
  const artifacts = await registrants.make({ night }, { backfilled: false });
  const made = artifacts.filter((artifact) => 'bytes' in artifact);
  return made.map(({ key, bytes }) => [key, JSON.parse(Buffer.from(bytes).toString())]);
}

describe('registrants outside the universe', () => {
  it('are those with a listed ticker or a companyfacts file, each once, by CIK', async () => {
    await warehouse.put('listed_ticker', tickerColumns, [
      ['t', '0001652044', 'GOOGL', 'Alphabet Inc.'],
      ['t', '0001652044', 'GOOG', 'Alphabet Inc.'],
      ['t', '0001050446', 'STRK', 'Strategy Inc'],
      ['t', '0000789019', 'MSFT', 'MICROSOFT CORP'],
      ['t', '0000789020', 'not a ticker', 'Odd Corp'],
    ]);
    await warehouse.put('fact_entity', entityColumns, [
      [789019, '0000789019', 'MICROSOFT CORPORATION'],
      [1050446, '0001050446', 'STRATEGY INC'],
      [9100001, '0009100001', null],
    ]);
    expect(await made()).toEqual([
      [
        'registrants/2026-02-07.json',
        {
          source_date: '2026-02-07',
          registrants: [
            { cik: '0000789019', name: 'MICROSOFT CORP', tickers: ['MSFT'] },
            { cik: '0000789020', name: 'Odd Corp', tickers: [] },
            { cik: '0001652044', name: 'Alphabet Inc.', tickers: ['GOOG', 'GOOGL'] },
            { cik: '0009100001', name: null, tickers: [] },
          ],
        },
      ],
    ]);
  });

  it('are no artifact where the inputs name none', async () => {
    expect(await made()).toEqual([]);
  });
});
