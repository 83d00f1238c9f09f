import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FiledFact, Issuer, IssuerInputs } from '../../../calculators/filing/rows.ts';
import { ingestedArchive } from '../../../fixtures/archive/ingestedArchive.ts';
import { syntheticCompany } from '../../../fixtures/bench/syntheticCompany.ts';
import { writeZip } from '../../../fixtures/builders/zipWriter.ts';
import { handMadeIssuer } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { selectIssuerInputs } from '../../../fixtures/rigs/selectIssuerInputs.ts';
import { realFiles, systemClock } from '../../effects.ts';
import { type SourceInputs, scanDirectorySource } from '../../source/directorySource.ts';
import { loadUniverse } from '../../universe/universe.ts';
import { readRows } from '../build/readRows.ts';
import { type Build, openBuild } from '../build/warehouseBuild.ts';

const shared = resolve('../shared/data');
const MSTR = handMadeIssuer('0001050446', { ticker: 'MSTR' });
const GAME = handMadeIssuer('0001714562', { ticker: 'GAME' });
const BMNR = handMadeIssuer('0001829311', { ticker: 'BMNR' });
const universe = [MSTR, GAME, BMNR];

let root: string;
const builds: Build[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ingest-'));
});
afterEach(async () => {
  for (const build of builds.splice(0)) await build.discard();
  await rm(root, { recursive: true, force: true });
});

const effects = { clock: systemClock(), log: () => undefined, files: realFiles() };

async function open(buildId: string): Promise<Build> {
  const build = await openBuild({ warehouseRoot: join(root, 'warehouse'), buildId, effects });
  builds.push(build);
  return build;
}

describe('ingesting a directory', () => {
  it('makes the build what the source holds: rows of inputs that went away are gone', async () => {
    const source = join(root, 'source');
    await mkdir(join(source, 'prices'), { recursive: true });
    await writeFile(join(source, 'prices/BTC.csv'), 'date,asset,close,source\n2025-10-01,BTC,5,a\n');
    await writeFile(
      join(source, 'prices/ETH.csv'),
      'date,asset,close,source\n2025-10-01,ETH,0,a\n2025-10-02,ETH,1,a\n',
    );
    const first = await open('n1');
    const report = await first.ingest({ inputs: await scanDirectorySource(source), universe });
    expect(report).toMatchObject({
      entries: 0,
      factRows: 0,
      prices: 2,
      issuers: 3,
      changedInputs: 2,
      quarantined: [{ name: 'prices/ETH.csv:2', reason: 'close "0" is not a number above zero' }],
    });
    expect(report.missing).toContain('edgar/companyfacts.zip');
    await first.finish();
    await rm(join(source, 'prices/BTC.csv'));
    const second = await open('n2');
    const next = await second.ingest({ inputs: await scanDirectorySource(source), universe: [MSTR] });
    expect(next).toMatchObject({ prices: 1, issuers: 1, changedInputs: 1 });
    // what was refused is named again although the file was not read again
    expect(next.quarantined).toEqual(report.quarantined);
  });

  it('puts a filing in force that only its own folder knows (M1.44)', async (ctx) => {
    const nxtt = join(shared, 'edgar/filings/1784970');
    if (!existsSync(nxtt)) ctx.skip('../shared/data is not beside the project');
    const source = join(root, 'source');
    await cp(nxtt, join(source, 'edgar/filings/1784970'), { recursive: true });
    const NXTT = handMadeIssuer('0001784970', { ticker: 'NXTT' });
    const build = await open('n1');
    await build.ingest({ inputs: await scanDirectorySource(source), universe: [NXTT] });
    const at = (sourceDate: string) => selectIssuerInputs(build.connection, { sourceDate, issuers: [NXTT] });
    expect(await at('2025-05-08')).toEqual([]);
    const [inputs] = await at('2025-05-09');
    expect(inputs?.filing).toMatchObject({
      form: '10-Q',
      filed: '2025-05-09',
      // 10:59:20 in New York, by the header of its text (M1.44d)
      acceptedAt: '2025-05-09T14:59:20Z',
      acceptanceEstimated: false,
      period: '2025-03-31',
    });
    expect(inputs?.facts).toEqual([]);
    expect(inputs?.xbrl?.arcs).toHaveLength(54);
  });

  it('forgets a filing whose folder went away', async () => {
    const source = join(root, 'source');
    const folder = join(source, 'edgar/filings/1050446/000119312525262568');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'mstr.xsd'), 'no schema');
    const documents = (build: Build) =>
      readRows(build.connection, 'SELECT cik, accession, part, status FROM filing_documents ORDER BY ALL');
    const first = await open('n1');
    const report = await first.ingest({ inputs: await scanDirectorySource(source), universe });
    expect(report.xbrl).toEqual({ filings: 1, changed: 1, facts: 0 });
    const found = await documents(first);
    expect(found).toContainEqual({
      cik: '0001050446',
      accession: '0001193125-25-262568',
      part: 'schema',
      status: 'at_hand',
    });
    expect(found.filter((row) => row['status'] === 'unusable').length).toBeGreaterThan(0);
    await first.finish();
    await rm(folder, { recursive: true });
    const second = await open('n2');
    await second.ingest({ inputs: await scanDirectorySource(source), universe });
    expect(await documents(second)).toEqual([]);
  });

  it('refuses half an archive also when another version of the program reads all facts anew (M6.4)', async () => {
    const source = join(root, 'source');
    await mkdir(join(source, 'edgar'), { recursive: true });
    const archiveOf = (ciks: readonly number[]) =>
      writeFile(
        join(source, 'edgar/companyfacts.zip'),
        writeZip(
          ciks.map((cik) => ({
            name: `CIK${String(cik).padStart(10, '0')}.json`,
            data: Buffer.from(syntheticCompany({ cik, bytes: 2_000, seed: cik, extraFilings: 0 })),
          })),
        ),
      );
    const ingest = async (build: Build, sourceDate: string) =>
      build.ingest({
        inputs: await scanDirectorySource(source),
        universe,
        lostShare: 0.1,
        scan: { sourceDate, published: [], limits: { lostShare: 0.1, keptDays: 400 } },
      });
    await archiveOf([1, 2, 3, 4]);
    const first = await open('n1');
    await ingest(first, '2025-11-14');
    await first.connection.run("UPDATE build_info SET value = 'older' WHERE name = 'tables'");
    await first.finish();
    await archiveOf([1, 2]);
    const second = await open('n2');
    expect(second.start).toBe('renewed');
    await expect(ingest(second, '2025-11-15')).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('lacks 2 of the 4 companies that the last one had'),
    });
    await archiveOf([1, 2, 3, 4, 5]);
    expect(await ingest(second, '2025-11-15')).toMatchObject({ entries: 5, quarantined: [] });
  });

  it('leaves the build as it was when an archive is damaged', async () => {
    const source = join(root, 'source');
    await mkdir(join(source, 'edgar'), { recursive: true });
    await mkdir(join(source, 'prices'));
    await writeFile(join(source, 'prices/BTC.csv'), 'date,asset,close,source\n2025-10-01,BTC,5,a\n');
    await writeFile(join(source, 'edgar/submissions.zip'), 'PK is not enough');
    const build = await open('n1');
    const inputs = await scanDirectorySource(source);
    await expect(build.ingest({ inputs, universe })).rejects.toMatchObject({ code: 'bad_archive' });
    expect(await readRows(build.connection, 'SELECT count(*)::INTEGER AS n FROM price_close')).toEqual([
      { n: 0 },
    ]);
  });
});

describe('the real directory', () => {
  /** A build of all of it, read in one go, for the tests that ask and change nothing. */
  let whole: Build;
  let ofWhole: string;
  let registrants: readonly Issuer[];
  beforeAll(async () => {
    if (!existsSync(shared)) return;
    ofWhole = await mkdtemp(join(tmpdir(), 'ingest-whole-'));
    registrants = await loadUniverse(join(shared, 'universe.csv'));
    await ingestedArchive(ofWhole);
    whole = await openBuild({ warehouseRoot: ofWhole, buildId: 'n1', effects });
  });
  afterAll(async () => {
    if (!existsSync(shared)) return;
    await whole.discard();
    await rm(ofWhole, { recursive: true, force: true });
  });
  const inForce = async (build: Build, sourceDate: string) => {
    const inputs = await selectIssuerInputs(build.connection, { sourceDate, issuers: universe });
    const byTicker: Record<string, IssuerInputs | undefined> = {};
    for (const one of inputs) byTicker[one.issuer.ticker ?? one.issuer.cik] = one;
    return byTicker;
  };
  const filings = (build: Build) =>
    readRows(build.connection, 'SELECT * FROM filings ORDER BY cik, accession');

  it('puts the right filings in force, and a night later the same whether built anew or brought up', async (ctx) => {
    if (!existsSync(shared)) ctx.skip('../shared/data is not beside the project');
    const later = await scanDirectorySource(shared);
    const archive = join(shared, 'edgar/companyfacts-earlier.zip');
    const earlier: SourceInputs = { ...later, paths: { ...later.paths, companyfacts: [archive] } };

    const first = await open('n1');
    const limits = { lostShare: 0.1, keptDays: 400 };
    const scan = (sourceDate: string) => ({ sourceDate, published: ['2025-11-18'], limits });
    const report = await first.ingest({ inputs: earlier, universe: registrants, scan: scan('2025-11-18') });
    // shortened pages and wire copies are named each
    const reports = report.quarantined.filter(({ name }) => name.startsWith('edgar/current-reports/'));
    expect(new Set(reports.map(({ reason }) => reason))).toEqual(
      new Set(['is not named for an accession number']),
    );
    expect(report.quarantined.filter((one) => !reports.includes(one))).toEqual([
      {
        name: 'perps/oi_mark_index_BTC_hourly.csv:3958',
        reason: 'time_utc is empty (2 rows from here)',
      },
    ]);
    const before = await inForce(first, '2025-11-19');
    // the 10-Q of 2025-11-03 is listed by submissions, but its facts are not available yet
    expect(before['MSTR']?.filing).toMatchObject({ filed: '2025-08-05', period: '2025-06-30' });
    await first.finish();

    const second = await open('n2');
    const next = await second.ingest({ inputs: later, universe: registrants, scan: scan('2025-11-19') });
    expect(next).toMatchObject({ unchanged: 36, changedInputs: 0, factRows: 215_646 });
    const after = await inForce(second, '2025-11-19');
    expect(after['MSTR']?.filing).toEqual({
      cik: '0001050446',
      accession: '0001193125-25-262568',
      accessionStatus: 'filed',
      form: '10-Q',
      filed: '2025-11-03',
      // 16:12:13 in New York, by a list marked Z (M1.44d)
      acceptedAt: '2025-11-03T21:12:13Z',
      acceptanceEstimated: false,
      period: '2025-09-30',
    });
    const debt = after['MSTR']?.facts.filter((f) => f.concept === 'LongTermDebt' && f.end === '2025-09-30');
    expect(debt?.map((f) => f.value.toString())).toEqual(['8173903000']);
    // a filing of 2025-11-30 is not in force before it is filed
    expect(after['BMNR']).toBeUndefined();
    const mstr = await readRows(
      second.connection,
      "SELECT kind, count(*)::INTEGER AS n FROM changes WHERE cik = '0001050446' GROUP BY kind",
    );
    expect(mstr).toEqual([{ kind: 'added', n: 314 }]);

    expect(await filings(second)).toEqual(await filings(whole));
    expect(await inForce(second, '2025-03-31')).toEqual(await inForce(whole, '2025-03-31'));
  });

  it('keeps the 10-K of 2025-02-18 in force at 2025-03-31, without its fair value of 2025-01-01 (M10.7, T19)', async (ctx) => {
    if (!existsSync(shared)) ctx.skip('../shared/data is not beside the project');
    const march = await inForce(whole, '2025-03-31');
    expect(march['MSTR']?.filing).toMatchObject({ form: '10-K', filed: '2025-02-18', period: '2024-12-31' });
    const adoption = (facts: readonly FiledFact[] | undefined) =>
      facts?.filter((f) => f.end === '2025-01-01' && f.concept.startsWith('IndefiniteLived')).length;
    expect(adoption(march['MSTR']?.facts)).toBe(0);
    expect(adoption(march['MSTR']?.supporting)).toBe(0);
    const may = await inForce(whole, '2025-05-05');
    expect(may['MSTR']?.filing).toMatchObject({ form: '10-Q', filed: '2025-05-05', period: '2025-03-31' });
    expect(adoption(may['MSTR']?.facts)).toBe(1);
    // the 10-K/A of 2024 carries two facts and no balance sheet
    const amendments = await readRows(
      whole.connection,
      "SELECT form, has_balance_sheet FROM filings WHERE cik = '0001714562' AND form = '10-K/A'",
    );
    expect(amendments).toEqual([{ form: '10-K/A', has_balance_sheet: false }]);
  });
});
