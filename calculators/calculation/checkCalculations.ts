import { compareText } from '../../data/contract/values/compareText.ts';
import type { CalculationArc, Dimension } from '../filing/xbrlFiling.ts';
import {
  type CalculationBinding,
  type CalculationCheck,
  type CalculationFact,
  type CalculationMode,
  type CalculationPlace,
  intervalVerdict,
  roundedVerdict,
} from './calculationVerdicts.ts';

/** Far above the pairs of the largest filings (tens of thousands). */
const maxPairs = 2_000_000;

/**
 * Checks every reported total of every role against its items, one result per (role, total, context, unit), sorted by
 * role, total, end, start, context and unit; the order of facts and arcs does not matter.
 *
 * Mode `1.0` is XBRL 2.1 §5.2.5.2, `1.1-round` Calculations 1.1 with rounding to nearest (M1.17–M1.19). Work is bounded:
 * from the limit on, one result `stopped` by `work_limit` stands for the totals that were not checked.
 */
export function checkCalculations({
  facts,
  arcs,
  mode,
  workLimit,
}: {
  facts: readonly CalculationFact[];
  arcs: readonly CalculationArc[];
  mode: CalculationMode;
  workLimit?: number;
}): readonly CalculationCheck[] {
  const verdict = mode === '1.0' ? roundedVerdict : intervalVerdict;
  const checks = bindCalculations({
    facts,
    arcs,
    workLimit: workLimit ?? maxPairs,
  }).map(
    ({ place, binding }): CalculationCheck =>
      binding === null
        ? { ...place, outcome: 'stopped', reason: 'work_limit', cause: place.concept }
        : { ...place, ...verdict(binding) },
  );
  return checks.sort(
    (a, b) =>
      compareText(a.role, b.role) ||
      compareText(a.concept, b.concept) ||
      compareText(a.end, b.end) ||
      compareText(a.start ?? '', b.start ?? '') ||
      compareText(a.contextId, b.contextId) ||
      compareText(a.unit, b.unit),
  );
}

/** A total somewhere, with everything that may contribute to it; `binding` is null once the work limit is reached. */
type PlacedBinding = { readonly place: CalculationPlace; readonly binding: CalculationBinding | null };

type FactIndex = ReadonlyMap<string, ReadonlyMap<string, readonly CalculationFact[]>>;

/**
 * Finds for every total of every role the facts of its items in equal period, dimensions and unit (M1.17), inside the
 * total's tuple (XBRL 2.1 §5.2.5.2). Items without a fact do not appear; a total without any keeps an empty list.
 *
 * `workLimit` bounds the totals checked and the facts paired over all arcs; totals beyond it come without a binding.
 */
function bindCalculations(input: {
  facts: readonly CalculationFact[];
  arcs: readonly CalculationArc[];
  workLimit: number;
}): PlacedBinding[] {
  const { totals, items } = indexFacts(input.facts);
  const bound: PlacedBinding[] = [];
  let work = 0;
  for (const arcs of arcsByTotal(input.arcs)) {
    const [{ role, from } = { role: '', from: '' }] = arcs;
    const places = totals.get(from);
    if (places === undefined) continue;
    work += places.size;
    const pairs = new Map<string, CalculationBinding['items'][number][]>();
    for (const arc of arcs) {
      const facts = items.get(arc.to);
      if (facts === undefined) continue;
      work += Math.min(places.size, facts.size);
      if (work > input.workLimit) break;
      for (const key of sharedKeys(places, facts)) {
        const list = pairs.get(key) ?? [];
        for (const scope of byScope(facts.get(key) ?? [])) {
          list.push({ concept: arc.to, weight: arc.weight, facts: scope });
        }
        pairs.set(key, list);
      }
    }
    const repeatedItem = firstRepeated(arcs);
    for (const [key, facts] of places) {
      const place = placeOf(role, facts);
      const binding = { concept: from, totals: facts, items: pairs.get(key) ?? [], repeatedItem };
      bound.push({ place, binding: work > input.workLimit ? null : binding });
      // one total stands for all that were not checked
      if (work > input.workLimit) return bound;
    }
  }
  return bound;
}

/** Facts by concept and place; items also under the tuples around theirs, where totals of those need them. */
function indexFacts(facts: readonly CalculationFact[]): { totals: FactIndex; items: FactIndex } {
  const places = placeKeys();
  const totals = new Map<string, Map<string, CalculationFact[]>>();
  const hasTuples = facts.some((fact) => (fact.scope ?? '') !== '');
  const items = hasTuples ? new Map<string, Map<string, CalculationFact[]>>() : totals;
  for (const fact of facts) {
    const place = places(fact);
    const scope = fact.scope ?? '';
    insert(totals, fact, `${place}\n${scope}`);
    if (items === totals) continue;
    for (const ancestor of ancestors(scope)) insert(items, fact, `${place}\n${ancestor}`);
  }
  for (const concepts of new Set([totals, items])) {
    for (const byPlace of concepts.values()) for (const list of byPlace.values()) list.sort(compareFacts);
  }
  return { totals, items };
}

function placeKeys(): (fact: CalculationFact) => string {
  // facts of a context share its list of dimensions
  const known = new Map<readonly Dimension[], string>();
  return ({ dimensions, start, end, unit }) => {
    let key = known.get(dimensions);
    if (key === undefined) {
      const sorted = dimensions.map((d) => [d.axis, d.member, d.typed] as const);
      key = JSON.stringify(sorted.sort((a, b) => compareText(a[0], b[0])));
      known.set(dimensions, key);
    }
    return `${start ?? ''}\n${end}\n${unit}\n${key}`;
  };
}

function insert(
  index: Map<string, Map<string, CalculationFact[]>>,
  fact: CalculationFact,
  key: string,
): void {
  let places = index.get(fact.concept);
  if (places === undefined) {
    places = new Map();
    index.set(fact.concept, places);
  }
  const list = places.get(key);
  if (list === undefined) places.set(key, [fact]);
  else list.push(fact);
}

function ancestors(scope: string): string[] {
  const all = [''];
  for (let at = scope.indexOf('/'); at >= 0; at = scope.indexOf('/', at + 1)) all.push(scope.slice(0, at));
  if (scope !== '') all.push(scope);
  return all;
}

function sharedKeys(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): readonly string[] {
  const [fewer, more] = a.size <= b.size ? [a, b] : [b, a];
  return [...fewer.keys()].filter((key) => more.has(key));
}

function byScope(facts: readonly CalculationFact[]): CalculationFact[][] {
  const groups = new Map<string, CalculationFact[]>();
  for (const fact of facts) {
    const list = groups.get(fact.scope ?? '');
    if (list === undefined) groups.set(fact.scope ?? '', [fact]);
    else list.push(fact);
  }
  return [...groups.values()];
}

function arcsByTotal(arcs: readonly CalculationArc[]): CalculationArc[][] {
  const groups = new Map<string, CalculationArc[]>();
  for (const arc of arcs) {
    const key = JSON.stringify([arc.role, arc.from]);
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [arc]);
    else list.push(arc);
  }
  // the order of what comes in never shows in what goes out
  const sorted = [...groups.values()].map((list) =>
    list.sort((a, b) => compareText(a.to, b.to) || a.weight.compare(b.weight)),
  );
  return sorted.sort(
    ([a], [b]) => compareText(a?.role ?? '', b?.role ?? '') || compareText(a?.from ?? '', b?.from ?? ''),
  );
}

function firstRepeated(arcs: readonly CalculationArc[]): string | null {
  return arcs.find((arc, i) => i > 0 && arcs[i - 1]?.to === arc.to)?.to ?? null;
}

function placeOf(role: string, facts: readonly CalculationFact[]): CalculationPlace {
  const [fact] = facts;
  if (fact === undefined) throw new RangeError('a place without facts');
  const { concept, contextId, unit, start, end, dimensions } = fact;
  return { role, concept, contextId, unit, start, end, dimensions };
}

function compareFacts(a: CalculationFact, b: CalculationFact): number {
  return (
    compareText(a.contextId, b.contextId) ||
    compareText(String(a.value), String(b.value)) ||
    compareText(String(a.decimals), String(b.decimals))
  );
}
