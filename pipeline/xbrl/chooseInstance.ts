import type { InstanceFact } from '../../calculators/filing/xbrlFiling.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { type ConceptNames, conceptNames } from './conceptNames.ts';
import { type FilingDefects, filingDefects } from './filingDefects.ts';
import type { FilingFiles } from './filingFolder.ts';
import { fileName } from './locatorConcept.ts';
import { type Instance, readInstance } from './readInstance.ts';
import { readingFault, shownText } from './xmlReader.ts';

const cikScheme = 'http://www.sec.gov/CIK';
const maxCandidates = 20;
const notInstances = /_(?:cal|def|lab|pre|ref)\.xml$|^(?:FilingSummary|defnref)\.xml$|^R\d+\.xml$/i;

/** The filing's own instance, with the names its documents share from here on. */
export type ChosenInstance = {
  readonly file: string;
  readonly instance: Instance;
  /** of this company, with a known accuracy */
  readonly facts: readonly InstanceFact[];
  readonly names: ConceptNames;
};

/** The files of a company's filing, and what is wrong with them. */
export type Choice = {
  readonly cik: string;
  readonly files: FilingFiles;
  readonly names: readonly string[];
  readonly defects: FilingDefects;
};

/**
 * Reads the instances among `files` and chooses the company's own: one whose schema is available (fee exhibits have
 * instances without), then the one with most facts, EDGAR's extraction first.
 * An instance of another company is a defect and gives no fact; null when none is left.
 */
export async function chooseInstance(input: Choice): Promise<ChosenInstance | null> {
  const candidates = input.names.filter((name) => /\.(?:xml|xbrl)$/i.test(name) && !notInstances.test(name));
  candidates.sort((a, b) => rank(a) - rank(b) || compareText(a, b));
  const found: (ChosenInstance & { readonly ownDefects: FilingDefects })[] = [];
  const foreign: string[] = [];
  for (const file of candidates.slice(0, maxCandidates)) {
    const chosen = await readCandidate({ ...input, file, foreign });
    if (chosen !== null) found.push(chosen);
  }
  // a stable sort: among equals EDGAR's extraction stays first
  found.sort(
    (a, b) => ownSchema(b, input.names) - ownSchema(a, input.names) || b.facts.length - a.facts.length,
  );
  const [best] = found;
  if (best === undefined) {
    for (const reason of foreign) input.defects.add('instance', reason, 'unusable');
    // what made the candidates unusable is said already
    const isSaid = input.defects.list().some(({ state }) => state === 'unusable');
    const state = candidates.length === 0 ? 'incomplete' : 'unusable';
    const reason = 'the filing has no instance document of this company';
    if (isSaid) input.defects.add('instance', reason);
    else input.defects.add('instance', reason, state);
    return null;
  }
  for (const reason of foreign) input.defects.add('instance', reason);
  const others = found.filter(({ file }) => file !== best.file);
  const rivals = others.filter((other) => ownSchema(other, input.names) === 1);
  if (rivals.length > 0) {
    const files = shownText(rivals.map(({ file }) => file).join(', '), 200);
    input.defects.add(
      'instance',
      `${files} claims to be this filing beside ${shownText(best.file)}`,
      'unusable',
    );
  } else if (others.length > 0) {
    const files = shownText(others.map(({ file }) => file).join(', '), 200);
    input.defects.add('instance', `${others.length} further instances not used: ${files}`);
  }
  input.defects.addAll(best.ownDefects);
  return best;
}

async function readCandidate({
  cik,
  files,
  file,
  foreign,
  defects,
}: Omit<Choice, 'names'> & { file: string; foreign: string[] }): Promise<
  (ChosenInstance & { readonly ownDefects: FilingDefects }) | null
> {
  const names = conceptNames();
  const ownDefects = filingDefects();
  let instance: Instance | null;
  try {
    instance = readInstance({ bytes: await files.read(file), names, defects: ownDefects });
  } catch (error) {
    defects.add('instance', `${shownText(file)} is not used: ${readingFault(error)}`, 'unusable');
    return null;
  }
  if (instance === null) return null;
  const others = foreignContexts(instance, cik);
  if (others.ids.size > 0 && others.ids.size === instance.contexts.size) {
    foreign.push(`${shownText(file)} is an instance of ${others.whose}, not of CIK ${cik}`);
    return null;
  }
  const facts = ownFacts({ instance, foreign: others.ids, defects: ownDefects });
  return { file, instance, facts, names, ownDefects };
}

function foreignContexts(instance: Instance, cik: string): { ids: Set<string>; whose: string } {
  const ids = new Set<string>();
  let whose = '';
  for (const [id, { scheme, identifier }] of instance.contexts) {
    if (scheme === cikScheme && sameCik(identifier, cik)) continue;
    ids.add(id);
    if (whose === '')
      whose =
        scheme === cikScheme ? `CIK ${shownText(identifier, 20)}` : shownText(`${scheme} ${identifier}`);
  }
  return { ids, whose };
}

function ownFacts({
  instance,
  foreign,
  defects,
}: {
  instance: Instance;
  foreign: ReadonlySet<string>;
  defects: FilingDefects;
}): InstanceFact[] {
  const facts: InstanceFact[] = [];
  for (const { scope, ...fact } of instance.facts) {
    const drop = (kind: string): void => defects.count('instance', kind, fact.concept);
    if (foreign.has(fact.contextId)) drop('facts of another entity');
    else if (scope !== '') drop('facts inside tuples, which EDGAR does not have');
    else if (fact.value !== null && fact.decimals === null)
      drop('facts of precision 0, which states no digit');
    else facts.push(fact);
  }
  return facts;
}

function sameCik(identifier: string, cik: string): boolean {
  return /^\d{1,10}$/.test(identifier) && Number(identifier) === Number(cik);
}

function ownSchema(candidate: ChosenInstance, names: readonly string[]): 0 | 1 {
  return candidate.instance.schemaRefs.some((href) => names.includes(fileName(href))) ? 1 : 0;
}

function rank(name: string): number {
  return name.endsWith('_htm.xml') ? 0 : 1;
}
