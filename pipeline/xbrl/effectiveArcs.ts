import type { CalculationArc } from '../../calculators/filing/xbrlFiling.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { FilingDefects } from './filingDefects.ts';
import type { ArcText, ExtendedLink } from './linkbaseReader.ts';
import { locatorConcept, type SchemaIds } from './locatorConcept.ts';

type ArcKind = {
  readonly link: 'calculation' | 'presentation';
  readonly arcroles: ReadonlyMap<string, CalculationArc['version']>;
  readonly isWeighted: boolean;
};

const summationItem: ArcKind = {
  link: 'calculation',
  arcroles: new Map([
    ['http://www.xbrl.org/2003/arcrole/summation-item', '1.0'],
    ['https://xbrl.org/2023/arcrole/summation-item', '1.1'],
  ]),
  isWeighted: true,
};
const parentChild: ArcKind = {
  link: 'presentation',
  arcroles: new Map([['http://www.xbrl.org/2003/arcrole/parent-child', '1.0']]),
  isWeighted: false,
};
const one = ExactDecimal.parse('1');

/** Many-to-many arcs multiply; the largest filings have a few thousand. */
const maxRelationships = 50_000;
const integer = /^[+-]?\d{1,9}$/;

/** One effective parent-child relationship of a presentation link. */
export type PresentationArc = Pick<CalculationArc, 'role' | 'from' | 'to' | 'order'>;

type Links = {
  readonly links: readonly ExtendedLink[];
  readonly schemas: SchemaIds;
  readonly defects: FilingDefects;
};
type Relationship = CalculationArc & { readonly priority: number; readonly isProhibited: boolean };

/**
 * Effective summation-item relationships of the links, sorted by (role, order, from, to).
 *
 * Every locator of a label counts (M1.12); of equivalent relationships the highest priority decides and a prohibited
 * one at that priority removes them all (XBRL 2.1 §3.5.3.9.7). What remains and means the same (role, concepts,
 * weight) is one arc. Weights other than ±1 are kept and reported (M1.13).
 */
export function effectiveArcs(links: Links): CalculationArc[] {
  return arcsOfKind({ ...links, kind: summationItem });
}

/** Effective parent-child relationships by the same rules, sorted alike; preferred labels are not distinguished. */
export function presentationArcs(links: Links): PresentationArc[] {
  return arcsOfKind({ ...links, kind: parentChild }).map(({ role, from, to, order }) => ({
    role,
    from,
    to,
    order,
  }));
}

type LinksOfKind = Links & { readonly kind: ArcKind };

function arcsOfKind(linksOfKind: LinksOfKind): CalculationArc[] {
  const sets = new Map<string, Relationship>();
  let relationships = 0;
  for (const link of linksOfKind.links) {
    if (link.kind !== linksOfKind.kind.link) continue;
    const concepts = locatorConcepts(link, linksOfKind);
    for (const text of link.arcs) {
      const arc = arcValues(text, linksOfKind);
      if (arc === null) continue;
      const froms = endConcepts(concepts, text.from, linksOfKind);
      const tos = endConcepts(concepts, text.to, linksOfKind);
      relationships += froms.length * tos.length;
      if (relationships > maxRelationships) {
        linksOfKind.defects.add(
          linksOfKind.kind.link,
          `the arcs stand for more than ${maxRelationships} relationships; none is used`,
          'unusable',
        );
        return [];
      }
      // an end without concepts must not be asked for once per concept of the other
      if (tos.length === 0) continue;
      for (const from of froms) {
        for (const to of tos) keepStronger(sets, { role: link.role, from, to, ...arc }, text.further);
      }
    }
  }
  return collapse([...sets.values()].filter((relationship) => !relationship.isProhibited));
}

function locatorConcepts(
  link: ExtendedLink,
  { schemas, defects, kind }: LinksOfKind,
): Map<string, readonly string[]> {
  const concepts = new Map<string, readonly string[]>();
  for (const [label, hrefs] of link.locators) {
    const found = new Set<string>();
    for (const href of hrefs) {
      const concept = locatorConcept(href, schemas);
      if (concept === null) defects.count(kind.link, 'locators to unknown concepts', href);
      else found.add(concept);
    }
    concepts.set(label, [...found]);
  }
  return concepts;
}

function endConcepts(
  concepts: ReadonlyMap<string, readonly string[]>,
  label: string,
  { kind, defects }: LinksOfKind,
): readonly string[] {
  const found = concepts.get(label);
  if (found === undefined) defects.count(kind.link, 'arc ends without a locator', label);
  return found ?? [];
}

function arcValues(
  text: ArcText,
  { kind, defects }: LinksOfKind,
): Omit<Relationship, 'role' | 'from' | 'to'> | null {
  const version = kind.arcroles.get(text.arcrole);
  if (version === undefined) {
    defects.count(kind.link, 'arcs of an unknown arcrole', text.arcrole);
    return null;
  }
  const weight = kind.isWeighted ? decimal(text.weight) : one;
  const order = text.order === null ? 1 : (decimal(text.order)?.toNumber() ?? Number.NaN);
  const priority =
    text.priority === null ? 0 : integer.test(text.priority.trim()) ? Number(text.priority) : Number.NaN;
  const isKnownUse = text.use === null || text.use === 'optional' || text.use === 'prohibited';
  if (weight === null || !Number.isFinite(order) || !Number.isFinite(priority) || !isKnownUse) {
    const weightToo = kind.isWeighted ? 'weight, ' : '';
    defects.count(kind.link, `arcs whose ${weightToo}order, priority or use cannot be read`, text.from);
    return null;
  }
  const isUnit = weight.scale === 0 && (weight.units === 1n || weight.units === -1n);
  if (!isUnit)
    defects.count('calculation', 'arcs with a weight other than +1 or -1', `${text.from} ${weight}`);
  return { weight, order, version, priority, isProhibited: text.use === 'prohibited' };
}

function decimal(text: string | null): ExactDecimal | null {
  const trimmed = text?.trim() ?? '';
  return trimmed.length > 40 || /[eE]/.test(trimmed) ? null : ExactDecimal.tryParse(trimmed);
}

/** One relationship per equivalence set: the highest priority, and prohibition when it is there at that priority. */
function keepStronger(sets: Map<string, Relationship>, next: Relationship, further: string): void {
  const key = JSON.stringify([
    next.version,
    next.role,
    next.from,
    next.to,
    next.order,
    next.weight.toString(),
    further,
  ]);
  const before = sets.get(key);
  const wins =
    before === undefined ||
    next.priority > before.priority ||
    (next.priority === before.priority && next.isProhibited && !before.isProhibited);
  if (wins) sets.set(key, next);
}

function collapse(relationships: readonly Relationship[]): CalculationArc[] {
  const arcs = new Map<string, CalculationArc>();
  for (const { role, from, to, weight, order, version } of relationships) {
    const key = JSON.stringify([role, from, to, weight.toString()]);
    const before = arcs.get(key);
    const lowest = before === undefined ? order : Math.min(before.order, order);
    // stated under both arcroles, the newer rule is the filer's
    const newest = before?.version === '1.1' ? '1.1' : version;
    arcs.set(key, { role, from, to, weight, order: lowest, version: newest });
  }
  return [...arcs.values()].sort(
    (a, b) =>
      compareText(a.role, b.role) ||
      a.order - b.order ||
      compareText(a.from, b.from) ||
      compareText(a.to, b.to) ||
      a.weight.compare(b.weight),
  );
}
