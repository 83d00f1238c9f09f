import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PriceRow } from '../../calculators/filing/rows.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { buildNight } from '../../fixtures/builders/buildNight.ts';
import {
  companyfactsPath,
  served,
  submissionsPath,
  tickersPath,
} from '../../fixtures/replicas/edgarFiles.ts';
import { type EdgarHarness, edgarHarness, failureOf } from '../../fixtures/replicas/edgarHarness.ts';
import type { ServedFile } from '../../fixtures/replicas/edgarReplica.ts';
import { filingFolder, filingIndexJson } from '../../fixtures/replicas/filingFiles.ts';
import { artifactText } from '../../fixtures/rigs/storedArtifacts.ts';
import { dataLayout } from '../dataLayout.ts';
import { realFiles, type StoreEffects } from '../effects.ts';
import type { PriceSource } from '../fetch/prices/priceSource.ts';
import { planNights } from '../source/nightSource.ts';
import { edgarNights, fetchPastReports } from './edgarNights.ts';
import { nightSteps } from './nightStep.ts';
import { runNight } from './runNight.ts';

const strategy = { cik: '0001050446', accession: '0001193125-25-262568' };
const strategyOf2026 = { cik: '0001050446', accession: '0001193125-26-001550' };

let t: EdgarHarness;
beforeEach(async () => {
  t = await edgarHarness();
});
afterEach(() => t.close());

/** What SEC would have served of a few registrants on 2026-02-07, from the fixture tables. */
async function filesOfThatDay(): Promise<Record<string, ServedFile>> {
  const built = join(t.root, 'built');
  await buildNight({
    night: { sourceDate: '2026-02-07', asOf: '2026-02-08T06:00:00Z', note: '' },
    target: built,
    only: new Set(['MSTR', 'RIOT', 'BTBT']),
    market: false,
  });
  const file = async (name: string) => served(await readFile(join(built, 'edgar', name)), 1);
  return {
    ...(await strategyFiling(built)),
    ...(await strategyReport(built)),
    [tickersPath]: await file('company_tickers_exchange.json'),
    [companyfactsPath]: await file('companyfacts.zip'),
    [submissionsPath]: await file('submissions.zip'),
  };
}

async function secOnThatDay() {
  const replica = await t.start(await filesOfThatDay());
  const built = join(t.root, 'built');
  const closes = (await readFile(join(built, 'prices/BTC.csv'), 'utf8'))
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line): PriceRow => {
      const [date = '', asset = '', close, source = ''] = line.split(',');
      return { date, asset, close: Number(close), source };
    });
  return { replica, closes };
}

/** Strategy's 10-Q for 2025-09-30 as EDGAR serves its folder. */
async function strategyFiling(built: string): Promise<Record<string, ServedFile>> {
  const folder = join(built, 'edgar/filings/1050446/000119312525262568');
  const names = await readdir(folder);
  const base = filingFolder(strategy);
  const index = filingIndexJson({ ...strategy, items: [...names, 'R2.htm', 'mstr-20250930.htm'] });
  const files = { [`${base}/index.json`]: served(index, 1) };
  for (const name of names) files[`${base}/${name}`] = served(await readFile(join(folder, name)), 1);
  return files;
}

/** Its 8-K of 2026-01-05, the only one of that week that this replica serves. */
async function strategyReport(built: string): Promise<Record<string, ServedFile>> {
  const name = `${strategyOf2026.accession}.txt`;
  const text = join(built, 'edgar/current-reports', strategyOf2026.cik, strategyOf2026.accession, name);
  return { [`${filingFolder(strategyOf2026)}/${name}`]: served(await readFile(text), 1) };
}

function priceSource(closes: readonly PriceRow[] | null): PriceSource {
  return {
    name: closes?.[0]?.source ?? 'refusing',
    supports: (asset) => asset === 'BTC',
    lastCompleteDay: () => '2026-02-07',
    requests: () => 0,
    fetchDailyCloses: async ({ from, to }) => {
      if (closes === null)
        throw new IssuerError({ code: 'source_refused', message: 'The price host said no.', hint: '' });
      const one = new Map(closes.map((row) => [row.date, { ...row, source: closes[0]?.source ?? '' }]));
      return [...one.values()].filter((row) => row.date >= from && row.date <= to);
    },
    close: () => Promise.resolve(),
  };
}

async function night(edgarUrl: string, closes: readonly PriceRow[] | null) {
  const effects: StoreEffects = {
    clock: t.clock,
    log: (event) => void t.log.push(event),
    files: realFiles(),
  };
  const source = edgarNights({
    contact: 'Jane Roe jane@fund.org',
    priceKey: null,
    edgarUrl,
    priceSource: () => priceSource(closes),
  });
  const [tonight] = await planNights({ source, date: null, asOf: null, now: t.clock.now() });
  if (tonight === undefined) throw new Error('no night was planned');
  const layout = dataLayout(join(t.root, 'data'));
  const request = { source, layout, night: tonight, force: false, dryRun: false, code: 'under test' };
  const signal = new AbortController().signal;
  return runNight({ ...request, steps: new Set(nightSteps), signal }, effects);
}

const strategyOfThatDay = () => ({
  root: join(t.root, 'data/artifacts'),
  release: '2026-02-07.1',
  key: 'covenant/2026-02-07/CIK0001050446.json',
});

describe('the edgar source', () => {
  it('refuses to start without a contact address', () => {
    expect(() => edgarNights({ contact: undefined, priceKey: null })).toThrow(
      'SEC EDGAR needs a contact address',
    );
  });

  it('runs today’s night from SEC’s archives and fetched closes, and asks for nothing twice', async () => {
    const { replica, closes } = await secOnThatDay();
    const first = await night(replica.origin, closes);
    expect(first.release).toBe('2026-02-07.1');
    expect(first.plan.asOf).toMatch(/^2026-02-07T03:/);
    expect(first.steps[0]?.message).toMatch(
      /^3 of 3 archives new \([\d,]+ bytes in \d+ requests\), 1 new filings, 1 new current reports, \d+ new closes$/,
    );
    const mstr = JSON.parse(await artifactText(strategyOfThatDay()));
    expect(mstr).toMatchObject({ stress_50pct: 0.223313, total_crypto_fair_value: 73_205_725_000 });
    expect(mstr.uses_live_prices).toBe(true);
    // its calculation arcs came with the filing
    expect(mstr).toMatchObject({ is_linkbase_backed: true, data_source: 'linkbase_rooted_facts' });
    const asked = replica.requests.length;
    const second = await night(replica.origin, closes);
    expect(second.steps.map((step) => step.status)).toEqual(['skipped', 'skipped', 'skipped', 'skipped']);
    // filings that only companyfacts know of are asked for once a warehouse stands, those already stored never again
    const paths = () => replica.requests.slice(asked).map(({ path }) => path);
    expect(paths().filter((path) => path.startsWith(filingFolder(strategy)))).toEqual([]);
    const before = paths().length;
    await night(replica.origin, closes);
    const archives = [companyfactsPath, submissionsPath, tickersPath];
    expect(paths().slice(before).sort()).toEqual(archives.sort());
  });

  it('fetches current reports of the past for the next night, each once', async () => {
    const { replica, closes } = await secOnThatDay();
    await night(replica.origin, closes);
    const past = (from: string) =>
      fetchPastReports({
        ...{ layout: dataLayout(join(t.root, 'data')), from, contact: 'Jane Roe jane@fund.org' },
        effects: { clock: t.clock, log: (event) => void t.log.push(event), files: realFiles() },
        ...{ edgarUrl: replica.origin, signal: new AbortController().signal },
      });
    expect(await past('2026-01-01')).toMatchObject({ fetched: 0, requests: 0 });
    const older = await past('2025-01-01');
    expect(older.chosen).toBeGreaterThan(20);
    // this replica has none of them: each is asked for once and named
    expect(older.fetched).toBe(0);
    expect(older.requests).toBeGreaterThan(10);
    expect(await past('2025-01-01')).toMatchObject({ fetched: 0, requests: 0, chosen: older.chosen });
  });

  it('goes on without new filings when SEC refuses them', async () => {
    const { closes } = await secOnThatDay();
    const refusals = Array.from({ length: 40 }, () => ({ kind: 'status' as const, status: 403 }));
    const replica = await t.start(await filesOfThatDay(), {
      [`${filingFolder(strategy)}/index.json`]: refusals,
    });
    const outcome = await night(replica.origin, closes);
    expect(outcome.release).toBe('2026-02-07.1');
    const warnings = t.log.filter((event) => event.level === 'warn').map((event) => event.message);
    expect(warnings.some((message) => message.startsWith('not all new filings: '))).toBe(true);
    const mstr = JSON.parse(await artifactText(strategyOfThatDay()));
    expect(mstr).toMatchObject({ stress_50pct: 0.223313, data_source: 'direct_facts_fallback' });
  });

  it('goes on without new closes when the price source refuses', async () => {
    const { replica } = await secOnThatDay();
    const outcome = await night(replica.origin, null);
    expect(outcome.release).toBe('2026-02-07.1');
    expect(t.log.filter((event) => event.level === 'warn').map((event) => event.message)).toContain(
      'no new closes: The price host said no.',
    );
    expect(outcome.plan.inputs.missing).toContain('prices/*.csv');
  });

  it('ends with the refusal of SEC and publishes nothing', async () => {
    const replica = await t.start({}, { [tickersPath]: [{ kind: 'status', status: 403 }] });
    expect((await failureOf(night(replica.origin, null))).toCli()).toMatchObject({
      code: 'source_refused',
      exitCode: 4,
    });
  });
});
