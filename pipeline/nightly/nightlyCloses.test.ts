import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { type NightlyRig, type NightlyStage, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import { artifactRows } from '../../fixtures/rigs/storedArtifacts.ts';
import { summarizeNight, summaryText } from './summary/nightSummary.ts';

let rig: NightlyRig;
let root: string;
/** The night whose source has no bitcoin close of its day. */
let without: Awaited<ReturnType<typeof nightWith>>;
beforeAll(async () => {
  rig = await nightlyRig();
  root = await mkdtemp(join(tmpdir(), 'closes-'));
  without = await nightWith('without', (lines) => lines.filter((line) => !line.startsWith(rig.date)));
});
afterAll(async () => {
  await rig.close();
  await rm(root, { recursive: true, force: true });
});

type CloseTable = (lines: string[]) => string[];

/** The night with another table of bitcoin closes, where all else has been read. */
async function nightWith(name: string, change: CloseTable, o: { force?: boolean } = {}) {
  return nightOn(await rig.ingested(name), { name, change, o });
}

/** The same, with nothing read before. */
async function firstNightWith(name: string, change: CloseTable) {
  return nightOn(rig.stage(name), { name, change, o: {} });
}

async function nightOn(
  stage: NightlyStage,
  { name, change, o }: { name: string; change: CloseTable; o: { force?: boolean } },
) {
  const source = join(root, `${name}-source`);
  await cp(rig.source, source, { recursive: true });
  const path = join(source, 'prices/BTC.csv');
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  await writeFile(path, `${change(lines).join('\n')}\n`);
  const [outcome] = await stage.run({ source, ...o });
  if (outcome === undefined) throw new Error('no night ran');
  const key = covenantStress.stored.rows.key({ slice: rig.date });
  const { root: store } = stage.layout.artifacts;
  const rows = await artifactRows<CovenantStress>({ root: store, release: outcome.release ?? '', key });
  return { outcome, stage, rows: new Map(rows.map((row) => [row.ticker, row])) };
}

/** The closes of the slice's day times `factor`, of every source. */
const today = (factor: number) => (lines: string[]) =>
  lines.map((line) => {
    const [date, asset, close, source] = line.split(',');
    return date === rig.date ? [date, asset, Number(close) * factor, source].join(',') : line;
  });

describe('a close that cannot be right (M2.13b)', () => {
  it.for([1000, 0.001, 10, 1e285, 1e-300])(
    'times %s: quarantined, the close before it stands, every row says so, exit 6',
    async (factor) => {
      const { outcome, stage, rows } = await nightWith(`times-${factor}`, today(factor));
      const sentence = expect.stringMatching(/^the BTC close \S+ of 2025-11-14 from \w+ is not used: it is /);
      expect(outcome.findings).toEqual([sentence]);
      expect(await stage.lastRun()).toMatchObject({ exit_code: 6, degraded: [sentence] });
      expect(outcome.warehouse?.quarantined).toEqual([
        {
          name: 'prices/BTC.csv',
          reason: expect.stringMatching(/^the BTC close \S+ of 2025-11-14 from \w+ is /),
        },
      ]);
      expect(summaryText(await summarizeNight(outcome, stage.layout), { data: null })).toContain(
        'prices/BTC.csv: the BTC close',
      );
      expect(rows.size).toBe(3);
      for (const [ticker, row] of rows) {
        // words of notes follow the notes
        const { data_quality_notes, data_quality_note_words: _, ...figures } = row;
        const {
          data_quality_notes: notes = [],
          data_quality_note_words: __,
          ...expected
        } = without.rows.get(ticker) ?? row;
        expect(figures).toEqual(expected);
        // the same figures as without the close, and the other word for why
        expect(data_quality_notes).toEqual(
          notes.map((note) => note.replace('close_missing:BTC:2025-11-14', 'close_refused:BTC:2025-11-14')),
        );
        expect(data_quality_notes).toContain('close_refused:BTC:2025-11-14');
      }
    },
  );

  it('is taken as it is with --force', async () => {
    const { outcome, rows } = await nightWith('forced', today(0.1), { force: true });
    expect(outcome.warehouse?.quarantined).toEqual([]);
    expect(String(rows.get('MSTR')?.data_quality_notes)).not.toContain('close_refused');
  });

  it('leaves live figures null where no close is fresh enough', async () => {
    const { rows } = await nightWith('days', (lines) =>
      lines.map((line) => (line >= '2025-11-10' && line < 'd' ? line.replace(/,(\d+)/, ',$1000') : line)),
    );
    const row = rows.get('MSTR');
    expect(row).toMatchObject({ uses_live_prices: false, live_stress_50pct: null });
    expect(row?.data_quality_notes).toContain('close_refused:BTC:2025-11-14');
    expect(row?.data_quality_notes).toContain('close_refused:BTC:2025-11-13');
  });
});

describe('a close that is not there (M2.13)', () => {
  const notesOf = (rows: ReadonlyMap<string, CovenantStress>) =>
    [...rows.values()].map(({ data_quality_notes: notes = [] }) =>
      notes.filter((note) => note.startsWith('close_missing')),
    );

  it("of the slice's day: the one before it stands, every row says so, and the log, exit 0", () => {
    const { outcome, stage, rows } = without;
    expect(notesOf(rows)).toEqual(Array(3).fill(['close_missing:BTC:2025-11-14']));
    expect(stage.events).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'no source gives a close of BTC of 2025-11-14: that of 2025-11-13 stands',
      }),
    );
    expect(outcome.findings).toEqual([]);
    expect(rows.get('MSTR')).toMatchObject({
      uses_live_prices: true,
      price_last_updated: '2025-11-13T23:59:59Z',
    });
  });

  it('of the balance sheet: every row whose coins are valued by it says so', async () => {
    const { rows } = await nightWith('period', (lines) =>
      lines.filter((line) => !line.startsWith('2025-09-30')),
    );
    expect(notesOf(rows).flat()).toContain('close_missing:BTC:2025-09-30');
    expect(rows.get('MSTR')?.data_quality_notes).toContain('close_missing:BTC:2025-09-30');
  });

  it('is none before a series begins', async () => {
    const { rows } = await nightWith('young', (lines) =>
      lines.filter((line, n) => n === 0 || line >= '2025-11-14'),
    );
    expect(notesOf(rows).flat()).toEqual([]);
  });
});

describe('a table without a close', () => {
  it('is refused and a finding, with the first row that is none', async () => {
    const { outcome } = await firstNightWith('empty', ([header = '']) => [header]);
    expect(outcome.findings).toEqual([
      expect.stringMatching(
        /^prices\/BTC\.csv is refused, and no earlier night read it: .*BTC\.csv holds no close that can be used$/,
      ),
    ]);
    const { outcome: broken } = await firstNightWith('broken', ([header = '', row = '']) => [
      header,
      `${row},7`,
    ]);
    expect(String(broken.findings)).toMatch(
      /holds no close that can be used: prices\/BTC\.csv:2 has another/,
    );
  });
});
