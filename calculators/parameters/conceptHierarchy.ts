import { list, type Named, record, refused, text } from './registryReader.ts';

/** Which concepts are parts of which, by the taxonomy: a veto inside sums, never a resolver (M1.29a). */
export type ConceptHierarchy = {
  readonly version: string;
  /** Every concept that holds `concept`, directly or through others. */
  ancestorsOf(concept: string): ReadonlySet<string>;
  /** The direct parts of a concept; empty for one that the table does not divide. */
  childrenOf(concept: string): readonly string[];
};

/**
 * Reads the table of concept parts.
 *
 * @throws IssuerError `validation_failed` when a member has another type or a concept is a part of itself.
 */
export function conceptHierarchy(value: unknown): ConceptHierarchy {
  const table = record(value, 'concept_hierarchy');
  const children = childrenTable(record(table['children'], 'concept_hierarchy.children'));
  const parents = new Map<string, string[]>();
  for (const [parent, parts] of children) {
    for (const part of parts) parents.set(part, [...(parents.get(part) ?? []), parent]);
  }
  const ancestors = new Map<string, ReadonlySet<string>>();
  for (const concept of parents.keys()) ancestors.set(concept, above(concept, parents));
  const none: ReadonlySet<string> = new Set();
  return {
    version: text(table['version'], 'concept_hierarchy.version'),
    ancestorsOf: (concept) => ancestors.get(concept) ?? none,
    childrenOf: (concept) => children.get(concept) ?? [],
  };
}

function childrenTable(rows: Named<unknown>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(rows).map(([parent, parts]) => {
      const name = `concept_hierarchy.children.${parent}`;
      return [parent, list(parts, name).map((part) => text(part, name))];
    }),
  );
}

function above(concept: string, parents: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...(parents.get(concept) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === concept) throw refused(`concept_hierarchy.children.${concept}`, 'a table without a cycle');
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(parents.get(next) ?? []));
  }
  return found;
}
