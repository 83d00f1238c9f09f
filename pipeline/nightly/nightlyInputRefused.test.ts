import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CovenantStress, covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { readArchive } from '../../fixtures/builders/readArchive.ts';
import { writeZip } from '../../fixtures/builders/zipWriter.ts';
import { type NightlyRig, type NightlyStage, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import { artifactRows } from '../../fixtures/rigs/storedArtifacts.ts';
import { readManifest } from '../release/releaseStore.ts';
import { summarizeNight, summaryText } from './summary/nightSummary.ts';

const mstr = 'CIK0001050446.json';
const nights = [
  { date: '2025-11-15', asOf: '2025-11-16T06:00:00Z' },
  { date: '2025-11-16', asOf: '2025-11-17T06:00:00Z' },
];

let rig: NightlyRig;
let root: string;
beforeAll(async () => {
  rig = await nightlyRig();
  root = await mkdtemp(join(tmpdir(), 'refused-'));
});
afterAll(async () => {
  await rig.close();
  await rm(root, { recursive: true, force: true });
});

/** A source whose `file` cannot be read, or of whose `file` the entry of MSTR cannot. */
async function sourceWith(name: string, { file, change }: { file: string; change: Change }) {
  const source = join(root, name);
  await cp(rig.source, source, { recursive: true });
  await change(join(source, file));
  return source;
}

type Change = (path: string) => Promise<void>;
const notUtf8: Change = (path) => writeFile(path, Buffer.from([0xff, 0xfe, 0x00]));
const spoilEntry: Change = async (path) => {
  const entries = await readArchive(path, () => true);
  const data = (name: string, text: string) => Buffer.from(name === mstr ? '{"cik":' : text);
  await writeFile(path, writeZip([...entries].map(([name, text]) => ({ name, data: data(name, text) }))));
};

async function rowsOf({ layout }: NightlyStage, release: string | null) {
  const key = covenantStress.stored.rows.key({ slice: (release ?? '').slice(0, 10) });
  const { root } = layout.artifacts;
  const rows = await artifactRows<CovenantStress>({ root, release: release ?? '', key });
  return new Map(rows.map((row) => [row.ticker, row]));
}

const everyone = ['BTBT', 'MSTR', 'RIOT'];
const cases = [
  { file: 'prices/BTC.csv', input: 'prices/BTC.csv', change: notUtf8, noted: everyone },
  {
    file: 'edgar/submissions.zip',
    input: `edgar/submissions.zip!${mstr}`,
    change: spoilEntry,
    noted: ['MSTR'],
  },
  {
    file: 'edgar/companyfacts.zip',
    input: `edgar/companyfacts.zip!${mstr}`,
    change: spoilEntry,
    noted: ['MSTR'],
  },
];

describe('an input that is at hand and refused', () => {
  it.for(cases)(
    '$input: named, exit 6 every night, a note on the rows it leaves as they were',
    async (one) => {
      const { file, input, noted } = one;
      const name = input.replaceAll(/[/!]/g, '-');
      const source = await sourceWith(`${name}-source`, one);
      const stage = await rig.published(name);
      const before = await rowsOf(stage, '2025-11-14.1');
      const heldThen = (await readManifest(stage.layout.artifacts, '2025-11-14.1')).manifest.inputs[file];
      for (const night of nights) {
        const [outcome] = await stage.run({ source, ...night });
        if (outcome === undefined) throw new Error('no night ran');
        const said = outcome.findings.filter((finding) =>
          finding.startsWith(
            `${input} is refused, and what the night of 2025-11-14 read of it stays in use: `,
          ),
        );
        expect(said).toHaveLength(1);
        expect(await stage.lastRun()).toMatchObject({
          status: 'ok',
          exit_code: 6,
          degraded: outcome.findings,
        });
        const summary = summaryText(await summarizeNight(outcome, stage.layout), { data: null });
        expect(summary).toContain(said[0]);
        const rows = await rowsOf(stage, outcome.release);
        const note = `input_kept:${input}:2025-11-14`;
        const withNote = [...rows.values()].filter((row) => row.data_quality_notes?.includes(note));
        expect(withNote.map(({ ticker }) => ticker).sort()).toEqual(noted);
        for (const [ticker, { accession_number, total_long_term_debt }] of rows)
          expect(before.get(ticker)).toMatchObject({ accession_number, total_long_term_debt });
        const { manifest } = await readManifest(stage.layout.artifacts, outcome.release ?? '');
        expect(manifest.inputs[input]).toBe(
          input === file ? `${heldThen} kept from 2025-11-14` : 'kept from 2025-11-14',
        );
        // run again, it is unchanged and says the same
        const [again] = await stage.run({ source, ...night });
        expect(again?.steps.at(-1)).toMatchObject({ step: 'publish', status: 'skipped' });
        expect(again?.findings).toEqual(outcome.findings);
      }
      // the day it can be read again, the night is whole
      await cp(join(rig.source, file), join(source, file));
      const [mended] = await stage.run({ source, date: '2025-11-16', asOf: '2025-11-17T07:00:00Z' });
      expect(mended?.findings).toEqual([]);
      const whole = await readManifest(stage.layout.artifacts, mended?.release ?? '');
      expect(whole.manifest.inputs).toMatchObject({ [file]: heldThen });
      expect(JSON.stringify(whole.manifest.inputs)).not.toContain('kept from');
      expect(JSON.stringify([...(await rowsOf(stage, mended?.release ?? null)).values()])).not.toContain(
        'input_kept',
      );
    },
  );

  it('is said to have no earlier rows on a first night', async () => {
    const source = await sourceWith('never-source', { file: 'prices/BTC.csv', change: notUtf8 });
    const stage = rig.stage('never');
    const [outcome] = await stage.run({ source });
    expect(outcome?.findings).toContainEqual(
      expect.stringMatching(/^prices\/BTC\.csv is refused, and no earlier night read it: .* is not UTF-8$/),
    );
    expect(await stage.lastRun()).toMatchObject({ exit_code: 6 });
    const { manifest } = await readManifest(stage.layout.artifacts, outcome?.release ?? '');
    expect(manifest.inputs['prices/BTC.csv']).toBe('refused');
    expect(JSON.stringify([...(await rowsOf(stage, outcome?.release ?? null)).values()])).not.toContain(
      'input_kept',
    );
  });

  it('one that is gone a night later stays in use as of the night that read it', async () => {
    const source = await sourceWith('gone-source', { file: 'prices/BTC.csv', change: notUtf8 });
    const stage = await rig.published('gone');
    await stage.run({ source, ...nights[0] });
    await rm(join(source, 'prices/BTC.csv'));
    const [outcome] = await stage.run({ source, ...nights[1] });
    expect(outcome?.findings).toContainEqual(
      expect.stringMatching(/^prices\/BTC\.csv is not in the inputs; what the night of 2025-11-14 read/),
    );
    expect(outcome?.findings.filter((finding) => finding.startsWith('prices/BTC.csv'))).toHaveLength(1);
    const [row] = (await rowsOf(stage, outcome?.release ?? null)).values();
    expect(row?.data_quality_notes?.filter((note) => note.includes('prices/BTC.csv'))).toEqual([
      'input_kept:prices/BTC.csv:2025-11-14',
    ]);
  });
});
