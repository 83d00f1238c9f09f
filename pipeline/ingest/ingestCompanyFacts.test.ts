import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ZipEntry as Written, writeZip } from '../../fixtures/builders/zipWriter.ts';
import type { Effects } from '../effects.ts';
import { ingestCompanyFacts } from './ingestCompanyFacts.ts';

const quiet: Effects = {
  clock: { now: () => new Date(0), sleep: () => Promise.resolve() },
  log: () => undefined,
};

let instance: DuckDBInstance;
let connection: DuckDBConnection;
let directory: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ingest-'));
  instance = await DuckDBInstance.create(join(directory, 'build.duckdb'));
  connection = await instance.connect();
  await connection.run("CREATE SCHEMA internal; SET search_path = 'internal,main'");
  for (const script of ['facts.sql', 'factViews.sql'])
    await connection.run(readFileSync(`data/sql/${script}`, 'utf8'));
});

afterEach(() => {
  connection.closeSync();
  instance.closeSync();
  rmSync(directory, { recursive: true });
});

type Fact = { concept: string; end: string; val: string; accn: string; start?: string; frame?: string };

function companyFacts(cik: number, facts: readonly Fact[]): Written {
  const byConcept = Map.groupBy(facts, (f) => f.concept);
  const concepts = [...byConcept].map(([concept, rows]) => {
    const units = rows.map(
      (f) =>
        `{${f.start === undefined ? '' : `"start":"${f.start}",`}"end":"${f.end}","val":${f.val},"accn":"${f.accn}",` +
        `"fy":2024,"fp":"FY","form":"10-K","filed":"2025-02-01"${f.frame === undefined ? '' : `,"frame":"${f.frame}"`}}`,
    );
    return `"${concept}":{"label":null,"description":null,"units":{"USD":[${units.join(',')}]}}`;
  });
  const padded = String(cik).padStart(10, '0');
  const text = `{"cik":${cik},"entityName":"ISSUER ${cik}","facts":{"us-gaap":{${concepts.join(',')}}}}`;
  return { name: `CIK${padded}.json`, data: Buffer.from(text) };
}

function fact(concept: string, val: string | number, input: Partial<Fact> = {}): Fact {
  return { concept, end: '2024-12-31', val: String(val), accn: '0001193125-25-000001', ...input };
}

async function ingest(entries: readonly Written[], input: { workers?: number } = {}) {
  const archivePath = join(directory, 'companyfacts.zip');
  writeFileSync(archivePath, writeZip(entries));
  return ingestCompanyFacts({ archivePath, connection, effects: quiet, ...input });
}

async function rows(sql: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRowsJson();
}

describe('a first build', () => {
  it('holds every column as filed, the decimal beside a double that cannot hold it', async () => {
    const report = await ingest([
      companyFacts(1050446, [
        fact('Assets', '9007199254740993', { frame: 'CY2024Q4I' }),
        fact('Liabilities', '12.5', { start: '2024-01-01', accn: '0001193125-24-000009' }),
      ]),
    ]);
    expect(report).toEqual({
      entries: 1,
      unchanged: 0,
      changed: [],
      added: ['CIK0001050446.json'],
      removed: [],
      facts: 2,
      quarantined: [],
      bytes: expect.any(Number),
    });
    expect(await rows('FROM facts ORDER BY concept')).toEqual([
      ['0001050446', 'us-gaap', 'Assets', 'USD', null, '2024-12-31', 9007199254740992, '9007199254740993',
        '0001193125-25-000001', '10-K', '2025-02-01', 2024, 'FY', 'CY2024Q4I'],
      ['0001050446', 'us-gaap', 'Liabilities', 'USD', '2024-01-01', '2024-12-31', 12.5, null,
        '0001193125-24-000009', '10-K', '2025-02-01', 2024, 'FY', null],
    ]); // biome-ignore format: one row a line
    expect(await rows('SELECT cik, entity_name FROM fact_entity')).toEqual([
      ['0001050446', 'ISSUER 1050446'],
    ]);
    expect(await rows('FROM fact_change')).toEqual([]);
  });

  it('holds a name without what drives a terminal, and no facts of a concept with such a name', async () => {
    const named = companyFacts(7, [fact('Assets', 1)]);
    const odd = named.data.toString().replace('"ISSUER 7"', '"\\u001b[2JISSUER\\u202e\\n 7"');
    const spoiled = companyFacts(8, [fact('Ass\\u0007ets', 1)]);
    const report = await ingest([{ ...named, data: Buffer.from(odd) }, spoiled]);
    expect(await rows('SELECT cik, entity_name FROM fact_entity')).toEqual([['0000000007', '[2JISSUER 7']]);
    expect(report.quarantined.map(({ name }) => name)).toEqual(['CIK0000000008.json']);
  });

  it('stands in cik order whatever the order in the archive, and equal with and without workers', async () => {
    const facts = Array.from({ length: 9000 }, (_, i) =>
      fact(`Concept${i % 700}`, i, { accn: `0001193125-25-${String(i).padStart(6, '0')}` }),
    );
    const entries = [5, 3, 9, 1, 7, 2, 8].map((cik) => companyFacts(cik, facts));
    expect((await ingest(entries, { workers: 2 })).facts).toBe(63_000);
    expect(
      await rows('SELECT list(cik) FROM (SELECT cik, min(rowid) FROM fact GROUP BY cik ORDER BY 2)'),
    ).toEqual([[[1, 2, 3, 5, 7, 8, 9]]]);
    const dump = 'SELECT md5(string_agg(fact::VARCHAR, chr(10) ORDER BY rowid)) FROM fact';
    const series = 'FROM fact_series ORDER BY series_id';
    const parallel = [await rows(dump), await rows(series)];
    for (const table of [
      'fact',
      'fact_series',
      'fact_form',
      'fact_fp',
      'fact_frame',
      'fact_entity',
      'archive_entry',
    ]) {
      await connection.run(`DELETE FROM ${table}`);
    }
    await ingest(entries, { workers: 0 });
    expect([await rows(dump), await rows(series)]).toEqual(parallel);
  });
});

describe('a later archive', () => {
  const one = companyFacts(1, [fact('Assets', 1)]);
  const two = companyFacts(2, [fact('Assets', 2), fact('Debt', 20)]);

  it('costs nothing when no entry differs, and keeps the changes found last', async () => {
    await ingest([one]);
    await ingest([one, two]);
    const before = await rows('FROM fact_change');
    expect(before).toHaveLength(2);
    expect(await ingest([two, one])).toMatchObject({
      unchanged: 2,
      changed: [],
      added: [],
      facts: 0,
      bytes: 0,
    });
    expect(await rows('FROM fact_change')).toEqual(before);
  });

  it('replaces changed files, drops removed ones and says fact by fact what that changed (M6.1, M6.2)', async () => {
    await ingest([one, two, companyFacts(3, [fact('Assets', 3)])]);
    const report = await ingest([
      one,
      companyFacts(2, [fact('Assets', 2.5), fact('Cash', 7)]),
      companyFacts(4, [fact('Assets', 4)]),
    ]);
    expect(report).toMatchObject({
      unchanged: 1,
      changed: ['CIK0000000002.json'],
      added: ['CIK0000000004.json'],
      removed: ['CIK0000000003.json'],
      facts: 3,
    });
    expect(await rows('SELECT cik, kind, concept, value_before, value_after FROM fact_change')).toEqual([
      ['0000000002', 'revised', 'Assets', 2, 2.5],
      ['0000000002', 'added', 'Cash', null, 7],
      ['0000000002', 'removed', 'Debt', 20, null],
      ['0000000003', 'removed', 'Assets', 3, null],
      ['0000000004', 'added', 'Assets', null, 4],
    ]);
    expect(await rows('SELECT cik, concept, value FROM facts ORDER BY ALL')).toEqual([
      ['0000000001', 'Assets', 1],
      ['0000000002', 'Assets', 2.5],
      ['0000000002', 'Cash', 7],
      ['0000000004', 'Assets', 4],
    ]);
    expect(await rows('SELECT cik FROM fact_entity ORDER BY cik')).toEqual([
      ['0000000001'],
      ['0000000002'],
      ['0000000004'],
    ]);
    expect(await rows('SELECT count(*) FROM fact_incoming')).toEqual([['0']]);
  });

  it('puts the table back in cik order once more than a fifth of its rows are out of it', async () => {
    const order = 'SELECT list(cik ORDER BY rowid) FROM fact';
    const night = (changed: number, value: number) =>
      [1, 2, 3, 4, 5, 6].map((cik) => companyFacts(cik, [fact('Assets', cik === changed ? value : cik)]));
    await ingest(night(0, 0));
    await ingest(night(2, 20));
    expect(await rows(order)).toEqual([[[1, 3, 4, 5, 6, 2]]]);
    expect(await rows('FROM fact_order')).toEqual([['1']]);
    await ingest(night(4, 40));
    expect(await rows(order)).toEqual([[[1, 2, 3, 4, 5, 6]]]);
    expect(await rows('FROM fact_order')).toEqual([['0']]);
    expect(await rows('SELECT list(value ORDER BY cik) FROM facts')).toEqual([[[1, 2, 3, 40, 5, 6]]]);
    await ingest(night(0, 0).slice(0, 3));
    expect(await rows('SELECT list(value ORDER BY rowid) FROM fact')).toEqual([[[1, 2, 3]]]);
  });

  it('keeps the order of the facts of a registrant when the table is put in order', async () => {
    const many = (cik: number, first: number) =>
      companyFacts(
        cik,
        Array.from({ length: 3000 }, (_, i) => fact('Assets', first + i)),
      );
    await ingest([many(1, 0), many(2, 10_000), many(3, 20_000)]);
    await ingest([many(1, 0), many(2, 50_000), many(3, 20_000)]);
    expect(await rows('SELECT list(value ORDER BY rowid) FROM fact')).toEqual([
      [[0, 50_000, 20_000].flatMap((first) => Array.from({ length: 3000 }, (_, i) => first + i))],
    ]);
  });

  it('sees no change where only frames, labels or the order of facts moved', async () => {
    await ingest([companyFacts(1, [fact('Assets', 1, { frame: 'CY2024Q4I' }), fact('Debt', 2)])]);
    const report = await ingest([companyFacts(1, [fact('Debt', 2, { frame: 'CY2024' }), fact('Assets', 1)])]);
    expect(report.changed).toEqual(['CIK0000000001.json']);
    expect(await rows('FROM fact_change')).toEqual([]);
    expect(await rows('SELECT frame FROM facts ORDER BY concept')).toEqual([[null], ['CY2024']]);
  });

  it('sees a revision that two doubles would hide', async () => {
    await ingest([companyFacts(1, [fact('Assets', '9007199254740992')])]);
    await ingest([companyFacts(1, [fact('Assets', '9007199254740993')])]);
    expect(await rows('SELECT kind, value_before_exact, value_after_exact FROM fact_change')).toEqual([
      ['revised', null, '9007199254740993'],
    ]);
  });

  it('tells facts apart that share everything but the value', async () => {
    await ingest([companyFacts(1, [fact('Assets', 1), fact('Assets', 2), fact('Assets', 2)])]);
    await ingest([companyFacts(1, [fact('Assets', 2), fact('Assets', 3)])]);
    expect(await rows('SELECT kind, value_before, value_after FROM fact_change')).toEqual([
      ['revised', 1, 3],
    ]);
  });
});

describe('a bad entry', () => {
  const good = companyFacts(1, [fact('Assets', 1)]);
  const other = companyFacts(2, [fact('Assets', 2)]);

  it('is quarantined with its reason while the others are taken', async () => {
    const report = await ingest([
      good,
      { ...other, claim: { crc32: 5 } },
      { name: 'CIK0000000003.json', data: Buffer.from('{"cik":3,') },
      companyFacts(4, [fact('Assets', 4), fact('Debt', '"x"')]),
      { name: 'CIK0000000005.json', data: companyFacts(6, []).data },
      { name: '../CIK0000000007.json', data: Buffer.from('{}') },
      { name: 'readme.txt', data: Buffer.from('{}') },
    ]);
    expect(report.facts).toBe(1);
    const expected = [
      ['../CIK0000000007.json', 'the name leaves its directory'],
      ['CIK0000000002.json', 'its CRC-32 does not match'],
      ['CIK0000000003.json', 'it is not valid JSON (cut or damaged)'],
      ['CIK0000000004.json', 'a val is not a number'],
      ['CIK0000000005.json', 'the cik inside differs from the entry name'],
      ['readme.txt', 'its name is not CIK and ten digits'],
    ];
    expect(report.quarantined.map(({ name, reason }) => [name, reason]).toSorted()).toEqual(expected);
    expect(await rows('FROM quarantine ORDER BY name')).toEqual(expected);
    expect(await rows('SELECT name FROM archive_entry')).toEqual([['CIK0000000001.json']]);
  });

  it('keeps the rows of its earlier version, is tried again, and then recovers', async () => {
    await ingest([good, other]);
    const bad = { ...companyFacts(2, [fact('Assets', 3)]), claim: { crc32: 5 } };
    for (let night = 0; night < 2; night += 1) {
      const report = await ingest([good, bad]);
      expect(report).toMatchObject({ unchanged: 1, changed: [], removed: [], facts: 0 });
      expect(report.quarantined.map(({ name }) => name)).toEqual(['CIK0000000002.json']);
      expect(await rows('SELECT value FROM facts ORDER BY cik')).toEqual([[1], [2]]);
    }
    expect((await ingest([good, companyFacts(2, [fact('Assets', 3)])])).changed).toEqual([
      'CIK0000000002.json',
    ]);
    expect(await rows('SELECT value FROM facts ORDER BY cik')).toEqual([[1], [3]]);
    expect(await rows('FROM quarantine')).toEqual([]);
  });
});

describe('a run that cannot go on leaves the build as it was', () => {
  const good = companyFacts(1, [fact('Assets', 1)]);
  const state = async () => [
    await rows('FROM facts'),
    await rows('FROM archive_entry'),
    await rows('FROM fact_series'),
  ];

  it('on a structurally bad archive', async () => {
    await ingest([good]);
    const before = await state();
    const archivePath = join(directory, 'cut.zip');
    writeFileSync(archivePath, writeZip([good, companyFacts(2, [])]).subarray(0, 150));
    await expect(ingestCompanyFacts({ archivePath, connection, effects: quiet })).rejects.toMatchObject({
      code: 'bad_archive',
    });
    expect(await state()).toEqual(before);
  });

  it('on an archive that is not there', async () => {
    const archivePath = join(directory, 'none.zip');
    await expect(ingestCompanyFacts({ archivePath, connection, effects: quiet })).rejects.toMatchObject({
      code: 'input_missing',
    });
  });

  it('on a failure between the rows and the commit', async () => {
    await ingest([good]);
    const before = await state();
    await connection.run('ALTER TABLE quarantine RENAME TO elsewhere');
    await expect(
      ingest([companyFacts(1, [fact('Assets', 9)]), companyFacts(2, [fact('Other', 1)])]),
    ).rejects.toThrow();
    expect(await state()).toEqual(before);
    await connection.run('ALTER TABLE elsewhere RENAME TO quarantine');
    expect((await ingest([companyFacts(1, [fact('Assets', 9)])])).facts).toBe(1);
  });
});
