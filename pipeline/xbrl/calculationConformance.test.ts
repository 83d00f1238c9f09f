import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CalculationCheck, CalculationMode } from '../../calculators/calculation/calculationVerdicts.ts';
import { checkCalculations } from '../../calculators/calculation/checkCalculations.ts';
import { conceptNames } from './conceptNames.ts';
import { effectiveArcs } from './effectiveArcs.ts';
import { filingDefects } from './filingDefects.ts';
import { filesOfFolder } from './filingFolder.ts';
import { schemaIds } from './loadFiling.ts';
import { readInstance } from './readInstance.ts';
import { readTaxonomy } from './readTaxonomy.ts';
import { readXml, xmlAttribute } from './xmlReader.ts';

// XBRL 2.1 conformance suite XBRL-CONF-2014-12-10, calculation binding (320-*)
const suite = fileURLToPath(new URL('../../../shared/data/conformance/xbrl-2.1-320', import.meta.url));
const files = filesOfFolder(suite);

type Variation = { id: string; instance: string; expected: string };

async function variations(): Promise<Variation[]> {
  const found: Variation[] = [];
  let reading: Variation | null = null;
  let into: 'instance' | null = null;
  readXml({
    bytes: await files.read('320-CalculationBinding.xml'),
    handler: () => ({
      open(tag) {
        into = tag.local === 'instance' ? 'instance' : null;
        if (tag.local === 'variation')
          reading = { id: xmlAttribute(tag, 'id') ?? '', instance: '', expected: '' };
        if (tag.local === 'result' && reading !== null)
          reading.expected = xmlAttribute(tag, 'expected') ?? '';
      },
      text(text) {
        if (into !== null && reading !== null) reading.instance += text;
      },
      close(tag) {
        into = null;
        if (tag.local === 'variation' && reading !== null) found.push(reading);
      },
    }),
  });
  return found;
}

async function checked(instanceFile: string, mode: CalculationMode): Promise<readonly CalculationCheck[]> {
  const defects = filingDefects();
  const concepts = conceptNames();
  await files.list();
  const instance = readInstance({ bytes: await files.read(instanceFile), names: concepts, defects });
  if (instance === null) throw new Error(`${instanceFile} is no instance`);
  const taxonomy = await readTaxonomy({
    files,
    names: await files.list(),
    schemaRefs: instance.schemaRefs,
    linkbaseRefs: instance.linkbaseRefs,
    concepts,
    defects,
  });
  const arcs = effectiveArcs({ links: taxonomy.links, schemas: schemaIds(taxonomy.schemas), defects });
  return checkCalculations({ facts: instance.facts, arcs, mode });
}

/** A figure of precision 0 makes a calculation inconsistent in XBRL 2.1; it is a stop here. */
function verdict(checks: readonly CalculationCheck[]): 'valid' | 'invalid' {
  const isBad = ({ outcome, ...rest }: CalculationCheck): boolean =>
    outcome === 'fail' || ('reason' in rest && rest.reason === 'no_known_digit');
  return checks.some(isBad) ? 'invalid' : 'valid';
}

const digits = 'Calculations 1.1 gives no verdict on a figure with more digits than its decimals allow';

/** Variations whose 1.1 outcome differs from the suite's 1.0 result, and why it does. */
const exceptions: Record<string, { outcome: string; reason: string }> = {
  'V-01': { outcome: 'stopped excess_digits', reason: digits },
  'V-02': { outcome: 'stopped excess_digits', reason: digits },
  'V-16': { outcome: 'stopped excess_digits', reason: digits },
  'V-32': { outcome: 'stopped excess_digits', reason: digits },
  'V-35': { outcome: 'stopped excess_digits', reason: digits },
  'V-17': { outcome: 'pass', reason: '1 ± ½ + 1 ± ½ = [1, 3] meets 1 ± ½ = [½, 1½]' },
  'V-19': {
    outcome: 'pass',
    reason: '1.01 · (1 ± 0.005) = [1.00495, 1.01505] meets 1.02 ± 0.005 = [1.015, 1.025]',
  },
  'V-25': { outcome: 'pass', reason: 'the nil item is no summand; 1 ± ½ meets 2 ± ½ in 1½' },
};

/** 1.1 outcomes that are more than a plain pass or fail although the suite's result stands. */
const notable: Record<string, string> = {
  'V-06': 'stopped no_known_digit',
  'V-07': 'stopped no_known_digit',
  'V-08': 'stopped no_known_digit',
  // equal duplicates are one fact in 1.1, where 1.0 does not bind
  'V-21': 'pass',
  // 1 and 10 at precision 1: [0.5, 1.5] and [5, 15] are disjoint
  'V-22': 'stopped inconsistent_duplicates',
};

function outcomeOf(check: CalculationCheck | undefined): string {
  if (check === undefined) return 'none';
  return 'reason' in check ? `${check.outcome} ${check.reason}` : check.outcome;
}

describe('XBRL 2.1 conformance suite, calculation binding', () => {
  it('gives the expected result of every variation by the 1.0 rules', async (ctx) => {
    if (!existsSync(suite)) ctx.skip('no conformance suite at ../shared/data/conformance/xbrl-2.1-320');
    const all = await variations();
    const results: Record<string, string> = {};
    for (const { id, instance } of all) results[id] = verdict(await checked(instance, '1.0'));
    expect(all.length).toBe(33);
    expect(results).toEqual(Object.fromEntries(all.map(({ id, expected }) => [id, expected])));
  });

  it('gives the expected result by the 1.1 rules, but for the listed exceptions', async (ctx) => {
    if (!existsSync(suite)) ctx.skip('no conformance suite at ../shared/data/conformance/xbrl-2.1-320');
    const differing: Record<string, string> = {};
    for (const { id, instance, expected } of await variations()) {
      const checks = await checked(instance, '1.1-round');
      if (verdict(checks) !== expected) differing[id] = outcomeOf(checks[0]);
      if (notable[id] !== undefined) expect(outcomeOf(checks[0]), id).toBe(notable[id]);
    }
    expect(differing).toEqual(
      Object.fromEntries(Object.entries(exceptions).map(([id, { outcome }]) => [id, outcome])),
    );
  });

  it('binds inside a tuple only what stands below the total (V-03)', async (ctx) => {
    if (!existsSync(suite)) ctx.skip('no conformance suite at ../shared/data/conformance/xbrl-2.1-320');
    const [check] = await checked('320-03-nestedtupleBindCalculationInferPrecision-instance.xbrl', '1.0');
    if (check?.outcome !== 'pass') throw new Error('expected a pass');
    expect(check.items.map((item) => String(item.value.low))).toEqual(['3000', '3000', '3000', '3001']);
    // 12,001 at the three digits of 12,000
    expect([String(check.sum.low), String(check.total.low)]).toEqual(['12000', '12000']);
  });
});
