import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { goldenParameters } from '../../fixtures/builders/goldenSlice.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { choreographyOf } from './choreographyOf.ts';
import { writeFilingEvents } from './writeFilingEvents.ts';

const A = '0000000001';
const calendar = { holidays: new Set<string>() };
const parameters = goldenParameters;
const columns = {
  input: 'VARCHAR',
  cik: 'VARCHAR',
  accession: 'VARCHAR',
  form: 'VARCHAR',
  filed: 'DATE',
  accepted_at: 'TIMESTAMP',
  items: 'VARCHAR',
  file_number: 'VARCHAR',
};
const page = 'edgar/submissions.zip!CIK0000000001-submissions-001.json';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
  await warehouse.put(
    'universe_issuer',
    {
      position: 'INTEGER',
      cik: 'VARCHAR',
      entity_name: 'VARCHAR',
      aliases: ['VARCHAR'],
      issuer_type: 'VARCHAR',
    },
    [[0, A, 'Issuer 1', [], 'operating_company']],
  );
  await warehouse.put('submission_filing', columns, [
    [page, A, '0000000009-25-000001', 'S-3ASR', '2025-01-27', '2025-01-27 07:54:10', null, '333-1'],
    ['main', A, '0000000009-25-000002', '424B5', '2025-02-03', '2025-02-03 06:04:08', null, '333-1'],
    ['main', A, '0000000009-25-000003', '8-K', '2025-02-03', null, '1.01,9.01', '001-2'],
    ['main', A, '0000000009-25-000004', 'UPLOAD', '2025-02-03', '2025-02-03 20:00:00', null, null],
    ['main', A, '0000000009-25-000005', 'CORRESP', '2025-02-24', '2025-02-24 20:00:00', null, null],
    ['main', A, '0000000009-25-000006', '10-Q', '2025-05-05', '2025-05-05 20:00:00', null, '001-2'],
    ['main', '0000000002', '0000000009-25-000007', '10-Q', '2025-01-05', null, null, null],
  ]);
});
afterEach(() => warehouse.remove());

const write = async (sourceDate: string) => {
  const found = await choreographyOf(warehouse.connection, { sourceDate, calendar, parameters });
  await writeFilingEvents(warehouse.connection, found, { sourceDate });
};
const view = () =>
  readRows(
    warehouse.connection,
    `SELECT form, family, known_on::VARCHAR AS seen, items, confidence, sequence_step AS step, sequence_label AS chain
    FROM filing_events`,
  );

describe('view filing_events', () => {
  it('holds what the universe had filed by the slice, from files and older pages, with its chains', async () => {
    await write('2025-02-28');
    expect(await view()).toEqual([
      {
        form: 'S-3ASR',
        family: 'registration',
        seen: '2025-01-27',
        items: [],
        confidence: 'direct',
        step: 1,
        chain: 'Shelf takedown',
      },
      {
        form: '424B5',
        family: 'prospectus',
        seen: '2025-02-03',
        items: [],
        confidence: 'direct',
        step: 2,
        chain: 'Shelf takedown',
      },
      // without an acceptance it stands at the end of its day
      {
        form: '8-K',
        family: 'current_report',
        seen: '2025-02-03',
        items: ['1.01', '9.01'],
        confidence: 'derived',
        step: 3,
        chain: 'Shelf takedown',
      },
    ]);
  });

  it('learns of review letters twenty business days after the last of them', async () => {
    await write('2025-03-23');
    expect((await view()).map(({ form }) => form)).toEqual(['S-3ASR', '424B5', '8-K']);
    await write('2025-03-24');
    const letters = (await view()).filter(({ family }) => family === 'sec_review');
    expect(letters).toMatchObject([
      { form: 'UPLOAD', seen: '2025-03-24' },
      { form: 'CORRESP', seen: '2025-03-24' },
    ]);
  });

  it('keeps the newest slice when an older one is made later', async () => {
    await write('2025-05-05');
    await write('2025-02-28');
    expect(await view()).toHaveLength(6);
    await write('2025-05-05');
    expect(await view()).toHaveLength(6);
  });
});
