import { isStandardPrefix } from './xbrlNamespaces.ts';

/** Concepts of the available schemas by element id, per schema file name. */
export type SchemaIds = ReadonlyMap<string, ReadonlyMap<string, string>>;

const taxonomyHost = /^https?:\/\/(?:[a-z0-9-]+\.)*(?:fasb\.org|sec\.gov|xbrl\.us|ifrs\.org|xbrl\.org)\//;
const elementScheme = /^element\(([^/()]+)\)$/;
const edgarId = /^([A-Za-z][\w.-]*?)_([A-Za-z_][\w.-]*)$/;

/**
 * Concept a locator's href points at, null when it points at none.
 *
 * An available schema decides by its element ids. Of any other schema only the name is known, and there EDGAR's rule
 * that an id is `prefix_LocalName` is read backwards: a standard prefix must come from a taxonomy of that name, so
 * that nothing else passes for a standard concept; an own prefix is taken as the filing's own.
 */
export function locatorConcept(href: string, schemas: SchemaIds): string | null {
  const hash = href.indexOf('#');
  if (hash < 0) return null;
  const location = href.slice(0, hash);
  const fragment = decoded(href.slice(hash + 1));
  const id = elementScheme.exec(fragment)?.[1] ?? fragment;
  const file = fileName(location);
  const known = schemas.get(file);
  if (known !== undefined) return known.get(id) ?? null;
  const [, prefix, local] = edgarId.exec(id) ?? [];
  if (prefix === undefined || local === undefined) return null;
  const isTaxonomy = taxonomyHost.test(location) || file.startsWith(`${prefix}-`);
  return isTaxonomy || !isStandardPrefix(prefix) ? `${prefix}:${local}` : null;
}

/** True for a location of a published taxonomy, at its host or as a copy under its customary file name. */
export function isOfTaxonomy(location: string): boolean {
  const [, prefix = ''] = /^(.+?)-\d/.exec(fileName(location)) ?? [];
  return taxonomyHost.test(location) || isStandardPrefix(prefix);
}

/** Last segment of a relative or absolute reference. */
export function fileName(location: string): string {
  return decoded(location.slice(location.lastIndexOf('/') + 1));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
