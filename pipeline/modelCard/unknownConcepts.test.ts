import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import json from '../../data/registry/parameters.json' with { type: 'json' };
import { programRoot } from '../programRoot.ts';
import { parseRegistry } from './registryFile.ts';
import {
  parseStandardConcepts,
  standardConceptsFile,
  unknownConcepts,
  unknownConceptsSentence,
} from './unknownConcepts.ts';
import { conceptsOf } from './versionHashes.ts';

const registry = parseRegistry(json);
const table = await readFile(join(programRoot, standardConceptsFile), 'utf8');
const standard = parseStandardConcepts(standardConceptsFile, table);

describe('a concept that no taxonomy has', () => {
  it('is named where the hierarchy misspells it, as parent or as part', () => {
    const children = {
      ...registry.concept_hierarchy.children,
      'us-gaap:LongTermDebts': ['us-gaap:LongTermDebtNoncurrent', 'us-gaap:LongtermDebtCurrent'],
    };
    const misspelt = { ...registry, concept_hierarchy: { ...registry.concept_hierarchy, children } };
    const added = unknownConcepts(misspelt, standard).filter(
      (concept) => !unknownConcepts(registry, standard).includes(concept),
    );
    expect(added).toEqual(['us-gaap:LongTermDebts', 'us-gaap:LongtermDebtCurrent']);
  });

  it('is named where a dictionary has it: both dictionaries, lease parts and the coins of customers are looked up', () => {
    expect(unknownConcepts(registry, new Set())).toEqual(
      expect.arrayContaining([
        'srt:PlatformOperatorCryptoAssetHeldForUser',
        'us-gaap:BridgeLoan',
        'us-gaap:CryptoAssetCost',
        'us-gaap:FinanceLeaseLiabilityNoncurrent',
        'us-gaap:IndefiniteLivedIntangibleAssetsExcludingGoodwill',
      ]),
    );
  });

  it('is not among those in use today', () => {
    expect(unknownConcepts(registry, standard)).toEqual([]);
  });

  it('is told in one sentence, and where there is none nothing is', () => {
    expect(unknownConceptsSentence([])).toBeNull();
    expect(unknownConceptsSentence(['us-gaap:A'])).toBe(
      '1 concept is in no taxonomy of data/registry/standard-concepts.csv, so no fact can match: us-gaap:A',
    );
    expect(unknownConceptsSentence(['us-gaap:A', 'us-gaap:B'])).toMatch(
      /^2 concepts are .*: us-gaap:A, us-gaap:B$/,
    );
  });
});

describe('the table of standard concepts', () => {
  it('has the concepts in use, once each and in order, and no others', () => {
    const listed = [...standard];
    expect(listed).toEqual(listed.toSorted());
    expect(table.trim().split('\n')).toHaveLength(listed.length + 1);
    expect(listed.filter((concept) => !conceptsOf(registry).has(concept))).toEqual([]);
  });

  it.each([
    'us-gaap:LongTermDebt,us-gaap,a.xml',
    'us-gaap:LongTermDebt,srt-2025,a.xml',
    'us-gaap:LongTermDebt,us-gaap-2025,',
    'LongTermDebt,us-gaap-2025,a.xml',
    'us-gaap:LongTermDebt,us-gaap-2025',
  ])('is refused with its line where it says %s', (line) => {
    expect(() => parseStandardConcepts('t.csv', `concept,taxonomy,file\n${line}\n`)).toThrow(
      /line 2 needs a concept/,
    );
  });
});
