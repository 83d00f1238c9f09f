import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import registry from '../../data/registry/parameters.json' with { type: 'json' };
import { realFiles } from '../effects.ts';
import { programRoot } from '../programRoot.ts';
import { readRegistry, registryFiles } from './readRegistry.ts';
import { checkVersions, recordVersions } from './recordVersions.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'registry-'));
  await mkdir(join(root, 'data/registry'), { recursive: true });
  for (const file of Object.values(registryFiles)) await cp(join(programRoot, file), join(root, file));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Replaces one text of a file of the registry. */
async function edit(from: RegExp, to: string, file: string = registryFiles.values): Promise<void> {
  const path = join(root, file);
  const text = await readFile(path, 'utf8');
  expect(text.match(from), String(from)).not.toBeNull();
  await writeFile(path, text.replace(from, to));
}
/** The band of HIGH. */
const editBand = () => edit(/"high": 0\.65,/, '"high": 0.9,');

async function refusal() {
  try {
    await readRegistry(root);
    return null;
  } catch (error) {
    if (!(error instanceof IssuerError)) throw error;
    return error.toCli();
  }
}

describe('the registry a night reads (M13.2)', () => {
  it('says in the manifest which tables it used', async () => {
    expect((await readRegistry(root)).provenance).toEqual({
      'parameters.json': expect.stringMatching(/^[0-9a-f]{64}$/),
      parameters: registry.version,
      product_registry: 'products-1.0',
      concepts: 'concepts-1.0',
      concept_words: 'words-1.3',
      report_words: 'report-words-1.5',
    });
  });

  it('is refused when a value was edited under the old version: exit 5, file, version and what to do', async () => {
    await editBand();
    const error = await refusal();
    expect(error).toMatchObject({
      exitCode: 5,
      message: `data/registry/parameters.json holds values under ${registry.version} of the parameters that are not those this version was recorded with.`,
      hint: 'Restore them, or give the parameters a new version there and record it with `issuer registry record`.',
    });
  });

  it('is refused with a changed concept until that is recorded under the next version', async () => {
    await edit(/^us-gaap:BridgeLoan,debt,C,2/m, 'us-gaap:BridgeLoan,debt,N,2', registryFiles.concepts);
    expect((await refusal())?.message).toContain(
      'concepts.csv holds version concepts-1.1 of the concepts, of which',
    );
    await recordVersions({ root, versions: await checkVersions(root), files: realFiles() });
    expect((await readRegistry(root)).provenance).toMatchObject({ concepts: 'concepts-1.1' });
    await edit(/^us-gaap:BridgeLoan,debt,N,2/m, 'us-gaap:BridgeLoan,debt,C,2', registryFiles.concepts);
    expect((await readRegistry(root)).provenance).toMatchObject({ concepts: 'concepts-1.0' });
  });

  it('keeps its version where only the source of a concept changes, and takes the next with a word', async () => {
    await edit(/us-gaap-stm-sfp-cls-cal-2025\.xml/, 'us-gaap-2025.xsd', registryFiles.concepts);
    expect(await refusal()).toBeNull();
    await edit(/^debt,loan,/m, 'debt,loans,', registryFiles.words);
    expect((await refusal())?.message).toContain(
      'concept-words.csv holds version words-1.4 of the concept words',
    );
  });

  it.for([
    [
      registryFiles.concepts,
      /^us-gaap:BridgeLoan,debt,C/m,
      'us-gaap:BridgeLoan,dept,C',
      /^Line \d+ of .*concepts\.csv needs a role: debt/,
    ],
    [registryFiles.words, /^debt,loan,/m, 'debt,(loan,', /^Line \d+ of .*words\.csv needs a pattern/],
    [registryFiles.concepts, /^concept,role/, 'concept,rolle', /concepts\.csv lacks the column role/],
  ] as const)('names line and cure of a damaged %s', async ([file, from, to, words]) => {
    await edit(from, to, file);
    expect(await refusal()).toMatchObject({ exitCode: 5, message: expect.stringMatching(words) });
  });

  it('is refused under a new version until that is recorded, and taken from then on', async () => {
    await editBand();
    await edit(/"params-[\d.]+"/, '"params-own"');
    expect(await refusal()).toMatchObject({
      exitCode: 5,
      message: expect.stringContaining('holds version params-own of the parameters, of which'),
      hint: expect.stringContaining('issuer registry record'),
    });
    const versions = await checkVersions(root);
    expect(versions.filter(({ status }) => status !== 'recorded').map(({ version }) => version)).toEqual([
      'params-own',
    ]);
    await recordVersions({ root, versions, files: realFiles() });
    expect(await refusal()).toBeNull();
    // the old line stays, so that going back needs no new record
    const recorded = JSON.parse(await readFile(join(root, registryFiles.hashes), 'utf8'));
    expect(Object.keys(recorded)).toContain(registry.version);
    expect(Object.keys(recorded).at(-1)).toBe('params-own');
  });

  it('has a part that is bumped alone refused, too: the parameter version owns every value', async () => {
    await edit(/"alpha_delta_scale": \{\s+"value": 0\.15/, '"alpha_delta_scale": { "value": 0.2');
    await edit(/"alpha-1\.2"/, '"alpha-own"');
    const statuses = Object.fromEntries(
      (await checkVersions(root)).map(({ version, status }) => [version, status]),
    );
    expect(statuses).toMatchObject({
      [registry.version]: 'changed',
      'alpha-own': 'new',
      'tower-1.0': 'recorded',
    });
    expect((await refusal())?.message).toContain(registry.version);
  });

  it.for([
    [registryFiles.values, '{', 'is not JSON'],
    [registryFiles.hashes, '{"params-1.2":"short"}', 'is not a table of versions'],
  ] as const)('names %s when it is damaged', async ([file, text, words]) => {
    await writeFile(join(root, file), text);
    expect(await refusal()).toMatchObject({
      exitCode: 5,
      message: expect.stringContaining(`${file} ${words}`),
    });
  });
});
