import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import recorded from '../../data/registry/parameter-versions.json' with { type: 'json' };
import registryJson from '../../data/registry/parameters.json' with { type: 'json' };
import { programRoot } from '../programRoot.ts';
import { modelCard } from './modelCard.ts';
import { readRegistry } from './readRegistry.ts';
import { parseRegistry } from './registryFile.ts';
import { versionHashes } from './versionHashes.ts';

const registry = parseRegistry(registryJson);
const checked = await readRegistry();
const stressBands = registry.parameters['stress_bands'];
const tower = registry.parameters['tower'];

describe('versions of the parameters (M13.2)', () => {
  it('holds the values each version was recorded with; a changed value needs a new version', () => {
    const known: Readonly<Record<string, string>> = recorded;
    for (const { version, hash } of checked.versions)
      expect(`${version} ${hash}`, 'bump the version, then record its hash').toBe(
        `${version} ${known[version]}`,
      );
  });

  it('are those the methodology states', () => {
    const methodology = readFileSync(join(programRoot, 'calculators/METHODOLOGY.md'), 'utf8');
    expect(/\*\*M13\.1\*\* `([^`]+)`/.exec(methodology)?.[1]).toBe(registry.version);
  });

  it('changes the hash of the parameter version with any value, and of the part that owns it', () => {
    if (stressBands === undefined || tower === undefined) throw new Error('the registry lost its bands');
    const before = versionHashes(registry);
    const moved = (name: string, value: typeof stressBands.value, entry: typeof stressBands) =>
      versionHashes({
        ...registry,
        parameters: { ...registry.parameters, [name]: { ...entry, value } },
      });
    const changed = (after: Readonly<Record<string, string>>) =>
      Object.keys(before).filter((version) => before[version] !== after[version]);
    expect(changed(moved('stress_bands', { moderate: 0.5, high: 0.66, critical: 1 }, stressBands))).toEqual([
      registry.version,
    ]);
    expect(changed(moved('tower', { version: registry.versions.tower, min_issuers: 11 }, tower))).toEqual([
      registry.version,
      registry.versions.tower,
    ]);
  });

  it('raises the parameter version, under which rows are kept, with the version of the rules', () => {
    const raised = versionHashes({ ...registry, classification_version: 'cls-9.9' });
    const before = versionHashes(registry);
    expect(Object.keys(before).filter((version) => before[version] !== raised[version])).toEqual([
      registry.version,
    ]);
  });

  it('keeps a version when only words about a value change', () => {
    if (stressBands === undefined) throw new Error('the registry lost its bands');
    const reworded = { ...registry.parameters, stress_bands: { ...stressBands, source: 'Another wording' } };
    expect(versionHashes({ ...registry, parameters: reworded })).toEqual(versionHashes(registry));
  });
});

describe('model card (M13.1)', () => {
  const card = modelCard(checked);

  it('shows every parameter once, with value, rule, version, source and the fields it moves', () => {
    for (const name of Object.keys(registry.parameters))
      expect(card.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`))).toHaveLength(1);
    expect(card).toContain(
      `| \`velocity_band\` | 0.05 | relative change over 7 days | M3.19 | ${registry.version} | Five percent over seven days is about 0.8 standard deviations of bitcoin over a week | \`stress_velocity\` |`,
    );
    expect(card).toContain(
      `| \`alpha_posture\` | resilience_candidate 70; regime_dependent 50 | alpha_score | M5.11 | ${registry.version}, ${registry.versions.alpha} |`,
    );
  });

  it('states the limits and what validation showed, failures included', () => {
    for (const rule of ['M13.4', 'M13.5', 'M13.6', 'M12.13', 'M12.14']) expect(card).toContain(rule);
    expect(card).toContain('false positives');
    expect(card).toContain('did not predict stock returns');
  });

  it('is a sequence of tables whose rows have the cells of their head', () => {
    const cells = (line: string) => line.replaceAll('\\|', '').split('|').length;
    const blocks = card.split('\n\n').filter((block) => block.startsWith('|'));
    expect(blocks.length).toBeGreaterThan(8);
    for (const block of blocks) {
      const rows = block.trimEnd().split('\n');
      expect(new Set(rows.map(cells)).size).toBe(1);
    }
  });

  it.each([
    ['a parameter without fields', { fields: [] }, '.fields'],
    ['a parameter of an unknown part', { owner: 'beta' }, '.owner'],
    ['a parameter with a stray member', { comment: 'x' }, ''],
  ])('refuses %s and names where', (_, change, member) => {
    const entry = { ...registryJson.parameters.stress_bands, ...change };
    const file = { ...registryJson, parameters: { ...registryJson.parameters, stress_bands: entry } };
    expect(() => parseRegistry(file)).toThrow(`well formed at parameters.stress_bands${member}:`);
  });
});
