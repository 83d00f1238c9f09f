import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { naturalBrief } from '../../data/contract/payloads/reports/naturalBrief.ts';
import { companyRows } from '../../data/contract/payloads/universe/companies.ts';
import { readiness } from '../../data/contract/payloads/universe/readiness.ts';
import { briefStyles } from '../../data/contract/values/enums.ts';
import { type NightlyRig, type NightlyStage, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import { artifactRows } from '../../fixtures/rigs/storedArtifacts.ts';
import type { BriefRenderer } from '../briefs/renderBriefs.ts';
import { readManifest } from '../release/releaseStore.ts';

const RIOT = '0001167419';
const MSTR = '0001050446';
const next = { date: '2025-11-15', asOf: '2025-11-16T06:00:00Z' };

let rig: NightlyRig;
beforeAll(async () => {
  rig = await nightlyRig();
});
afterAll(() => rig.close());

/** The first night's data with other positions than its filings gave. */
async function stageWith(
  name: string,
  changes: Readonly<Record<string, (position: Record<string, never>) => unknown>>,
) {
  const stage = await rig.published(name);
  const [version = ''] = await readdir(stage.layout.positions);
  const directory = join(stage.layout.positions, version);
  for (const file of await readdir(directory)) {
    const change = changes[file.slice(0, 10)];
    if (change === undefined) continue;
    const path = join(directory, file);
    const body = JSON.stringify(change(JSON.parse((await readFile(path, 'utf8')).slice(65))));
    await writeFile(path, `${createHash('sha256').update(body).digest('hex')}\n${body}`);
  }
  return stage;
}

async function rowsOf({ layout }: NightlyStage, key: string) {
  const { root } = layout.artifacts;
  return artifactRows<Record<string, unknown>>({ root, release: `${next.date}.1`, key });
}

const without = (member: string) => (position: object) => ({ ...position, [member]: null });
const faults = [
  [
    'not valid against its schema',
    (position: { filing?: object }) => ({ ...position, filing: { ...position.filing, accession: '-' } }),
    /^RIOT is left out of the slice: .*accession/,
  ],
  ['a calculator fails on', without('balance'), /^RIOT is left out of the slice: a calculator failed: /],
] as const;

describe('a row that is', () => {
  it.for(faults)('%s costs that issuer alone, named, exit 6', async ([name, change, sentence]) => {
    const stage = await stageWith(name.replaceAll(' ', '-'), { [RIOT]: change });
    const [outcome] = await stage.run(next);
    expect(outcome?.findings).toContainEqual(expect.stringMatching(sentence));
    // it is not said to be gone from the inputs
    expect(outcome?.findings.filter((finding) => finding.startsWith('RIOT'))).toHaveLength(1);
    expect(await stage.lastRun()).toMatchObject({ status: 'ok', exit_code: 6 });
    const { manifest } = await readManifest(stage.layout.artifacts, outcome?.release ?? '');
    expect(manifest.inputs['left_out']).toBe(RIOT);
    const slice = { slice: next.date };
    const tickers = (await rowsOf(stage, covenantStress.stored.rows.key(slice))).map(({ ticker }) => ticker);
    expect(tickers.sort()).toEqual(['BTBT', 'MSTR']);
    const [state] = await rowsOf(stage, readiness.stored.object.key(slice));
    expect(state).toMatchObject({ row_count: 2 });
    const companies = await rowsOf(stage, companyRows.key(slice));
    expect(companies.find(({ cik }) => cik === RIOT)).toMatchObject({
      coverage_status: 'not_covered',
      last_source_date: rig.date,
    });
    const keys = manifest.artifacts.map(({ key }) => key);
    expect(keys.filter((key) => key.includes(RIOT) && key.includes(next.date))).toEqual([]);
  });

  it('one of too many stops the night: what was published stays', async () => {
    const fault = without('balance');
    const stage = await stageWith('many', { [RIOT]: fault, [MSTR]: fault });
    await expect(stage.run(next)).rejects.toThrow();
    expect(await stage.lastRun()).toMatchObject({ status: 'failed', published_release: null });
    expect(await readFile(stage.layout.artifacts.current, 'utf8')).toContain(`${rig.date}.1`);
  });
});

describe('a brief that cannot be made', () => {
  it('costs that brief alone: the night says so and ends with exit code 6 (M6.6c)', async () => {
    const renderer: BriefRenderer = {
      kind: 'model',
      model: 'made-up',
      promptVersion: 'choose-1.0',
      choose({ title }) {
        // a defect of the program, which no answer of an endpoint is
        if (title.startsWith('Covenant Stress MSTR ')) throw new TypeError('no such member');
        return Promise.resolve({ fallback: 'apex_empty_output' });
      },
    };
    const stage = rig.stage('brief');
    const [outcome] = await stage.run({ renderer });
    expect(outcome?.findings).toEqual(
      briefStyles.map(
        (style) =>
          `the ${style} covenant brief of MSTR is left out of the release: a calculator failed: no such member`,
      ),
    );
    expect(await stage.lastRun()).toMatchObject({
      status: 'ok',
      exit_code: 6,
      degraded: outcome?.findings,
      published_release: `${rig.date}.1`,
    });
    const { manifest } = await readManifest(stage.layout.artifacts, outcome?.release ?? '');
    const keys = briefStyles.map((style) =>
      naturalBrief.stored.covenant.key({ slice: rig.date, cik: MSTR, style }),
    );
    expect(manifest.inputs['left_out_artifacts']).toBe(keys.toSorted().join(' '));
    const held = new Set(manifest.artifacts.map(({ key }) => key));
    expect(keys.filter((key) => held.has(key))).toEqual([]);
    // the other issuers keep theirs, and this one its figures
    expect([...held].filter((key) => key.startsWith('brief-covenant/'))).toHaveLength(2 * briefStyles.length);
    expect(held).toContain(covenantStress.stored.object.key({ slice: rig.date, cik: MSTR }));
  });
});
