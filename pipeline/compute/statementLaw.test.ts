import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Issuer } from '../../calculators/filing/rows.ts';
import { buildNight } from '../../fixtures/builders/buildNight.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { publishedNights } from '../../fixtures/suites/publishedNights.ts';
import { dataLayout } from '../dataLayout.ts';
import { realFiles, systemClock } from '../effects.ts';
import { computeSlice } from '../families/computeSlice.ts';
import { scanDirectorySource } from '../source/directorySource.ts';
import { loadUniverse } from '../universe/universe.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { type Build, openBuild } from '../warehouse/build/warehouseBuild.ts';
import { selectStatements } from '../warehouse/reports/storedStatements.ts';

const sourceDate = '2026-02-07';
let root: string;
let build: Build;
let issuers: Issuer[];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'statements-'));
  const target = join(root, 'source');
  await buildNight({
    night: { sourceDate, asOf: `${sourceDate}T09:00:00Z`, note: '' },
    target,
    market: false,
  });
  issuers = await loadUniverse(join(target, 'universe.csv'));
  const effects = { clock: systemClock(), log: () => undefined, files: realFiles() };
  const { data } = await publishedNights();
  await cp(dataLayout(data).warehouse, join(root, 'warehouse'), { recursive: true });
  build = await openBuild({ warehouseRoot: join(root, 'warehouse'), buildId: 'n1', effects });
});
afterAll(async () => {
  await build.discard();
  await rm(root, { recursive: true, force: true });
});

/** Every row without what rests on closes and statements. */
async function asFiled(): Promise<string[]> {
  const { results } = await computeSlice({
    ...{ connection: build.connection, sourceDate, asOf: '2026-02-09T09:00:00Z', issuers },
    ...{ parameters: registryParameters, cache: null, history: [], backfilled: false },
    ...{ log: () => undefined, stopIfAsked: () => undefined },
  });
  // what was reported since stands beside the figures as filed
  const ofLive =
    /^live_|^debt_since_|^cash_stated|^reported_events$|^stress_velocity$|^data_quality_note(s|_words)$/;
  return results.map(({ stress }) =>
    inspect(
      Object.entries(stress).filter(([name]) => !ofLive.test(name)),
      { depth: null },
    ),
  );
}

describe('statements of a source that holds no current reports any more', () => {
  const count = async () => {
    const [row] = await readRows(
      build.connection,
      'SELECT (SELECT count(*) FROM coin_statement)::INTEGER AS n, (SELECT count(*) FROM holdings_link)::INTEGER AS links',
    );
    return [row?.['n'], row?.['links']];
  };

  it('stay where the night keeps the input, and go away where it does not', async () => {
    const before = await count();
    // sixteen stocks, one of which a later report linked anew
    expect(before).toEqual([44, 17]);
    const inputs = await scanDirectorySource(join(root, 'source'));
    const without = { ...inputs, paths: { ...inputs.paths, current_reports: [] } };
    const kept = [{ name: 'edgar/current-reports/', sourceDate: '2026-02-06' }];
    await build.ingest({ inputs: without, kept, universe: issuers });
    expect(await count()).toEqual(before);
    await build.ingest({ inputs: without, universe: issuers });
    expect(await count()).toEqual([0, 0]);
    await build.ingest({ inputs, universe: issuers });
    expect(await count()).toEqual(before);
  });
});

describe('figures as filed', () => {
  it('are the same to the bit with and without current reports', async () => {
    expect((await selectStatements(build.connection, sourceDate)).get('0001050446')?.length).toBeGreaterThan(
      20,
    );
    const beside = await asFiled();
    await build.connection.run('DELETE FROM coin_statement');
    expect((await selectStatements(build.connection, sourceDate)).size).toBe(0);
    expect(await asFiled()).toEqual(beside);
    expect(beside.length).toBeGreaterThan(8);
  });
});
