import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  companyFile,
  recordedChanges,
  recordedScans,
  scanArchive,
} from '../../../fixtures/rigs/handMadeScans.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { readRows } from '../build/readRows.ts';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

const one = companyFile(1, [{ concept: 'Assets', val: 10 }]);
const oneLater = companyFile(1, [
  { concept: 'Assets', val: 10 },
  { concept: 'Assets', val: 12, end: '2025-10-31', accn: '0000000001-25-000002', filed: '2025-11-13' },
]);
const two = companyFile(2, [{ concept: 'Assets', val: 20 }]);
const night = (
  sourceDate: string,
  entries: Parameters<typeof scanArchive>[1]['entries'],
  published?: string[],
) => scanArchive(warehouse, { sourceDate, entries, ...(published === undefined ? {} : { published }) });

describe('recordScan', () => {
  it('takes the first scan as the baseline: nothing counts as changed (M6.12)', async () => {
    await night('2025-11-13', [one, two]);
    expect(await recordedScans(warehouse)).toEqual(['2025-11-13 baseline - 0 0 0']);
    expect(await recordedChanges(warehouse)).toEqual([]);
    expect(
      await readRows(warehouse.connection, 'SELECT total_facts::INTEGER AS n, entries FROM scans'),
    ).toEqual([{ n: 2, entries: 2 }]);
  });

  it('keeps each night its own changes, compared with the scan before it whenever that was (M6.4)', async () => {
    await night('2025-11-13', [one]);
    await night('2025-11-14', [one, two], ['2025-11-13']);
    // a gap of three months
    await night('2026-02-11', [oneLater, two], ['2025-11-13', '2025-11-14']);
    await night('2026-02-12', [oneLater, two], ['2025-11-13', '2025-11-14', '2026-02-11']);
    expect(await recordedScans(warehouse)).toEqual([
      '2025-11-13 baseline - 0 0 0',
      '2025-11-14 compared 2025-11-13 0 1 0',
      '2026-02-11 compared 2025-11-14 1 0 0',
      '2026-02-12 compared 2026-02-11 0 0 0',
    ]);
    expect(await recordedChanges(warehouse)).toEqual([
      '2025-11-14 2 added Assets - 20.0',
      '2026-02-11 1 added Assets - 12.0',
    ]);
  });

  it('says which added rows restate their series, and what the series held last (M6.2)', async () => {
    const filed = (val: number, accn: string, filed: string) => ({
      concept: 'Equity',
      val,
      accn,
      filed,
      end: '2020-12-31',
    });
    const first = filed(553, '0000000001-21-000001', '2021-02-12');
    await night('2025-11-13', [companyFile(1, [first])]);
    const second = filed(446, '0000000001-22-000001', '2022-05-03');
    const other = { concept: 'Cash', val: 5 };
    await night('2025-11-14', [companyFile(1, [first, second, other])], ['2025-11-13']);
    await night(
      '2025-11-17',
      [
        companyFile(1, [
          first,
          second,
          { ...second, accn: '0000000001-24-000001', filed: '2024-02-15' },
          other,
        ]),
      ],
      ['2025-11-13', '2025-11-14'],
    );
    expect(
      await readRows(
        warehouse.connection,
        'SELECT concept, value_after, value_prior, restated FROM changes ORDER BY ALL',
      ),
    ).toEqual([
      { concept: 'Cash', value_after: 5, value_prior: null, restated: false },
      // the series also holds 553, so it is restated, but its newest value is the same
      { concept: 'Equity', value_after: 446, value_prior: 446, restated: true },
      { concept: 'Equity', value_after: 446, value_prior: 553, restated: true },
    ]);
  });

  it('leaves a fact filed after the night to the night that knows it (M10.2)', async () => {
    const early = (day: string) => ({ concept: 'Cash', val: 7, accn: '0000000001-25-000009', filed: day });
    const ahead = companyFile(1, [{ concept: 'Assets', val: 10 }, early('2025-11-15')]);
    await night('2025-11-13', [one]);
    await night('2025-11-14', [ahead, two], ['2025-11-13']);
    expect(await recordedChanges(warehouse)).toEqual([
      '2025-11-14 2 added Assets - 20.0',
      'pending 1 added Cash - 7.0',
    ]);
    // the same night again, and the next one over the same archive
    await night('2025-11-14', [ahead, two], ['2025-11-13', '2025-11-14']);
    await night('2025-11-17', [ahead, two], ['2025-11-13', '2025-11-14']);
    expect(await recordedChanges(warehouse)).toEqual([
      '2025-11-14 2 added Assets - 20.0',
      '2025-11-17 1 added Cash - 7.0',
    ]);
    expect(await recordedScans(warehouse)).toContain('2025-11-17 compared 2025-11-14 0 0 0');
  });

  it('leaves what the first archive holds of later days to the nights that know it (M10.2)', async () => {
    const later = (concept: string, val: number, day: string) => ({
      concept,
      val,
      accn: '0000000001-25-000009',
      filed: day,
    });
    const ahead = companyFile(1, [
      { concept: 'Assets', val: 10 },
      { concept: 'Cash', val: 5 },
      later('Assets', 12, '2025-11-14'),
      later('Cash', 5, '2025-11-14'),
      later('Debt', 3, '2025-11-17'),
    ]);
    await night('2025-11-13', [ahead]);
    await night('2025-11-13', [ahead], ['2025-11-13']);
    await night('2025-11-14', [ahead], ['2025-11-13']);
    await night('2025-11-17', [ahead], ['2025-11-13', '2025-11-14']);
    expect(await recordedChanges(warehouse)).toEqual([
      '2025-11-14 1 added Assets - 12.0 restated',
      '2025-11-14 1 added Cash - 5.0',
      '2025-11-17 1 added Debt - 3.0',
    ]);
    expect(
      await readRows(warehouse.connection, 'SELECT concept, value_prior FROM changes ORDER BY ALL'),
    ).toEqual([
      { concept: 'Assets', value_prior: 10 },
      { concept: 'Cash', value_prior: 5 },
      { concept: 'Debt', value_prior: null },
    ]);
  });

  it('gives the exact digits of the value an evidence line has, not of the one before (M6.5, M10.8)', async () => {
    const big = (...digits: string[]) => digits.map((val, i) => ({ concept: `Asset${i}`, val }));
    const [even, odd] = ['9007199254740992', '9007199254740993'];
    await night('2025-11-13', [companyFile(1, big(odd, even, odd))]);
    await night('2025-11-14', [companyFile(1, big(even, odd))], ['2025-11-13']);
    expect(
      await readRows(
        warehouse.connection,
        'SELECT kind, value_exact, value_was FROM evidence ORDER BY "index"',
      ),
    ).toEqual([
      { kind: 'revised', value_exact: null, value_was: 9007199254740992 },
      { kind: 'revised', value_exact: odd, value_was: 9007199254740992 },
      { kind: 'removed', value_exact: odd, value_was: 9007199254740992 },
    ]);
  });

  it('sees no change where only frame, fy, fp or labels moved (M15.48)', async () => {
    await night('2025-11-13', [companyFile(1, [{ concept: 'Assets', val: 1, frame: 'CY2025Q3I' }])]);
    await night(
      '2025-11-14',
      [companyFile(1, [{ concept: 'Assets', val: 1, fy: 2026, fp: 'Q1', label: 'All assets' }])],
      ['2025-11-13'],
    );
    expect(await recordedScans(warehouse)).toContain('2025-11-14 compared 2025-11-13 1 0 0');
    expect(await recordedChanges(warehouse)).toEqual([]);
  });

  it('records a registrant that disappears with every row it had', async () => {
    const others = Array.from({ length: 19 }, (_, i) =>
      companyFile(100 + i, [{ concept: 'Assets', val: i }]),
    );
    await night('2025-11-13', [one, ...others]);
    await night('2025-11-14', others, ['2025-11-13']);
    expect(await recordedScans(warehouse)).toContain('2025-11-14 compared 2025-11-13 0 0 1');
    expect(await recordedChanges(warehouse)).toEqual(['2025-11-14 1 removed Assets 10.0 -']);
    expect(await readRows(warehouse.connection, 'SELECT entity_name FROM scan_file')).toEqual([
      { entity_name: 'ISSUER 1' },
    ]);
  });

  it('compares an archive that lost half its companies with nothing, and the whole one after it with the last good one', async () => {
    await night('2025-11-13', [one, two]);
    await night('2025-11-14', [one], ['2025-11-13']);
    expect(await recordedScans(warehouse)).toContain('2025-11-14 incomplete 2025-11-13 0 0 1');
    expect(await readRows(warehouse.connection, 'SELECT count(*)::INTEGER AS n FROM changes')).toEqual([
      { n: 0 },
    ]);
    await night('2025-11-17', [oneLater, two], ['2025-11-13', '2025-11-14']);
    expect(await recordedScans(warehouse)).toContain('2025-11-17 compared 2025-11-13 1 0 0');
    expect(await recordedChanges(warehouse)).toEqual(['2025-11-17 1 added Assets - 12.0']);
  });

  it('neither doubles nor loses a delta when the same night runs again, with the same archive or another', async () => {
    await night('2025-11-13', [one]);
    const published = ['2025-11-13'];
    await night('2025-11-14', [one, two], published);
    const before = [await recordedScans(warehouse), await recordedChanges(warehouse)];
    await night('2025-11-14', [one, two], published);
    expect([await recordedScans(warehouse), await recordedChanges(warehouse)]).toEqual(before);
    await night('2025-11-14', [oneLater, companyFile(2, [{ concept: 'Assets', val: 21 }])], published);
    expect(await recordedChanges(warehouse)).toEqual([
      '2025-11-14 1 added Assets - 12.0',
      '2025-11-14 2 added Assets - 21.0',
    ]);
    await night('2025-11-14', [one], published);
    expect(await recordedScans(warehouse)).toContain('2025-11-14 compared 2025-11-13 0 0 0');
    expect(await recordedChanges(warehouse)).toEqual([]);
  });

  it('leaves the record alone when an older night is looked at again, and finds back', async () => {
    await night('2025-11-13', [one]);
    await night('2025-11-14', [one, two], ['2025-11-13']);
    const scans = await recordedScans(warehouse);
    await night('2025-11-13', [one], []);
    expect(await recordedScans(warehouse)).toEqual(scans);
    expect(await recordedChanges(warehouse)).toEqual([
      '2025-11-14 2 added Assets - 20.0',
      'pending 2 removed Assets 20.0 -',
    ]);
    await night('2025-11-17', [oneLater, two], ['2025-11-13', '2025-11-14']);
    expect(await recordedChanges(warehouse)).toEqual([
      '2025-11-14 2 added Assets - 20.0',
      '2025-11-17 1 added Assets - 12.0',
    ]);
  });

  it('carries the changes of a night nobody saw over to the next one that is published', async () => {
    await night('2025-11-13', [one]);
    await night('2025-11-14', [one, two], ['2025-11-13']);
    await night('2025-11-17', [oneLater, two], ['2025-11-13']);
    expect(await recordedScans(warehouse)).toEqual([
      '2025-11-13 baseline - 0 0 0',
      '2025-11-17 compared 2025-11-13 1 1 0',
    ]);
    expect(await recordedChanges(warehouse)).toEqual([
      '2025-11-17 1 added Assets - 12.0',
      '2025-11-17 2 added Assets - 20.0',
    ]);
  });

  const readAnew = async () => {
    for (const table of ['fact', 'fact_entity', 'archive_entry'])
      await warehouse.connection.run(`DELETE FROM ${table}`);
  };

  it('finds the archive of a recorded night again when its tables were filled anew', async () => {
    await night('2025-11-13', [one]);
    await night('2025-11-14', [one, two], ['2025-11-13']);
    const record = [await recordedScans(warehouse), await recordedChanges(warehouse)];
    await readAnew();
    await night('2025-11-14', [one, two], ['2025-11-13']);
    expect([await recordedScans(warehouse), await recordedChanges(warehouse)]).toEqual(record);
    // every night again in its order, from the first on
    await readAnew();
    await night('2025-11-13', [one], []);
    expect(await recordedChanges(warehouse)).toContain('pending 2 removed Assets 20.0 -');
    await night('2025-11-14', [one, two], ['2025-11-13']);
    expect([await recordedScans(warehouse), await recordedChanges(warehouse)]).toEqual(record);
    await night('2025-11-17', [oneLater, two], ['2025-11-13', '2025-11-14']);
    expect(await recordedScans(warehouse)).toContain('2025-11-17 compared 2025-11-14 1 0 0');
    expect(await recordedChanges(warehouse)).toEqual([
      '2025-11-14 2 added Assets - 20.0',
      '2025-11-17 1 added Assets - 12.0',
    ]);
  });

  it('compares an archive read into empty tables that no record knows with nothing, and keeps what was recorded', async () => {
    await night('2025-11-13', [one]);
    await night('2025-11-14', [one, two], ['2025-11-13']);
    await readAnew();
    // neither on the newest night nor before it is a record given up for it
    await night('2025-11-13', [oneLater], []);
    await night('2025-11-14', [oneLater, two], ['2025-11-13']);
    expect(await recordedChanges(warehouse)).toEqual(['2025-11-14 2 added Assets - 20.0']);
    await night('2025-11-17', [oneLater, two], ['2025-11-13', '2025-11-14']);
    expect(await recordedScans(warehouse)).toContain('2025-11-17 uncompared - 0 0 0');
    await night('2025-11-18', [one, two], ['2025-11-13', '2025-11-14', '2025-11-17']);
    expect(await recordedScans(warehouse)).toContain('2025-11-18 compared 2025-11-17 1 0 0');
    expect(await recordedChanges(warehouse)).toEqual([
      '2025-11-14 2 added Assets - 20.0',
      '2025-11-18 1 removed Assets 12.0 -',
    ]);
  });
});
