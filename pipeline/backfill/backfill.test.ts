import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MovementSummary } from '../../calculators/changes/dailyChanges.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import {
  type CalculationHistoryRow,
  calculationHistory,
} from '../../data/contract/payloads/issuer/calculationHistory.ts';
import { type CoreHistoryRow, coreHistory } from '../../data/contract/payloads/issuer/coreHistory.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { naturalBrief } from '../../data/contract/payloads/reports/naturalBrief.ts';
import type { DailyChangesArtifact } from '../../data/contract/payloads/universe/latestDailyChanges.ts';
import { buildNight } from '../../fixtures/builders/buildNight.ts';
import { nightlyOptions } from '../../fixtures/replicas/nightlyOptions.ts';
import { type NightlyRig, type NightlyStage, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import { faultyFiles } from '../../fixtures/rigs/faultyFiles.ts';
import { artifactText } from '../../fixtures/rigs/storedArtifacts.ts';
import { historyRowsOf } from '../../fixtures/rigs/storedHistory.ts';
import { readPreviousSlice } from '../changes/readStandings.ts';
import { dataLayout, type ReleasePaths } from '../dataLayout.ts';
import { realFiles, type StoreEffects, systemClock } from '../effects.ts';
import { computeSlice } from '../families/computeSlice.ts';
import { runNightly } from '../nightly/runNightly.ts';
import { artifactBytes, sha256Hex } from '../release/artifact.ts';
import { readCurrent, readManifest, readSlices } from '../release/releaseStore.ts';
import { verifyRelease } from '../release/verifyRelease.ts';
import { scanDirectorySource } from '../source/directorySource.ts';
import { loadUniverse } from '../universe/universe.ts';
import { openForReading } from '../warehouse/build/openDatabase.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { openBuild } from '../warehouse/build/warehouseBuild.ts';
import type { BackfilledDate } from './backfill.ts';
import { type BackfillOptions, runBackfill } from './runBackfill.ts';

const today = '2026-02-07';
const asOf = '2026-02-08T09:00:00Z';
const dates = [
  ...['2021-02-28', '2022-05-03', '2024-02-29', '2024-08-05', '2024-08-06', '2025-03-31', '2025-05-04'],
  ...['2025-05-05', '2025-11-13', '2025-12-31'],
];
let root: string;
let source: string;
/** The parameters that the night was planned with. */
let parameters: Parameters;
const effects: StoreEffects = { clock: systemClock(), log: () => undefined, files: realFiles() };
const layout = () => dataLayout(join(root, 'data'));

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'backfill-'));
  source = join(root, 'source');
  await buildNight({ night: { sourceDate: today, asOf, note: '' }, target: source, market: false });
  const [first] = await night();
  if (first === undefined) throw new Error('no night ran');
  ({ parameters } = first.plan);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const night = () =>
  runNightly(
    {
      ...nightlyOptions({ source, data: join(root, 'data') }),
      date: today,
      asOf,
      signal: new AbortController().signal,
    },
    effects,
  );

async function run(change: Partial<BackfillOptions> = {}, faulty: Partial<StoreEffects> = {}) {
  const told: BackfilledDate[] = [];
  const outcome = await runBackfill(
    {
      data: join(root, 'data'),
      from: '2021-01-01',
      to: '2026-02-06',
      every: dates.join(','),
      asOf,
      force: false,
      code: 'under test',
      signal: new AbortController().signal,
      onDate: (done) => void told.push(done),
      ...change,
    },
    { ...effects, ...faulty },
  );
  return { told, outcome };
}

const store = () => layout().artifacts.root;

async function verifyAll(paths: ReleasePaths): Promise<void> {
  for (const name of Object.values(await readSlices(paths)))
    await verifyRelease({ paths, name, publicKeys: null });
}

/** The rows of a history of the current release. */
async function historyOf<Row>(kind: 'core' | 'calc', cik: string): Promise<Row[]> {
  const release = (await readCurrent(layout().artifacts)) ?? '';
  const { history } = kind === 'core' ? coreHistory.stored : calculationHistory.stored;
  return historyRowsOf<Row>({ root: store(), release, history }, cik);
}

describe('issuer backfill', () => {
  it('publishes past dates that never become current, and the current release takes them in', async () => {
    const { told, outcome } = await run();
    expect(told.map(({ sourceDate, status, release }) => [sourceDate, status, release])).toEqual(
      dates.map((date) => [date, 'published', `${date}.1`]),
    );
    expect(outcome.current).toEqual({ release: `${today}.2`, left: null });
    const paths = layout().artifacts;
    expect(Object.keys(await readSlices(paths))).toEqual([...dates, today]);
    const { manifest } = await readManifest(paths, '2025-03-31.1');
    expect(manifest.artifacts.map(({ key }) => key.split('/')[0])).toEqual([
      ...['alpha-board', 'alpha-board', 'alpha-signals', 'covenant-slice', 'covenant-slice'],
      ...['fundamentals', 'peer-ranking'],
    ]);
    await verifyAll(paths);
    const rows = await historyOf<CoreHistoryRow>('core', '0001050446');
    expect(rows.map((row) => row.source_date)).toEqual([...dates, today]);
    // the same night again has nothing left to do
    expect((await night())[0]?.release).toBe(`${today}.2`);
  });

  it('gives a first night the newest of its dates to be compared with, in figures and in words (M6.4)', async () => {
    const changesOf = async (name: string) =>
      JSON.parse(
        await artifactText({ root: store(), release: name, key: `daily-changes/${today}.json` }),
      ) as DailyChangesArtifact;
    const [first, again] = [await changesOf(`${today}.1`), await changesOf(`${today}.2`)];
    expect(first).not.toHaveProperty('comparison_source_date');
    expect(again.comparison_source_date).toBe('2025-12-31');
    // the archive of the night is still the first that was read
    expect(again.freshness_summary).toEqual(first.freshness_summary);
    const tiersOn = async (date: string, release: string) => {
      const text = await artifactText({ root: store(), release, key: `covenant-slice/${date}.ndjson` });
      const rows = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as CovenantStress);
      return new Map(rows.map(({ cik, risk_tier }) => [cik, risk_tier]));
    };
    const [before, now] = [await tiersOn('2025-12-31', '2025-12-31.1'), await tiersOn(today, `${today}.2`)];
    expect((again.risk_tier_moves ?? []).map(({ cik, new_tier }) => [cik, new_tier])).toEqual(
      [...now].filter(([cik, tier]) => before.has(cik) && before.get(cik) !== tier),
    );
    const movement = again.movement_summary as MovementSummary;
    expect(movement.issuers_entered.map(({ cik }) => cik)).toEqual(
      [...now.keys()].filter((cik) => !before.has(cik)).sort(),
    );
    const textOf = (release: string, key: string) => artifactText({ root: store(), release, key });
    const morning = naturalBrief.stored.morning.key({ slice: today, limit: '5', style: 'professional' });
    expect(await textOf(`${today}.1`, morning)).toContain(
      'No earlier slice is held to compare this one with.',
    );
    expect(await textOf(`${today}.2`, morning)).toContain('Since the slice of 2025-12-31:');
    const pageOf = async (release: string) =>
      (await textOf(release, `daily-brief/${today}.html`)).replace(/<[^>]*>/g, '');
    expect(await pageOf(`${today}.1`)).toContain(`No slice before that of ${today} is held`);
    expect(await pageOf(`${today}.2`)).toContain('ompared with the slice of 2025-12-31.');
  });

  it('holds the filed figures that a later filing is compared with', async () => {
    const previous = await readPreviousSlice({
      paths: layout().artifacts,
      history: [{ sourceDate: '2025-11-13', release: '2025-11-13.1' }],
    });
    const nvidia = previous?.standings.find(({ cik }) => cik === '0001045810');
    // cash and equity of the 10-Q to 2025-07-27, as filed
    expect(String(nvidia?.figures.cash_and_equivalents)).toBe('11639000000');
    expect(String(nvidia?.figures.total_equity)).toBe('100131000000');
  });

  it('skips dates made from the same inputs, and gives the same bytes when they are made anew', async () => {
    const key = 'covenant-slice/2025-05-05.ndjson';
    const bytes = (release: string) => artifactText({ root: store(), release, key });
    const before = await bytes('2025-05-05.1');
    const { told, outcome } = await run();
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set(['unchanged']));
    expect(outcome).toMatchObject({ published: 0, current: { release: `${today}.2`, left: null } });
    const forced = await run({ every: '2025-05-05', force: true });
    expect(forced.told).toMatchObject([{ status: 'published', release: '2025-05-05.2', resolved: 0 }]);
    expect(await bytes('2025-05-05.2')).toBe(before);
  });

  it.each(['2024-08-05', '2025-03-31', '2025-11-13'])(
    'knows on %s what an archive of that day knew, and nothing that came after (M10.2, M15.55)',
    async (sourceDate) => {
      const target = join(root, `known-${sourceDate}`);
      await buildNight({ night: { sourceDate, asOf, note: '' }, target, market: false });
      const build = await openBuild({ warehouseRoot: join(target, 'warehouse'), buildId: 'n1', effects });
      try {
        const issuers = await loadUniverse(join(target, 'universe.csv'));
        await build.ingest({ inputs: await scanDirectorySource(target), universe: issuers });
        const { artifacts } = await computeSlice({
          connection: build.connection,
          sourceDate,
          asOf,
          issuers,
          parameters,
          cache: null,
          history: [],
          backfilled: true,
          log: () => undefined,
          stopIfAsked: () => undefined,
        });
        const release = (await readSlices(layout().artifacts))[sourceDate] ?? '';
        for (const artifact of artifacts) {
          const text = await artifactText({ root: store(), release, key: artifact.key });
          expect(text).toBe(Buffer.from(await artifactBytes(artifact)).toString('utf8'));
        }
      } finally {
        await build.discard();
      }
    },
  );

  it('tells MSTR of each date by the filing in force then, however it was restated later (M10.7)', async () => {
    const rows = await historyOf<CoreHistoryRow>('core', '0001050446');
    const on = (date: string) => rows.find((row) => row.source_date === date);
    // 447,470 BTC at 93,391.98; the fact dated 2025-01-01 was filed on 2025-05-05 (T19)
    for (const date of ['2025-03-31', '2025-05-04']) {
      expect(on(date)).toMatchObject({
        period: '2024-12-31',
        total_long_term_debt: 7191675000,
        total_crypto_fair_value: 41790109291,
        stress_50pct: 0.344181,
        risk_tier: 'LOW',
      });
    }
    expect(on('2025-05-05')).toMatchObject({
      period: '2025-03-31',
      total_long_term_debt: 8140681000,
      total_crypto_fair_value: 43546079000,
      stress_50pct: 0.373888,
      risk_tier: 'LOW',
    });
    // LongTermDebt for 2023-12-31 was filed as 2,182,108 K first; the alias rule makes it 2,182,591 K (T02)
    expect(on('2024-02-29')).toMatchObject({ period: '2023-12-31', total_long_term_debt: 2182591000 });
    expect(on('2024-08-05')?.period).toBe('2024-03-31');
    expect(on('2024-08-06')?.period).toBe('2024-06-30');
    // equity of 2020-12-31 alternates between filings; the row of 2021 keeps the one in force then (T21)
    const calculated = await historyOf<CalculationHistoryRow>('calc', '0001050446');
    const equity = calculated.find(
      (row) => row.source_date === '2021-02-28' && (row.fundamentals ?? null) !== null,
    );
    expect(equity?.fundamentals?.total_equity).toBe(553045000);
  });

  it('agrees with a brute-force look at the warehouse, row by row (M13.8)', async () => {
    const database = await openForReading(layout().database);
    let checked = 0;
    try {
      const { connection } = database;
      const issuers = await readRows(connection, 'SELECT DISTINCT cik FROM stress ORDER BY cik');
      for (const { cik } of issuers) {
        const calculated = await historyOf<CalculationHistoryRow>('calc', String(cik));
        for (const row of calculated.filter(({ fundamentals }) => (fundamentals ?? null) !== null)) {
          const values = { cik: String(cik), day: row.source_date };
          const [filing] = await readRows(
            connection,
            `SELECT accession, period::VARCHAR AS period, form FROM filings WHERE cik = $cik AND has_balance_sheet
              AND filed <= $day::DATE AND accepted_at <= $day::DATE + INTERVAL 86399 SECOND
            ORDER BY accepted_at DESC, accession DESC LIMIT 1`,
            values,
          );
          const { covenant_stress: stress } = row;
          expect([stress.accession_number, stress.period]).toEqual([
            filing?.['accession'],
            filing?.['period'],
          ]);
          const published = `SELECT DISTINCT value FROM facts WHERE cik = $cik AND accession = $accession
            AND concept = 'Assets' AND unit = 'USD' AND "end" = $period::DATE AND filed <= $day::DATE`;
          const assets = await readRows(connection, published, {
            ...values,
            accession: String(filing?.['accession']),
            period: String(filing?.['period']),
          });
          if (assets.length === 1) expect(row.fundamentals?.total_assets).toBe(assets[0]?.['value']);
          const [closes] = await readRows(
            connection,
            `SELECT max(date)::VARCHAR AS day FROM prices WHERE date <= $day::DATE AND asset = 'BTC'`,
            { day: row.source_date },
          );
          const read = stress.price_last_updated?.slice(0, 10) ?? '';
          expect(read <= String(closes?.['day'] ?? '')).toBe(true);
          const [debt, coins] = [Number(stress.total_long_term_debt), Number(stress.total_crypto_fair_value)];
          if (coins > 0) expect(stress.stress_50pct).toBeCloseTo(Math.min(1000, debt / (0.5 * coins)), 6);
          const text = await storedCovenant(row.source_date, String(cik));
          expect(row.payload_sha256).toBe(sha256Hex(text));
          checked += 1;
        }
      }
    } finally {
      database.close();
    }
    expect(checked).toBeGreaterThan(80);
  });

  it('leaves dates of nights and new dates alone, and refuses what is no date', async () => {
    await expect(run({ to: today, every: today })).rejects.toMatchObject({ code: 'usage' });
    await expect(run({ asOf: 'yesterday' })).rejects.toMatchObject({ code: 'usage' });
    const empty = await run({ from: '2009-01-01', every: '2009-01-31' });
    expect(empty.told).toMatchObject([{ status: 'empty', release: null, rows: 0 }]);
    await expect(run({ data: join(root, 'nowhere') })).rejects.toMatchObject({ code: 'input_missing' });
  });

  it('goes on where it was stopped', async () => {
    const every = '2025-06-30,2025-07-31,2025-08-31';
    const stop = new AbortController();
    const stopped = run(
      { every, signal: stop.signal, onDate: () => undefined },
      {
        files: {
          ...realFiles(),
          append: async (path, bytes, options) => {
            stop.abort();
            await realFiles().append(path, bytes, options);
          },
        },
      },
    );
    await expect(stopped).rejects.toMatchObject({ code: 'interrupted' });
    const { told, outcome } = await run({ every });
    expect(told.map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(outcome.current.left).toBeNull();
    const rows = await historyOf<CoreHistoryRow>('core', '0001050446');
    expect(rows.map((row) => row.source_date)).toEqual([...dates, ...every.split(','), today].sort());
  });
});

describe('a backfill that is killed at an effect on files', () => {
  // BACKFILL_KILLS=200 tries more
  const points = Number(process.env['BACKFILL_KILLS'] ?? 5);
  const strike = (effect: string): never => {
    throw new Error(`killed at ${effect}`);
  };
  // three issuers, a night and one date before it: enough to lose, and quick to make again
  let rig: NightlyRig;
  let standing: NightlyStage;
  const dated = ({ data }: NightlyStage, every = '2025-07-15,2025-08-15') => ({
    data,
    every,
    to: '2025-11-13',
    asOf: rig.asOf,
  });
  const copied = async (name: string): Promise<NightlyStage> => {
    const stage = rig.stage(name);
    await cp(standing.data, stage.data, { recursive: true });
    return stage;
  };
  beforeAll(async () => {
    rig = await nightlyRig();
    standing = await rig.published('standing');
    await run(dated(standing, '2025-05-15'));
  });
  afterAll(() => rig.close());

  it(`loses no release, and the same command ends it, where it says so after a night (${points} points)`, async () => {
    const undisturbed = await copied('undisturbed');
    const counter = faultyFiles(realFiles(), { at: -1, when: 'before', strike });
    await run(dated(undisturbed), { files: counter });
    const expected = Object.keys(await readSlices(undisturbed.layout.artifacts));
    expect(expected).toEqual(['2025-05-15', '2025-07-15', '2025-08-15', rig.date]);
    for (let point = 0; point < points; point += 1) {
      const at = 1 + Math.floor(((point + 0.5) * counter.count()) / points);
      const when = (['before', 'torn', 'after'] as const)[point % 3] ?? 'before';
      const stage = await copied(`killed-${point}`);
      const files = faultyFiles(realFiles(), { at, when, strike });
      // what a cache cannot write is let go, all else ends the command
      await run(dated(stage), { files }).catch((error: unknown) =>
        expect(String(error)).toContain('killed at'),
      );
      const { artifacts } = stage.layout;
      await verifyAll(artifacts);
      // between two builds of the warehouse no night vouches for either: the hint names the night, which is there at once
      await run(dated(stage)).catch(async (error: unknown) => {
        expect(error).toMatchObject({
          code: 'input_missing',
          hint: expect.stringContaining('issuer nightly'),
        });
        await stage.run();
        await run(dated(stage));
      });
      expect(Object.keys(await readSlices(artifacts)), `effect ${at}`).toEqual(expected);
      await verifyAll(artifacts);
      await rm(stage.data, { recursive: true });
    }
  });
});

async function storedCovenant(sourceDate: string, cik: string): Promise<string> {
  const release = (await readSlices(layout().artifacts))[sourceDate] ?? '';
  const text = await artifactText({ root: store(), release, key: `covenant-slice/${sourceDate}.ndjson` });
  return text.split('\n').find((line) => JSON.parse(line).cik === cik) ?? '';
}
