import { afterEach, beforeEach, expect, it } from 'vitest';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import {
  type HandMadeWarehouse,
  handMadeIssuer,
  handMadeWarehouse,
} from '../../fixtures/rigs/handMadeWarehouse.ts';
import { asOfPositions } from './backfill.ts';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

it('keeps a registrant in the slices before the day it ended on, and in none from then on (M1.39c)', async () => {
  const filing = { accession: '0001554859-25-000001', form: '10-Q', filed: '2025-11-05', end: '2025-09-30' };
  const facts = { Assets: '500', LiabilitiesAndStockholdersEquity: '500', StockholdersEquity: '500' };
  const cik = '0001554859';
  await warehouse.putFacts(
    Object.entries(facts).map(([concept, value]) => ({ ...filing, cik, concept, value })),
  );
  const ended = { status: 'merged', on: '2026-01-16', successor: '0001920406' } as const;
  const known: string[] = [];
  const dates = ['2026-01-15', '2026-01-16', '2026-01-31'];
  for await (const { sourceDate, known: found } of asOfPositions({
    connection: warehouse.connection,
    dates,
    issuers: [handMadeIssuer(cik, { ended })],
    rows: [],
    parameters: registryParameters,
    cache: null,
    stopIfAsked: () => undefined,
    log: () => undefined,
  })) {
    known.push(`${sourceDate} ${found.length}`);
  }
  expect(known).toEqual(['2026-01-15 1', '2026-01-16 0', '2026-01-31 0']);
});
