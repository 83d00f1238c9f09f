import type { SchemaIds } from './locatorConcept.ts';
import type { SchemaDocument } from './schemaReader.ts';

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
