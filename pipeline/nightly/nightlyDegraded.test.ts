import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { buildNight } from '../../fixtures/builders/buildNight.ts';
import { type NightlyRig, type NightlyStage, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import { artifactRows } from '../../fixtures/rigs/storedArtifacts.ts';
import { readManifest } from '../release/releaseStore.ts';
import { summarizeNight, summaryText } from './summary/nightSummary.ts';

const next = { date: '2025-11-15', asOf: '2025-11-16T06:00:00Z' };

let rig: NightlyRig;
let root: string;
/** A data directory that holds the whole night of 2025-11-14. */
let first: NightlyStage;
beforeAll(async () => {
  rig = await nightlyRig();
  root = await mkdtemp(join(tmpdir(), 'degraded-'));
  first = await rig.published('first');
});
afterAll(async () => {
  await rig.close();
  await rm(root, { recursive: true, force: true });
});

/** A copy of the first night's data, and of its source without some inputs. */
async function dayAfter(name: string, { without }: { without: readonly string[] }) {
  const source = join(root, `${name}-source`);
  await cp(rig.source, source, { recursive: true });
  for (const input of without) await rm(join(source, input), { recursive: true });
  const stage = await rig.published(name);
  const run = (change = {}) => stage.run({ source, ...next, ...change });
  return { stage, source, run };
}

async function rowsOf({ layout }: NightlyStage, release: string | null) {
  const slice = (release ?? '').slice(0, 10);
  const key = covenantStress.stored.rows.key({ slice });
  const { root } = layout.artifacts;
  const rows = await artifactRows<Record<string, unknown>>({
    root,
    release: release ?? '',
    key,
  });
  return new Map(rows.map((row) => [row['ticker'], row]));
}

const read = [
  [
    'edgar/companyfacts.zip',
    /^edgar\/companyfacts\.zip is not in the inputs; what the night of 2025-11-14 read of it/,
  ],
  [
    'edgar/submissions.zip',
    /^edgar\/submissions\.zip is not in the inputs; what the night of 2025-11-14 read of it/,
  ],
  [
    'prices',
    /^prices\/BTC\.csv is not in the inputs; what the night of 2025-11-14 read of it stays in use \(sha256 [0-9a-f]{12}, 1 day old\)$/,
  ],
] as const;

describe('a night without a main input', () => {
  it.for(read)('%s: keeps what was known, says so everywhere and ends with 6', async ([input, sentence]) => {
    const { stage, run } = await dayAfter(input.replaceAll('/', '-'), { without: [input] });
    const [outcome] = await run();
    if (outcome === undefined) throw new Error('no night ran');
    expect(outcome.findings).toContainEqual(expect.stringMatching(sentence));
    expect(await stage.lastRun()).toMatchObject({ status: 'ok', exit_code: 6, degraded: outcome.findings });
    expect(stage.events.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual(
      expect.arrayContaining([...outcome.findings]),
    );
    const summary = summaryText(await summarizeNight(outcome, stage.layout), { data: null });
    expect(summary).toMatch(/Degraded +\d+ findings?, exit code 6/);
    // no issuer steps back: MSTR's 10-Q of September 2025 and its debt of 8.17 bn stay
    const before = await rowsOf(stage, '2025-11-14.1');
    const after = await rowsOf(stage, outcome.release);
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [ticker, row] of after) {
      const { period, accession_number, total_long_term_debt, risk_tier, data_quality_notes } = row;
      expect({ period, accession_number, total_long_term_debt, risk_tier }).toEqual(
        pick(before.get(ticker) ?? {}),
      );
      expect(data_quality_notes).toContainEqual(
        expect.stringMatching(new RegExp(`^input_kept:${input}(/\\w+\\.csv)?:2025-11-14$`)),
      );
    }
    expect(after.get('MSTR')).toMatchObject({ period: '2025-09-30', total_long_term_debt: 8173903000 });
    const { manifest } = await readManifest(stage.layout.artifacts, outcome.release ?? '');
    const kept = Object.entries(manifest.inputs).filter(([name]) => name.startsWith(input));
    expect(kept.length).toBeGreaterThan(0);
    for (const [, hash] of kept) expect(hash).toMatch(/^[0-9a-f]{64} kept from 2025-11-14$/);
    // run again, it is unchanged and says the same
    const [again] = await run();
    expect(again?.findings).toEqual(outcome.findings);
    expect(again?.steps.at(-1)).toMatchObject({ step: 'publish', status: 'skipped' });
    expect(await stage.lastRun()).toMatchObject({ exit_code: 6 });
  });

  it('is degraded without an earlier one, too', async () => {
    const { source } = await dayAfter('unknown', { without: ['edgar/submissions.zip'] });
    const stage = rig.stage('from-nothing');
    const [outcome] = await stage.run({ source });
    expect(outcome?.findings).toEqual([
      'edgar/submissions.zip is not in the inputs, and no earlier night read it',
    ]);
    expect(await stage.lastRun()).toMatchObject({ exit_code: 6 });
  });
});

const pick = ({ period, accession_number, total_long_term_debt, risk_tier }: Record<string, unknown>) => ({
  period,
  accession_number,
  total_long_term_debt,
  risk_tier,
});

describe('a night with every input', () => {
  it('is whole', async () => {
    expect(await first.lastRun()).toMatchObject({ exit_code: 0, degraded: [] });
  });

  it('names closes that are older than two days', async () => {
    const { run } = await dayAfter('old-closes', { without: [] });
    const [outcome] = await run({ date: '2025-12-01', asOf: '2025-12-02T06:00:00Z' });
    expect(outcome?.findings).toContainEqual(
      expect.stringMatching(/^the newest closes of ADA, AVAX, BTC, .* are of 2025-11-14$/),
    );
  });

  it('names an issuer whose filing in force is gone from the archive', async () => {
    const { source, run } = await dayAfter('gone', { without: [] });
    // the archives as they were before MSTR filed its 10-Q of September 2025
    const only = new Set(['MSTR', 'RIOT', 'BTBT']);
    const night = { sourceDate: '2025-10-30', asOf: rig.asOf, note: '' };
    const earlier = join(root, 'earlier');
    await buildNight({ night, target: earlier, only });
    for (const name of ['companyfacts.zip', 'submissions.zip'])
      await cp(join(earlier, 'edgar', name), join(source, 'edgar', name));
    const [outcome] = await run();
    expect(outcome?.findings).toContainEqual(
      expect.stringMatching(
        /^MSTR steps back to \S+ for 2025-06-30: 0001193125-25-262568 for 2025-09-30 is gone from the inputs$/,
      ),
    );
  });

  it('says that a slice older than the current one does not become current', async () => {
    const { run } = await dayAfter('older', { without: [] });
    const [outcome] = await run({ date: '2025-11-13', asOf: '2025-11-17T06:00:00Z' });
    expect(outcome?.findings).toContain(
      'the slice of 2025-11-13 does not become current: 2025-11-14.1 is newer and stays',
    );
  });
});
