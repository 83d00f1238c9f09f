import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { findIssuer, findRow } from './findRow.ts';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
  await warehouse.connection.run(`INSERT INTO universe_issuer BY NAME
    SELECT i AS position, cik, ticker, name AS entity_name, aliases, 'operating_company' AS issuer_type, status,
      status_date::DATE AS status_date, successor
    FROM (VALUES
      (0, '0001554859', NULL, 'Semler Scientific, Inc.', ['SMLR'], 'merged', '2026-01-16', '0001920406'),
      (1, '0001873441', NULL, 'Blockchain Coinvestors', ['BCSA'], 'liquidated', '2024-11-13', NULL),
      (2, '0001920406', 'ASST', 'Strive, Inc.', []::VARCHAR[], NULL, NULL, NULL),
      (3, '0000002488', 'AMD', 'ADVANCED MICRO DEVICES INC', []::VARCHAR[], NULL, NULL, NULL)
    ) AS row(i, cik, ticker, name, aliases, status, status_date, successor)`);
  const filing = { accession: '0001920406-25-000001', form: '10-Q', filed: '2025-11-14', end: '2025-09-30' };
  await warehouse.putFacts([{ ...filing, cik: '0001920406', concept: 'Cash', value: '1' }]);
});
afterEach(() => warehouse.remove());

const asked = async (label: string) => {
  const issuer = await findIssuer(warehouse.connection, label);
  const error = await findRow(warehouse.connection, { issuer, period: null, sourceDate: null }).catch(
    (e) => e,
  );
  return `${error.message} ${error.hint}`;
};

it('says of a company without a row into what it merged, and where to look (I1.3a)', async () => {
  expect(await asked('SMLR')).toBe(
    '0001554859 (Semler Scientific, Inc.) has no row: it merged into ASST (Strive, Inc.) on 2026-01-16. ' +
      'What it held is in the rows of its successor: issuer explain ASST.',
  );
  expect(await asked('BCSA')).toContain('it was liquidated on 2024-11-13.');
});

it('says how many companies the inputs hold where it is none of them, and how to fetch the others', async () => {
  expect(await asked('AMD')).toBe(
    'AMD (ADVANCED MICRO DEVICES INC) has no row: the inputs of the last night hold 1 companies, and it is none of them. ' +
      'Those of EDGAR hold the whole universe: `issuer nightly --source edgar`, with II_EDGAR_CONTACT set.',
  );
  // one whose facts are at hand, without a balance sheet among them
  expect(await asked('ASST')).toContain('no eligible filing of it was at hand');
});
