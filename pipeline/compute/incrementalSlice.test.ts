import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Issuer } from '../../calculators/filing/rows.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { priceBook } from '../../calculators/prices/priceBook.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { publishedNights } from '../../fixtures/suites/publishedNights.ts';
import { dataLayout } from '../dataLayout.ts';
import { realFiles, systemClock } from '../effects.ts';
import { type ComputedSlice, computeSlice } from '../families/computeSlice.ts';
import { programRoot } from '../programRoot.ts';
import { artifactBytes } from '../release/artifact.ts';
import { loadUniverse } from '../universe/universe.ts';
import { type Build, openBuild } from '../warehouse/build/warehouseBuild.ts';
import { selectPrices } from '../warehouse/select/selectPrices.ts';
import { dropVintages, selectVintages } from '../warehouse/select/selectVintages.ts';
import { openPositionCache, type PositionCache, parsePosition, positionText } from './positionCache.ts';
import { closesAround, resolveVintages } from './resolveVintages.ts';

const date = '2026-02-07';
let root: string;
let build: Build;
let issuers: Issuer[];
let parameters: Parameters;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'incremental-'));
  issuers = await loadUniverse(join(programRoot, 'data/registry/universe.csv'));
  const effects = { clock: systemClock(), log: () => undefined, files: realFiles() };
  const { data } = await publishedNights();
  await cp(dataLayout(data).warehouse, join(root, 'warehouse'), { recursive: true });
  build = await openBuild({ warehouseRoot: join(root, 'warehouse'), buildId: 'n1', effects });
  parameters = registryParameters;
});
afterAll(async () => {
  await build.discard();
  await rm(root, { recursive: true, force: true });
});

const cacheAt = (name: string, version = 'v1'): PositionCache =>
  openPositionCache({ root: join(root, name), version, files: realFiles() });

function compute(cache: PositionCache | null, sourceDate = date): Promise<ComputedSlice> {
  return computeSlice({
    connection: build.connection,
    sourceDate,
    asOf: '2026-02-09T09:00:00Z',
    issuers,
    parameters,
    cache,
    history: [],
    backfilled: false,
    log: () => undefined,
    stopIfAsked: () => undefined,
  });
}

const bytesOf = (slice: ComputedSlice) =>
  Promise.all(
    slice.artifacts.map(
      async (one) => `${one.key} ${Buffer.from(await artifactBytes(one)).toString('utf8')}`,
    ),
  );

describe('computing a slice from what was resolved before', () => {
  it('gives the bytes of a full recompute, on the same date and on a new one', async () => {
    const cache = cacheAt('same');
    const full = await compute(null);
    const cold = await compute(cache);
    const warm = await compute(cache);
    const n = full.results.length;
    expect(n).toBeGreaterThan(8);
    expect([full.reused, cold.reused, warm.reused]).toEqual([0, 0, n]);
    expect(await bytesOf(cold)).toEqual(await bytesOf(full));
    expect(await bytesOf(warm)).toEqual(await bytesOf(full));
    const nextDay = await compute(cache, '2026-02-08');
    expect(nextDay.reused).toBe(n);
    expect(bytesOf(nextDay)).toEqual(bytesOf(await compute(null, '2026-02-08')));
  });

  it('resolves a damaged entry again', async () => {
    const cache = cacheAt('damaged');
    const full = await compute(cache);
    const directory = join(root, 'damaged', 'v1');
    const names = (await readdir(directory)).sort();
    const [torn = '', altered = '', empty = ''] = names;
    const text = await readFile(join(directory, torn), 'utf8');
    await writeFile(join(directory, torn), text.slice(0, text.length >> 1));
    await writeFile(
      join(directory, altered),
      (await readFile(join(directory, altered), 'utf8')).replace('"', "'"),
    );
    await writeFile(join(directory, empty), '');
    const again = await compute(cache);
    expect(again.reused).toBe(names.length - 3);
    expect(await bytesOf(again)).toEqual(await bytesOf(full));
    expect((await compute(cache)).reused).toBe(names.length);
  });

  it('forgets what another program resolved, and the oldest beyond the bound', async () => {
    await compute(cacheAt('pruned', 'v1'));
    const names = await readdir(join(root, 'pruned', 'v1'));
    const later = openPositionCache({
      root: join(root, 'pruned'),
      version: 'v1',
      files: realFiles(),
      maxEntries: names.length - 2,
    });
    await later.prune();
    expect(await readdir(join(root, 'pruned', 'v1'))).toHaveLength(names.length - 2);
    await cacheAt('pruned', 'v2').prune();
    expect(await readdir(join(root, 'pruned'))).toEqual([]);
  });

  it('keeps every member and digit of a position', async () => {
    const rows = await selectPrices(build.connection, { upTo: date });
    const ciks = issuers.map((issuer) => issuer.cik);
    const vintages = await selectVintages(build.connection, { from: date, to: date, ciks });
    const { known } = await resolveVintages({
      connection: build.connection,
      vintages,
      parameters,
      cache: null,
      log: () => undefined,
      issuers: new Map(issuers.map((issuer) => [issuer.cik, issuer])),
      prices: priceBook(rows, parameters),
      closes: closesAround(rows, parameters),
      stopIfAsked: () => undefined,
    });
    await dropVintages(build.connection);
    for (const { position } of known) expect(parsePosition(positionText(position))).toStrictEqual(position);
  });

  it('resolves only the issuers whose filings changed, with the bytes of a full recompute (M15.1)', async () => {
    const cache = cacheAt('changed');
    const before = await compute(cache);
    // RIOT's assets of the filing in force read otherwise; nothing else moves
    await build.connection.run(`UPDATE fact SET value = value + 1000 WHERE cik = 1167419 AND series_id IN (
      SELECT series_id FROM fact_series WHERE concept = 'Assets')`);
    const changed = await compute(cache);
    expect(changed.reused).toBe(before.results.length - 1);
    expect(bytesOf(changed)).toEqual(bytesOf(await compute(null)));
    expect(await bytesOf(changed)).not.toEqual(await bytesOf(before));
    // a close of the days a resolution reads moves those it values, and a close after them nobody
    await build.connection.run(
      `UPDATE price_close SET close = close * 1.0001 WHERE date > DATE '2025-12-31'`,
    );
    const repriced = await compute(cache);
    expect(repriced.reused).toBe(before.results.length);
    expect(bytesOf(repriced)).toEqual(bytesOf(await compute(null)));
  });
});
