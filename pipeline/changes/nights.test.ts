import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvidenceTag } from '../../data/contract/payloads/universe/dailyChangeEvidence.ts';
import type { ChangedCompany, DeltaDay } from '../../data/contract/payloads/universe/dailyChanges.ts';
import type { DailyChangesArtifact } from '../../data/contract/payloads/universe/latestDailyChanges.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { buildNight } from '../../fixtures/builders/buildNight.ts';
import { readArchive } from '../../fixtures/builders/readArchive.ts';
import { writeZip } from '../../fixtures/builders/zipWriter.ts';
import { dataLayout } from '../dataLayout.ts';
import { realFiles, systemClock } from '../effects.ts';
import { runNightly } from '../nightly/runNightly.ts';
import { changeWords } from '../nightly/summary/changeWords.ts';
import { readPublishedChanges } from '../nightly/summary/nightSummary.ts';
import { openRelease, readLines } from '../release/openRelease.ts';
import { openForReading } from '../warehouse/build/openDatabase.ts';
import { readRows } from '../warehouse/build/readRows.ts';

// eight nights in one data directory: real filings, then the nights that go wrong

let root: string;
const layout = () => dataLayout(join(root, 'data'));
const releaseOf = new Map<string, string>();
const kept: Record<string, string> = {};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'changes-'));
  const build = async (sourceDate: string) => {
    const target = join(root, sourceDate);
    await buildNight({
      night: { sourceDate, asOf: `${sourceDate}T22:00:00Z`, note: '' },
      target,
      market: false,
    });
    await rm(join(target, 'nights.csv'));
    return target;
  };
  const keepWarehouse = async (name: string) => {
    kept[name] = join(root, `${name}.duckdb`);
    await cp(layout().database, kept[name]);
  };
  const thirteenth = await build('2025-11-13');
  const fourteenth = await build('2025-11-14');
  const half = join(root, 'half');
  await cp(fourteenth, half, { recursive: true });
  const entries = await readArchive(join(half, 'edgar/companyfacts.zip'), () => true);
  const files = [...entries].map(([name, text]) => ({ name, data: Buffer.from(text) }));
  await writeFile(join(half, 'edgar/companyfacts.zip'), writeZip(files.slice(0, files.length / 2)));
  const renamed = join(root, 'renamed');
  await cp(fourteenth, renamed, { recursive: true });
  await rm(join(renamed, 'prices'), { recursive: true });
  const universe = await readFile(join(renamed, 'universe.csv'), 'utf8');
  await writeFile(join(renamed, 'universe.csv'), universe.replace('0001262104,LITS,', '0001262104,LITX,'));
  const february = await build('2026-02-07');

  await run('2025-11-13', thirteenth);
  await keepWarehouse('before');
  await run('2025-11-14', fourteenth);
  await keepWarehouse('after');
  await run('2025-11-17', fourteenth);
  // without it nothing would be replaced
  await run('2025-11-18', half, { force: true });
  await run('2025-11-19', fourteenth);
  await run('2025-11-20', renamed);
  await run('2026-02-06', renamed);
  await run('2026-02-07', february);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function run(date: string, source: string, { force }: { force?: boolean } = {}): Promise<void> {
  const [outcome] = await runNightly(
    {
      source,
      data: join(root, 'data'),
      date,
      asOf: `${date}T22:00:00Z`,
      from: null,
      only: null,
      force: force ?? false,
      dryRun: false,
      contact: undefined,
      priceKey: null,
      code: 'under test',
      signal: new AbortController().signal,
    },
    { clock: systemClock(), log: () => undefined, files: realFiles() },
  );
  releaseOf.set(date, outcome?.release ?? '');
}

const open = (date: string) => openRelease(layout().artifacts, releaseOf.get(date) ?? '');
const read = async <T>(date: string, key: string) =>
  JSON.parse(String(await (await open(date)).read(key))) as T;
const lines = async <T>(date: string, key: string) =>
  (await readLines(await open(date), key)).map((line) => JSON.parse(line) as T);
const changesOf = (date: string) => read<DailyChangesArtifact>(date, `daily-changes/${date}.json`);
const rowsOf = (date: string) => lines<ChangedCompany>(date, `daily-changes/${date}.ndjson`);
const selectorsOf = async (date: string) => {
  const payload = await changesOf(date);
  return [payload.source_date, payload.daily_change_selector_status, payload.snapshot_status];
};
const wordsOf = async (date: string) => {
  const published = await readPublishedChanges(await open(date));
  return published === null ? [] : changeWords(published).map(([label, text]) => `${label}|${text}`);
};

describe('the delta of a night with filings', () => {
  it('is empty and says why on the first night (M6.12)', async () => {
    expect(await selectorsOf('2025-11-13')).toEqual(['2025-11-13', 'published_snapshot', 'published']);
    expect((await changesOf('2025-11-13')).message).toBe(
      'The scan of 2025-11-13 is the baseline (25 companies, 14134 facts): it is compared with nothing, so no company counts as changed or new.',
    );
    expect(await rowsOf('2025-11-13')).toEqual([]);
  });

  it('lists who filed, largest first, with class and evidence', async () => {
    expect(await selectorsOf('2025-11-14')).toEqual(['2025-11-14', 'published_snapshot', 'published']);
    const rows = await rowsOf('2025-11-14');
    // rows of the four 10-Qs in fixtures/tables/filings.csv
    expect(rows.map((row) => [row.ticker, row.delta_size, row.is_crypto])).toEqual([
      ['BTBT', 139, true],
      ['GAME', 120, true],
      ['FGNX', 106, true],
      ['LITS', 59, true],
    ]);
    expect((await changesOf('2025-11-14')).stats).toMatchObject({
      changed_files: 4,
      new_files: 0,
      removed_files: 0,
      total_delta_size: 424,
      changed_company_count: 4,
    });
  });

  it('says the same in the view daily_changes as in the rows of the release (I2.27)', async () => {
    const database = await openForReading(layout().database);
    const held = await readRows(
      database.connection,
      `SELECT cik, ticker, entity_name, issuer_class, pre_ipo_likelihood, delta_size, fact_changes
      FROM daily_changes WHERE source_date = DATE '2025-11-14' ORDER BY cik`,
    );
    database.close();
    const published = (await rowsOf('2025-11-14')).map((row) => ({
      cik: row.cik,
      ticker: row.ticker ?? null,
      entity_name: row.entity_name,
      issuer_class: row.issuer_class ?? null,
      pre_ipo_likelihood: row.pre_ipo_likelihood ?? null,
      delta_size: row.delta_size,
      fact_changes: row.fact_changes,
    }));
    expect(held).toHaveLength(4);
    expect(held).toEqual(published.sort((a, b) => compareText(a.cik, b.cik)));
  });

  it('adds up: evidence lines to delta_size, and the changes to the difference of the two warehouses (M15.47)', async () => {
    for (const row of await rowsOf('2025-11-14')) {
      const evidence = await lines<EvidenceTag>(
        '2025-11-14',
        `daily-evidence/2025-11-14/CIK${row.cik}.ndjson`,
      );
      expect(evidence.map((line) => line.index)).toEqual(evidence.map((_, i) => i));
      expect(evidence).toHaveLength(row.delta_size ?? -1);
      expect(new Set(evidence.map((line) => line.concept)).size).toBe(row.fact_changes);
    }
    const database = await openForReading(kept['after'] ?? '');
    const key = 'cik, taxonomy, concept, unit, start, "end", accession, value, value_exact';
    const now = await readRows(database.connection, `SELECT ${key} FROM facts ORDER BY ALL`);
    const added = await readRows(
      database.connection,
      `SELECT cik, taxonomy, concept, unit, start, "end", accession, value_after AS value, value_after_exact AS value_exact
      FROM changes WHERE scan_date = DATE '2025-11-14' AND kind <> 'removed' ORDER BY ALL`,
    );
    database.close();
    const earlier = await openForReading(kept['before'] ?? '');
    const before = await readRows(earlier.connection, `SELECT ${key} FROM facts ORDER BY ALL`);
    earlier.close();
    const text = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(text([...before, ...added])).toEqual(text(now));
    expect(added).toHaveLength(424);
  });

  it('traces every line to a fact row', async () => {
    const evidence = await lines<EvidenceTag>('2025-11-14', 'daily-evidence/2025-11-14/CIK0001262104.ndjson');
    // one filing behind all of them, linked once
    const { meta } = await read<{ meta: object }>(
      '2025-11-14',
      'daily-evidence/2025-11-14/CIK0001262104.about.json',
    );
    expect(meta).toMatchObject({
      filing_accession_numbers: ['0001193125-25-283111'],
      filing_urls: [
        'https://www.sec.gov/Archives/edgar/data/1262104/000119312525283111/0001193125-25-283111-index.htm',
      ],
    });
    const coins = evidence.filter((line) => line.tag_family === 'crypto').map((line) => line.tag);
    expect(coins).toContain(
      '+ us-gaap:CryptoAssetFairValue [USD] 2025-09-30 = 99369000 accn=0001193125-25-283111 form=10-Q filed=2025-11-14',
    );
    const database = await openForReading(layout().database);
    const rows = await readRows(
      database.connection,
      `SELECT e."index"::INTEGER AS i, f.value = e.value AS same
      FROM evidence e JOIN facts f ON f.cik = e.cik AND f.taxonomy || ':' || f.concept = e.concept AND f.unit = e.unit
        AND f.start IS NOT DISTINCT FROM e.start AND f."end" = e."end" AND f.accession = e.accession
      WHERE e.source_date = DATE '2025-11-14' AND e.cik = '0001262104' ORDER BY i`,
    );
    database.close();
    expect(rows.map((row) => row['i'])).toEqual(evidence.map((line) => line.index));
    expect(rows.every((row) => row['same'] === true)).toBe(true);
  });

  it('dates the fundamentals of an issuer with its newest delta that passed (I3.27)', async () => {
    const dateOf = async (date: string, cik: string) =>
      (await read<{ source_date: string }>(date, `fundamentals/${date}/CIK${cik}.json`)).source_date;
    expect(await dateOf('2025-11-14', '0001262104')).toBe('2025-11-14');
    expect(await dateOf('2026-02-07', '0001262104')).toBe('2025-11-14');
    expect(await dateOf('2026-02-07', '0001662684')).toBe('2026-02-07');
    // MSTR filed on 2025-11-03, ten days before the baseline
    expect(await dateOf('2026-02-07', '0001050446')).toBe('2025-11-03');
  });

  it('is told in words', async () => {
    const words = await wordsOf('2025-11-14');
    expect(words[0]).toBe(
      'Last night|4 companies of the universe with changed facts, 424 rows since the scan of 2025-11-13',
    );
    expect(words).toContain(
      '|  LITS       10-Q filed 2025-11-14 (0001193125-25-283111), 59 rows, crypto_treasury',
    );
    expect(words).toContain(
      'Figures|LITS       coins unknown → 99.4 M, cash 18.0 M → 10.1 M, equity 16.9 M → 112.3 M (0001193125-25-283111)',
    );
    expect(words).toContain('Tier moves|LITS       UNCLASSIFIED → LOW');
  });
});

describe('a night with no change', () => {
  it('serves the last delta that passed and says since when nothing moved', async () => {
    expect(await selectorsOf('2025-11-17')).toEqual([
      '2025-11-14',
      'served_promoted_issuer_delta',
      'meaningful_delta',
    ]);
    expect(await rowsOf('2025-11-17')).toEqual(await rowsOf('2025-11-14'));
    const key = (date: string) => `daily-evidence/${date}/CIK0001262104`;
    expect(await lines('2025-11-17', `${key('2025-11-17')}.ndjson`)).toEqual(
      await lines('2025-11-14', `${key('2025-11-14')}.ndjson`),
    );
    expect(await read('2025-11-17', `${key('2025-11-17')}.about.json`)).toMatchObject({
      meta: { source_date: '2025-11-14', ticker: 'LITS' },
    });
    const payload = await changesOf('2025-11-17');
    expect(payload.message).toBe(
      'No company file changed between the scan of 2025-11-14 and that of 2025-11-17. The delta of 2025-11-14 is shown.',
    );
    expect(payload.companyfacts_activity).toMatchObject({
      changed_file_count: 0,
      subscriber_signal: 'quiet',
    });
    expect((await wordsOf('2025-11-17'))[0]).toBe(`Last night|${payload.message}`);
  });
});

describe('a night that lost half the archive', () => {
  it('is published, compared with nothing, and shows the last good delta', async () => {
    expect(await selectorsOf('2025-11-18')).toEqual([
      '2025-11-14',
      'rolled_back_to_promoted_issuer_delta',
      'rolled_back_to_latest_meaningful_delta',
    ]);
    expect((await changesOf('2025-11-18')).message).toMatch(
      /^The archive of 2025-11-18 lacks 13 companies of the scan of 2025-11-17: it is taken as incomplete/,
    );
    const day = await read<DeltaDay>('2025-11-18', 'daily-window/2025-11-18.json');
    expect(day).toEqual({
      date: '2025-11-18',
      change_blob_count: 0,
      change_blobs: [],
      changed_filing_count: 0,
      changed_filings: [],
      companyfacts_zip_exists: true,
      summary_exists: false,
    });
  });

  it('is forgotten when the archive is whole again', async () => {
    const payload = await changesOf('2025-11-19');
    expect(payload.stats.total_delta_size).toBe(424);
    expect(payload.message).toBe(
      'No company file changed between the scan of 2025-11-17 and that of 2025-11-19. The delta of 2025-11-14 is shown.',
    );
  });
});

describe('a night without prices, after a ticker change, and a gap of days', () => {
  it('follows the CIK, not the ticker', async () => {
    const standing = (
      await lines<{ cik: string; ticker: string }>('2025-11-20', 'covenant-slice/2025-11-20.ndjson')
    ).find((row) => row.cik === '0001262104');
    expect(standing?.ticker).toBe('LITX');
    const payload = await changesOf('2025-11-20');
    expect(payload.movement_summary).toMatchObject({
      issuers_left: [],
      issuers_entered: [],
      moved_figures: [],
    });
    // rows of an earlier night stay as they were published
    expect((await rowsOf('2025-11-20')).find((row) => row.cik === '0001262104')?.ticker).toBe('LITS');
    expect(await selectorsOf('2025-11-20')).toEqual([
      '2025-11-14',
      'served_promoted_issuer_delta',
      'meaningful_delta',
    ]);
  });

  it('no longer serves a delta older than five business days as if it were fresh (M6.7)', async () => {
    expect(await selectorsOf('2026-02-06')).toEqual([
      '2025-11-14',
      'rolled_back_to_promoted_issuer_delta',
      'rolled_back_to_latest_meaningful_delta',
    ]);
  });

  it('compares with the previous scan, whenever that was, and names new registrants (M6.4)', async () => {
    expect(await selectorsOf('2026-02-07')).toEqual(['2026-02-07', 'published_snapshot', 'published']);
    const payload = await changesOf('2026-02-07');
    expect(payload.stats).toMatchObject({
      changed_files: 7,
      new_files: 2,
      changed_company_count: 7,
      new_company_count: 2,
    });
    const about = await read<{ rows: { list: string }[]; meta: { window_days: string[] } }>(
      '2026-02-07',
      'daily-changes/2026-02-07.about.json',
    );
    const rows = await lines<{ cik: string }>('2026-02-07', 'daily-changes/2026-02-07.ndjson');
    const added = rows.filter((_, i) => about.rows[i]?.list === 'new').map(({ cik }) => cik);
    expect(added).toEqual(['0001829311', '0002078856']);
    expect(about.meta.window_days).toEqual([...releaseOf.keys()]);
  });
});

describe('a night that runs again', () => {
  it('gives the same bytes, the newest and an older one, whatever the warehouse held between', async () => {
    const bytes = async (date: string) => {
      const release = await open(date);
      const keys = release.manifest.artifacts.map(({ key }) => key);
      const daily = keys.filter((key) => key.startsWith('daily-'));
      return Object.fromEntries(
        await Promise.all(daily.map(async (key) => [key, String(await release.read(key))])),
      );
    };
    const before = [await bytes('2025-11-14'), await bytes('2026-02-07')];
    await run('2025-11-14', join(root, '2025-11-14'), { force: true });
    await run('2026-02-07', join(root, '2026-02-07'), { force: true });
    expect([await bytes('2025-11-14'), await bytes('2026-02-07')]).toEqual(before);
    expect(releaseOf.get('2026-02-07')).toBe('2026-02-07.1');
  });
});
