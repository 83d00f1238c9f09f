import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type HandMadeFact,
  type HandMadeWarehouse,
  handMadeWarehouse,
} from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { readRows } from '../build/readRows.ts';
import { dropVintages, selectVintages } from './selectVintages.ts';

const cik = '0001808110';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

const filing = (n: number, form: string, period: string, filed: string): HandMadeFact => ({
  cik,
  form,
  filed,
  end: period,
  concept: 'Assets',
  value: `${n}`,
  accession: `0000000009-25-${String(n).padStart(6, '0')}`,
});

async function inForce() {
  const { connection } = warehouse;
  const vintages = await selectVintages(connection, { from: '2024-12-01', to: '2025-12-31', ciks: [cik] });
  await dropVintages(connection);
  return vintages.map(({ filing: found, since }) => `${found.form} ${found.period} from ${since}`);
}

it('a late amendment of an older year displaces no newer report, one of the same period does (M1.39b)', async () => {
  await warehouse.putFacts([
    filing(1, '10-K', '2024-12-31', '2025-03-03'),
    filing(2, '10-Q', '2025-03-31', '2025-05-05'),
    filing(3, '10-K/A', '2024-12-31', '2025-06-02'),
    filing(4, '10-Q/A', '2025-03-31', '2025-06-20'),
  ]);
  expect(await inForce()).toEqual([
    '10-K 2024-12-31 from 2025-03-03',
    '10-Q 2025-03-31 from 2025-05-05',
    '10-Q/A 2025-03-31 from 2025-06-20',
  ]);
});

it('a newer filing that only an unusable instance tells of displaces nothing and is named (M1.44c)', async () => {
  const [older, newer] = ['0000000009-25-000001', '0000000009-25-000002'];
  await warehouse.putFacts([filing(1, '10-Q', '2025-03-31', '2025-05-05')]);
  const text = { input: 'VARCHAR', cik: 'VARCHAR', accession: 'VARCHAR', form: 'VARCHAR', file: 'VARCHAR' };
  await warehouse.put('instance_filing', { ...text, filed: 'DATE', period: 'DATE' }, [
    ['index', cik, newer, '10-Q', '1808110/x_htm.xml', '2025-08-05', '2025-06-30'],
  ]);
  const document = {
    input: 'VARCHAR',
    cik: 'VARCHAR',
    accession: 'VARCHAR',
    part: 'VARCHAR',
    status: 'VARCHAR',
  };
  await warehouse.put('filing_document', document, [['edgar', cik, newer, 'instance', 'unusable']]);
  await warehouse.connection.run(`INSERT INTO renewed VALUES ('${cik}')`);
  await warehouse.renewFilings();
  const passedOver = async (day: string) => {
    const [found] = await selectVintages(warehouse.connection, { from: day, to: day, ciks: [cik] });
    await dropVintages(warehouse.connection);
    return [found?.filing.accession, found?.filing.passedOver, found?.filing.isPending];
  };
  expect(await passedOver('2025-08-04')).toEqual([older, undefined, undefined]);
  expect(await passedOver('2025-08-05')).toEqual([older, newer, undefined]);
});

it('a newer report that the list of submissions alone tells of is named from its filing on, until one is read (M1.44c)', async () => {
  await warehouse.putFacts([
    filing(1, '10-Q', '2025-06-30', '2025-07-24'),
    filing(9, '10-Q', '2026-03-31', '2026-04-23'),
  ]);
  const text = { input: 'VARCHAR', cik: 'VARCHAR', accession: 'VARCHAR', form: 'VARCHAR' };
  await warehouse.put('submission_filing', { ...text, filed: 'DATE', report_date: 'DATE' }, [
    ['submissions', cik, '0000000009-25-000002', '10-Q', '2025-10-23', '2025-09-30'],
    // a part of an annual report, an older period and a report of no figures tell of no balance sheet
    ['submissions', cik, '0000000009-25-000003', '10-K/A', '2025-11-03', '2025-12-31'],
    ['submissions', cik, '0000000009-25-000004', '6-K', '2025-11-04', '2025-10-31'],
    ['submissions', cik, '0000000009-25-000005', '10-Q', '2025-11-05', '2025-03-31'],
    ['submissions', cik, '0000000009-26-000006', '10-K', '2026-01-29', '2025-12-31'],
  ]);
  await warehouse.connection.run(`INSERT INTO renewed VALUES ('${cik}')`);
  await warehouse.renewFilings();
  const passedOver = async (from: string, to: string) => {
    const found = await selectVintages(warehouse.connection, { from, to, ciks: [cik] });
    await dropVintages(warehouse.connection);
    return found.map(({ filing: of, since }) => [
      since,
      of.accession.slice(-1),
      of.passedOver?.slice(-1) ?? null,
      of.isPending ?? false,
    ]);
  };
  expect(await passedOver('2025-07-01', '2026-05-01')).toEqual([
    ['2025-07-24', '1', null, false],
    // not published yet, which is another word than unusable
    ['2025-10-23', '1', '2', true],
    ['2026-01-29', '1', '6', true],
    ['2026-04-23', '9', null, false],
  ]);
  for (const [day, newer] of [
    ['2025-10-22', null],
    ['2025-10-23', '2'],
    ['2026-02-07', '6'],
  ] as const)
    expect(await passedOver(day, day)).toEqual([[day, '1', newer, newer !== null]]);
});

it('of two filings accepted at one instant the accession decides, whatever their order', async () => {
  const two = [filing(2, '10-Q', '2025-03-31', '2025-05-05'), filing(1, '10-Q', '2025-03-31', '2025-05-05')];
  await warehouse.putFacts(two);
  const { connection } = warehouse;
  const vintages = await selectVintages(connection, { from: '2025-05-01', to: '2025-05-31', ciks: [cik] });
  expect(vintages.map(({ filing: { accession } }) => accession)).toEqual(['0000000009-25-000002']);
});

it.each([
  // four months and fifteen days: the filing named its own period end
  ['20-F', '2024-12-31', '2024-12-31', '2025-05-15', true],
  ['10-Q', '2025-03-31', '2025-03-30', '2025-05-20', true],
  ['10-K', '2024-12-31', '2024-12-31', '2025-04-15', true],
  ['6-K', '2025-06-30', '2025-06-30', '2025-08-29', true],
  ['10-Q', '2025-03-31', '2025-04-01', '2025-04-01', false],
] as const)(
  '%s of %s with filing date %s acts from %s (M1.44b: DDC 20-F)',
  async (form, period, filed, from, isStatutory) => {
    await warehouse.putFacts([filing(1, form, period, filed)]);
    expect(await inForce()).toEqual([`${form} ${period} from ${from}`]);
    const [row] = await readRows(warehouse.connection, 'SELECT filing_date_statutory AS stated FROM filings');
    expect(row?.['stated']).toBe(isStatutory);
  },
);
