import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NightlyRig, type NightlyStage, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import { readSegmentCache } from '../marketRelease/segmentCache.ts';
import { readMarketLines } from './summary/countLines.ts';
import { summarizeNight } from './summary/nightSummary.ts';

const table = 'perps/synthetic-state_coinbase-intx_BTC.csv';
const next = { date: '2025-11-15', asOf: '2025-11-16T06:00:00Z' };
const bySymbol = ['AI-PERP-INTX', 'BTC-PERP-INTX', 'COIN50-PERP-INTX', 'ETH-PERP-INTX', 'SOL-PERP-INTX'];

describe('the market half of a night', () => {
  let rig: NightlyRig;
  let root: string;
  /** A data directory that holds the whole night of 2025-11-14. */
  let first: NightlyStage;
  beforeAll(async () => {
    rig = await nightlyRig({ market: true });
    root = await mkdtemp(join(tmpdir(), 'night-market-'));
    first = await rig.published('first');
  });
  afterAll(async () => {
    await rig.close();
    await rm(root, { recursive: true, force: true });
  });

  const stageWith = async (name: string, change: (perps: string) => Promise<void>) => {
    const source = join(root, name);
    await cp(rig.source, source, { recursive: true });
    await change(join(source, 'perps'));
    const stage = await rig.published(name);
    const [outcome] = await stage.run({ source, ...next });
    if (outcome === undefined) throw new Error('no night ran');
    return { stage, outcome };
  };
  const products = async ({ layout }: NightlyStage, sourceDate: string) =>
    (await readMarketLines(layout.database, { sourceDate })).map(({ product }) => product).sort();

  it('has a row of every product whose registry and contract are there, marked as made up', async () => {
    expect(await products(first, '2025-11-14')).toEqual(bySymbol);
    const lines = await readMarketLines(first.layout.database, { sourceDate: '2025-11-14' });
    expect(new Set(lines.map(({ synthetic }) => synthetic))).toEqual(new Set([true]));
  });

  it('makes no segment of the night before again: its build has the same name once it is promoted (STORE ST9)', async () => {
    const { stage } = await stageWith('same', async () => undefined);
    const before = await readSegmentCache(first.layout.journal);
    const after = await readSegmentCache(stage.layout.journal);
    const own = [...before].filter(([key]) => key.endsWith('/2025-11-14.ndjson'));
    // factors and points of three lengths, and constituents
    expect(own).toHaveLength(7);
    for (const [key, segment] of own) expect(after.get(key), key).toEqual(segment);

    await stage.run({ date: '2025-11-14', force: true, asOf: '2025-11-17T06:00:00Z' });
    expect(await stage.lastRun()).toMatchObject({ status: 'ok', source_date: '2025-11-14' });
    expect(await readSegmentCache(stage.layout.journal), 'after the correction of an older date').toEqual(
      after,
    );
  });

  it('keeps the rows of a table that is refused the night after, says so, and goes on', async () => {
    const { stage, outcome } = await stageWith('refused', (perps) =>
      writeFile(join(perps, table.slice(6)), Buffer.from([0xff, 0xfe])),
    );
    expect(outcome.findings).toEqual([
      expect.stringMatching(
        /^perps\/synthetic-state_coinbase-intx_BTC\.csv is refused, and what the night of 2025-11-14/,
      ),
    ]);
    expect(await stage.lastRun()).toMatchObject({ status: 'ok', exit_code: 6 });
    expect(await products(stage, '2025-11-14')).toEqual(bySymbol);
    expect((await summarizeNight(outcome, stage.layout)).issuers).toBeGreaterThan(0);
  });

  it('keeps the rows of tables that are gone, and no row of an issuer carries a note of it', async () => {
    const { stage, outcome } = await stageWith('gone', async (perps) => {
      for (const name of await readdir(perps)) if (name.startsWith('synthetic-')) await rm(join(perps, name));
    });
    expect(outcome.findings.length).toBeGreaterThan(5);
    for (const finding of outcome.findings) {
      expect(finding).toMatch(/^perps\/synthetic-.* is not in the inputs; what the night of 2025-11-14 read/);
    }
    expect(outcome.plan.inputNotes).toEqual([]);
    expect(await products(stage, '2025-11-14')).toEqual(bySymbol);
  });

  it('refuses the rows of another contract by line, and takes the others', async () => {
    const { outcome } = await stageWith('mixed', (perps) =>
      writeFile(
        join(perps, 'state_binance_ETH.csv'),
        'venue,symbol,time_utc,open_interest,last_price,index_price,mark_price\n' +
          'binance,ETH-USDT,2024-01-01T23:00:00Z,1,2300,2300,2300\n' +
          'binance,BTC-USDT,2024-01-01T23:00:00Z,1,42000,42000,42000\n',
      ),
    );
    expect(outcome.findings).toEqual([]);
    expect(outcome.warehouse?.quarantined).toEqual([
      { name: 'perps/state_binance_ETH.csv:3', reason: 'symbol is not of state_binance_ETH.csv' },
    ]);
  });
});
