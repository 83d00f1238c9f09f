import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { companyfactsPath, edgarFiles, sha256Hex } from '../../../fixtures/replicas/edgarFiles.ts';
import { type EdgarHarness, edgarHarness, failureOf } from '../../../fixtures/replicas/edgarHarness.ts';
import { filingFiles } from '../../../fixtures/replicas/filingFiles.ts';
import { openFetchManifest } from './fetchManifest.ts';
import { pruneRaw } from './pruneRaw.ts';

let t: EdgarHarness;
let store: string;
beforeEach(async () => {
  t = await edgarHarness();
  store = join(t.root, 'raw/edgar');
  await mkdir(store, { recursive: true });
});
afterEach(() => t.close());

const prune = (keepNights = 3) =>
  pruneRaw({
    rawRoot: join(t.root, 'raw'),
    keepNights,
    effects: { clock: t.clock, log: (event) => t.log.push(event) },
  });
const url = 'https://www.sec.gov/Archives/edgar/daily-index/xbrl/companyfacts.zip';

/** Stores a text as content; returns its hash. */
async function stored(text: string): Promise<string> {
  const sha256 = sha256Hex(Buffer.from(text));
  await writeFile(join(store, sha256), text);
  return sha256;
}

/** Stores one version of an address and its manifest row. */
async function version(text: string, of = url): Promise<string> {
  const sha256 = await stored(text);
  const manifest = await openFetchManifest(store);
  const fetched_at = '2026-02-07T03:00:00.000Z';
  await manifest.record({ url: of, etag: null, last_modified: null, fetched_at, size: text.length, sha256 });
  return sha256;
}

const contents = async () => (await readdir(store)).filter((name) => /^[0-9a-f]{64}$/.test(name)).sort();

describe('pruning the raw store', () => {
  it('keeps the last three versions of each address and removes the ones before', async () => {
    const facts = [];
    for (const text of ['a', 'bb', 'ccc', 'dddd', 'eeeee']) facts.push(await version(text));
    const tickers = await version('tickers', 'https://www.sec.gov/files/company_tickers_exchange.json');
    const report = await prune();
    expect(report.removed.map((file) => file.sha256).sort()).toEqual(facts.slice(0, 2).sort());
    expect(report).toMatchObject({ removedBytes: 3, kept: 4 });
    expect(await contents()).toEqual([...facts.slice(2), tickers].sort());
  });

  it('changes nothing the second time', async () => {
    for (const text of ['a', 'b', 'c', 'd']) await version(text);
    await prune();
    const before = await readdir(store);
    expect(await prune()).toEqual({ removed: [], removedBytes: 0, kept: 3 });
    expect(await readdir(store)).toEqual(before);
  });

  it('finishes what a killed one began', async () => {
    const facts = [];
    for (const text of ['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff']) facts.push(await version(text));
    await rm(join(store, facts[1] ?? ''));
    expect((await prune()).removed).toHaveLength(2);
    expect(await contents()).toEqual(facts.slice(3).sort());
  });

  it('counts a version that came back as new', async () => {
    const first = await version('a');
    for (const text of ['b', 'c', 'd', 'a']) await version(text);
    await prune();
    expect(await contents()).toContain(first);
    expect(await contents()).toHaveLength(3);
  });

  it('keeps content that is linked from a source directory, whatever its age', async () => {
    const old = await version('old');
    await link(join(store, old), join(t.root, 'linked'));
    for (const text of ['b', 'c', 'd']) await version(text);
    expect((await prune()).removed).toEqual([]);
    await rm(join(t.root, 'linked'));
    expect((await prune()).removed.map((file) => file.sha256)).toEqual([old]);
  });

  it('removes content no row names, and leaves everything that is not content alone', async () => {
    await version('a');
    const orphan = await stored('orphan');
    await writeFile(join(store, 'notes.txt'), 'mine');
    await writeFile(join(store, orphan.toUpperCase()), 'mine');
    await mkdir(join(store, 'f'.repeat(64)));
    expect((await prune()).removed).toEqual([{ sha256: orphan, bytes: 6 }]);
    expect(await readdir(store)).toEqual(
      expect.arrayContaining(['notes.txt', orphan.toUpperCase(), 'f'.repeat(64), 'manifest.ndjson']),
    );
  });

  it('keeps what a download has just moved in and not recorded yet', async () => {
    const sha256 = await stored('just in');
    await mkdir(join(store, 'partial'));
    await writeFile(join(store, 'partial/0123456789abcdef.json'), JSON.stringify({ url, sha256 }));
    expect((await prune()).removed).toEqual([]);
  });

  it.each([
    ['manifest', 'manifest.ndjson', 'nonsense\n'],
    ['record of a filing', 'filings/320193/000032019325000057.json', '{'],
  ])('removes nothing when a %s cannot be read', async (_, name, text) => {
    const orphan = await stored('orphan');
    await mkdir(join(store, 'filings/320193'), { recursive: true });
    await writeFile(join(store, name), text);
    expect((await failureOf(prune())).code).toBe('validation_failed');
    expect(await contents()).toEqual([orphan]);
  });

  it.each([0, -1, 1.5, Number.NaN])('does not accept %d nights', async (nights) => {
    const orphan = await stored('orphan');
    expect((await failureOf(prune(nights))).code).toBe('configuration');
    expect(await contents()).toEqual([orphan]);
  });

  it('has nothing to do where nothing was fetched', async () => {
    await rm(join(t.root, 'raw'), { recursive: true });
    expect(await prune()).toEqual({ removed: [], removedBytes: 0, kept: 0 });
  });
});

describe('a fetch after pruning', () => {
  const filing = { cik: '320193', accession: '0000320193-25-000057', form: '10-Q' };
  const filingServed = filingFiles({ ...filing, names: ['aapl-20250329.xsd', 'aapl-20250329_htm.xml'] });

  it('still finds the copies in force, and filings, even where nothing is linked any more', async () => {
    const files = { ...edgarFiles({ zipBytes: 5_000, seed: 1 }), ...filingServed };
    const replica = await t.start(files);
    await t.runFilings(replica, [filing]);
    for (const seed of [2, 4, 6, 8]) {
      Object.assign(files, edgarFiles({ zipBytes: 5_000, seed }));
      await t.run(replica);
    }
    await rm(join(t.root, 'source'), { recursive: true });
    const report = await prune(1);
    // three older versions of each archive; the ticker file never changed
    expect(report.removed).toHaveLength(6);
    const bytes = replica.bytesSent();
    const night = await t.run(replica);
    expect(night.files.map((file) => file.status)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(replica.bytesSent()).toBe(bytes);
    expect(await readFile(join(t.root, 'source/edgar/companyfacts.zip'))).toEqual(
      files[companyfactsPath]?.body,
    );
    const again = await t.runFilings(replica, [filing]);
    expect([again.filings[0]?.status, again.requests]).toEqual(['relinked', 0]);
  });
});
