import type {
  CalculationArc,
  ConceptDeclaration,
  FilingCover,
  InstanceFact,
  LinkRole,
  Presentation,
  Reporting,
  XbrlFiling,
} from '../../calculators/filing/xbrlFiling.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { chooseInstance } from './chooseInstance.ts';
import { conceptNames } from './conceptNames.ts';
import { effectiveArcs, type PresentationArc, presentationArcs } from './effectiveArcs.ts';
import { type FilingDefects, filingDefects } from './filingDefects.ts';
import type { FilingFiles } from './filingFolder.ts';
import type { ExtendedLink, LabelResource } from './linkbaseReader.ts';
import { fileName, locatorConcept, type SchemaIds } from './locatorConcept.ts';
import { readTaxonomy, type Taxonomy } from './readTaxonomy.ts';
import type { ElementDeclaration, SchemaDocument } from './schemaReader.ts';
import { isStandardPrefix } from './xbrlNamespaces.ts';
import { readingFault, XmlFault } from './xmlReader.ts';

/** All documents of a filing together; the largest there are stay below a fifth of it. */
const maxFilingBytes = 512 * 1024 * 1024;

/**
 * Loads a filing from its files: the company's instance, its schema, the calculation, label and presentation
 * linkbases that the schema names or embeds.
 *
 * Whatever is missing, broken or another company's is a defect of the result, never an exception; only a file system
 * that fails throws, with the system error.
 */
export async function loadFiling(input: {
  cik: string;
  accession: string;
  files: FilingFiles;
}): Promise<XbrlFiling> {
  const defects = filingDefects();
  const files = boundedFiles(input.files, maxFilingBytes);
  const names = await fileNames(files, defects);
  const chosen = await chooseInstance({ cik: input.cik, files, names, defects });
  const taxonomy = await readTaxonomy({
    files,
    names,
    schemaRefs: chosen?.instance.schemaRefs ?? null,
    linkbaseRefs: (chosen?.instance.linkbaseRefs ?? []).map(fileName),
    concepts: chosen?.names ?? conceptNames(),
    defects,
  });
  if (taxonomy.schemas.size === 0) defects.add('schema', 'the filing has no schema that can be used');
  const ids = schemaIds(taxonomy.schemas);
  const arcs = effectiveArcs({ links: taxonomy.links, schemas: ids, defects });
  if (arcs.length === 0) defects.add('calculation', 'the filing has no summation-item arc that can be used');
  const presentations = presentedConcepts(presentationArcs({ links: taxonomy.links, schemas: ids, defects }));
  if (presentations.length === 0) {
    defects.add('presentation', 'the filing has no parent-child arc that can be used');
  }
  const concepts = declaredConcepts({
    schemas: [...taxonomy.schemas.values()],
    labels: conceptLabels(taxonomy.links, ids),
    defects,
  });
  if (taxonomy.schemas.size > 0)
    contradictedConcepts({ facts: chosen?.facts ?? [], arcs, concepts, defects });
  const named = chosen?.instance.namedLines ?? [];
  const terms = chosen?.instance.terms ?? [];
  return {
    cik: input.cik,
    accession: input.accession,
    facts: chosen?.facts ?? [],
    ...(named.length === 0 ? {} : { namedLines: named }),
    ...(terms.length === 0 ? {} : { terms }),
    arcs,
    ...(areAuthored(taxonomy) ? { arcsAuthored: true } : {}),
    presentations,
    roles: linkRoles(
      taxonomy,
      arcs.map((arc) => arc.role),
    ),
    concepts,
    defects: defects.list(),
    cover: coverOf(chosen?.instance.cover ?? new Map()),
    ...reportingOf(chosen?.instance.cover ?? new Map()),
  };
}

async function fileNames(files: FilingFiles, defects: FilingDefects): Promise<readonly string[]> {
  try {
    return await files.list();
  } catch (error) {
    defects.add('instance', `the files cannot be listed: ${readingFault(error)}`, 'unusable');
    return [];
  }
}

/** One authored link is enough: what it says would pass for the filer's (M1.46). */
function areAuthored({ links }: Taxonomy): boolean {
  return links.some(({ kind, isAuthored }) => kind === 'calculation' && isAuthored);
}

function linkRoles(taxonomy: Taxonomy, used: readonly string[]): LinkRole[] {
  const roles = new Map<string, LinkRole>();
  for (const { uri, definition } of [...taxonomy.schemas.values()].flatMap((schema) => schema.roleTypes)) {
    if (!roles.has(uri)) roles.set(uri, { uri, definition });
  }
  for (const uri of used) if (!roles.has(uri)) roles.set(uri, { uri, definition: null });
  return [...roles.values()].sort((a, b) => compareText(a.uri, b.uri));
}

function coverOf(facts: ReadonlyMap<string, string>): FilingCover {
  const flag = facts.get('dei:AmendmentFlag');
  return {
    documentType: facts.get('dei:DocumentType') ?? null,
    documentPeriodEndDate: facts.get('dei:DocumentPeriodEndDate') ?? null,
    amendmentFlag: flag === 'true' ? true : flag === 'false' ? false : null,
  };
}

/** What the cover says of the filer's reporting, `{}` where it is silent (M1.60). */
function reportingOf(facts: ReadonlyMap<string, string>): Pick<XbrlFiling, 'reporting'> {
  const quarter = quarters.indexOf(facts.get('dei:DocumentFiscalPeriodFocus') ?? '') + 1;
  const reporting: Reporting = {
    filerCategory: filerCategories.get((facts.get('dei:EntityFilerCategory') ?? '').toLowerCase()) ?? null,
    fiscalYearEnd:
      /^--(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
        .exec(facts.get('dei:CurrentFiscalYearEndDate') ?? '')
        ?.slice(1)
        .join('') ?? null,
    quarter: quarter === 1 || quarter === 2 || quarter === 3 || quarter === 4 ? quarter : null,
  };
  return Object.values(reporting).every((said) => said === null) ? {} : { reporting };
}

const quarters = ['Q1', 'Q2', 'Q3', 'FY'];
const filerCategories: ReadonlyMap<string, Reporting['filerCategory']> = new Map([
  ['large accelerated filer', 'large_accelerated'],
  ['accelerated filer', 'accelerated'],
  ['non-accelerated filer', 'other'],
  // until 2018 a category of its own
  ['smaller reporting company', 'other'],
  ['smaller reporting accelerated filer', 'accelerated'],
]);

/** The same files until `bytes` bytes of them are read; from then on every read throws XmlFault. */
export function boundedFiles(files: FilingFiles, bytes: number): FilingFiles {
  let read = 0;
  return {
    list: () => files.list(),
    async read(name) {
      if (read > bytes) throw new XmlFault(`the filing has more than ${bytes} bytes`);
      const content = await files.read(name);
      read += content.byteLength;
      return content;
    },
  };
}

/** Concepts by element id for every schema file; of an id used twice none, since nothing says which is meant. */
export function schemaIds(schemas: ReadonlyMap<string, SchemaDocument>): SchemaIds {
  return new Map([...schemas].map(([file, { elements }]) => [file, idsOf(elements)]));
}

function idsOf(elements: SchemaDocument['elements']): Map<string, string> {
  const ids = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const { id, concept } of elements) {
    if (id === null) continue;
    if (ids.has(id) && ids.get(id) !== concept) ambiguous.add(id);
    ids.set(id, concept);
  }
  for (const id of ambiguous) ids.delete(id);
  return ids;
}

/**
 * Concepts of each role in the order of presentation: a parent, then its children one after the other with all below
 * them. A concept shown several times stays where it is first. Expects the arcs sorted by role and order.
 */
function presentedConcepts(arcs: readonly PresentationArc[]): Presentation[] {
  return [...Map.groupBy(arcs, ({ role }) => role)].map(([role, own]) => ({ role, concepts: inOrder(own) }));
}

function inOrder(arcs: readonly PresentationArc[]): string[] {
  const children = Map.groupBy(arcs, ({ from }) => from);
  const shownBelow = new Set(arcs.map(({ to }) => to));
  const parents = [...children.keys()].sort();
  const tops = parents.filter((concept) => !shownBelow.has(concept));
  const seen = new Set<string>();
  // a cycle has no top: what only a cycle leads to comes last
  for (const start of [...tops, ...parents]) {
    const open = [start];
    for (let concept = open.pop(); concept !== undefined; concept = open.pop()) {
      if (seen.has(concept)) continue;
      seen.add(concept);
      for (const { to } of children.get(concept)?.toReversed() ?? []) open.push(to);
    }
  }
  return [...seen];
}

const conceptLabel = 'http://www.xbrl.org/2003/arcrole/concept-label';
const standardRole = 'http://www.xbrl.org/2003/role/label';
const maxLength = 1000;

/** Standard English label of each concept that the available schemas declare; white space is collapsed. */
function conceptLabels(links: readonly ExtendedLink[], schemas: SchemaIds): Map<string, string> {
  const labels = new Map<string, string>();
  for (const link of links) {
    if (link.kind !== 'label') continue;
    const own = ownLocators(link, schemas);
    const texts = standardTexts(link);
    for (const arc of link.arcs) {
      const text = texts.get(arc.to);
      if (arc.arcrole !== conceptLabel || arc.use === 'prohibited' || text === undefined) continue;
      for (const concept of own.get(arc.from) ?? []) if (!labels.has(concept)) labels.set(concept, text);
      // the concepts have their label now; further arcs of the locators bring none
      own.delete(arc.from);
    }
  }
  return labels;
}

function standardTexts(link: ExtendedLink): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [label, resources] of link.labels) {
    const standard = resources.find(isStandardEnglish);
    if (standard !== undefined) texts.set(label, standard.text.replace(/\s+/g, ' ').slice(0, maxLength));
  }
  return texts;
}

function ownLocators(link: ExtendedLink, schemas: SchemaIds): Map<string, ReadonlySet<string>> {
  const own = new Map<string, ReadonlySet<string>>();
  for (const [label, hrefs] of link.locators) {
    const concepts = new Set<string>();
    for (const href of hrefs) {
      const hash = href.indexOf('#');
      const concept = schemas.has(fileName(href.slice(0, Math.max(hash, 0))))
        ? locatorConcept(href, schemas)
        : null;
      if (concept !== null) concepts.add(concept);
    }
    if (concepts.size > 0) own.set(label, concepts);
  }
  return own;
}

function isStandardEnglish(label: LabelResource): boolean {
  return label.role === standardRole && (label.language === 'en' || label.language.startsWith('en-'));
}

const monetary = /^(?:xbrli:monetaryItemType|(?:dtr-types|num):\w*[mM]onetaryItemType)$/;
const maxDerivations = 32;

/** Items the schemas declare, sorted by name; typed-member domains and tuples are none. */
function declaredConcepts({
  schemas,
  labels,
  defects,
}: {
  schemas: readonly SchemaDocument[];
  labels: ReadonlyMap<string, string>;
  defects: FilingDefects;
}): ConceptDeclaration[] {
  const derivations = new Map(schemas.flatMap((schema) => [...schema.derivations]));
  const concepts = new Map<string, ConceptDeclaration>();
  for (const element of schemas.flatMap((schema) => schema.elements)) {
    if (element.substitutionGroup === null || element.substitutionGroup === 'xbrli:tuple') continue;
    const declaration = declarationOf(element, derivations, labels);
    if (declaration === null)
      defects.count('schema', 'elements without a usable periodType', element.concept);
    else if (!concepts.has(element.concept)) concepts.set(element.concept, declaration);
    // a line that is no amount any more would leave debt or coins without a word
    if (declaration !== null && element.balance !== null && !isBalanced(declaration))
      defects.count('schema', 'elements with a balance that is not of an amount', element.concept);
  }
  return [...concepts.values()].sort((a, b) => compareText(a.concept, b.concept));
}

/** Debit or credit of an amount, as XBRL 2.1 has it (5.1.1.2). */
function isBalanced({ balance, isMonetary: isAmount }: ConceptDeclaration): boolean {
  return balance !== null && isAmount;
}

function declarationOf(
  element: ElementDeclaration,
  derivations: ReadonlyMap<string, string>,
  labels: ReadonlyMap<string, string>,
): ConceptDeclaration | null {
  const { concept, periodType, balance, isAbstract } = element;
  if (periodType !== 'instant' && periodType !== 'duration') return null;
  return {
    concept,
    type: element.type ?? '',
    isMonetary: isMonetary(element.type, derivations),
    periodType,
    balance: balance === 'debit' || balance === 'credit' ? balance : null,
    isAbstract,
    label: labels.get(concept) ?? null,
  };
}

function isMonetary(type: string | null, derivations: ReadonlyMap<string, string>): boolean {
  let at = type;
  // a cyclic derivation ends here too
  for (let i = 0; i < maxDerivations && at !== null; i += 1) {
    if (monetary.test(at)) return true;
    at = derivations.get(at) ?? null;
  }
  return false;
}

/** What the ends of a balance sheet are in every taxonomy; the side of what is below follows from the weights. */
const sides: readonly (readonly [string, 'debit' | 'credit'])[] = [
  ['us-gaap:Assets', 'debit'],
  ['us-gaap:AssetsCurrent', 'debit'],
  ['us-gaap:Liabilities', 'credit'],
  ['us-gaap:LiabilitiesCurrent', 'credit'],
  ['us-gaap:LiabilitiesAndStockholdersEquity', 'credit'],
  ['ifrs-full:Assets', 'debit'],
  ['ifrs-full:EquityAndLiabilities', 'credit'],
];

/**
 * Holds the filer's own concepts against facts and arcs: a schema that does not declare what its instance states,
 * declares another period type for it, or a side of the balance sheet that its weight forbids (XBRL 2.1 §5.1.1.2) is
 * not the schema of that filing. Concepts of published taxonomies pass.
 */
function contradictedConcepts({
  facts,
  arcs,
  concepts,
  defects,
}: {
  facts: readonly InstanceFact[];
  arcs: readonly CalculationArc[];
  concepts: readonly ConceptDeclaration[];
  defects: FilingDefects;
}): void {
  const declared = new Map(concepts.map((concept) => [concept.concept, concept]));
  const seen = new Set<string>();
  for (const { concept, start } of facts) {
    const stated = start === null ? 'instant' : 'duration';
    const [prefix = ''] = concept.split(':');
    if (isStandardPrefix(prefix) || seen.has(`${concept} ${stated}`)) continue;
    seen.add(`${concept} ${stated}`);
    const found = declared.get(concept);
    if (found === undefined) defects.count('schema', 'concepts stated and not declared', concept);
    else if (found.periodType !== stated)
      defects.count(
        'schema',
        `concepts declared for a ${found.periodType} and stated for a ${stated}`,
        concept,
      );
  }
  const balances = balancesByArcs(arcs);
  for (const { concept, balance } of concepts) {
    const side = balances.get(concept);
    if (balance !== null && side !== undefined && side !== balance)
      defects.count('schema', `concepts declared as ${balance} and added up as ${side}`, concept);
  }
}

/** Debit or credit of each concept below the ends of a balance sheet, by the weights on the way to it. */
function balancesByArcs(arcs: readonly CalculationArc[]): ReadonlyMap<string, 'debit' | 'credit'> {
  const below = Map.groupBy(arcs, ({ from }) => from);
  const balances = new Map(sides);
  const queue = sides.map(([concept]) => concept);
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const own = balances.get(at);
    for (const { to, weight } of below.get(at) ?? []) {
      if (own === undefined || weight.sign === 0 || balances.has(to)) continue;
      const isSame = weight.sign > 0;
      balances.set(to, isSame === (own === 'debit') ? 'debit' : 'credit');
      queue.push(to);
    }
  }
  return balances;
}
