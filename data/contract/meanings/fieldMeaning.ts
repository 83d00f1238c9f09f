import { payloads } from '../payloads/payloads.ts';
import { issuerFigures } from './issuerFigures.ts';
import { listNames } from './listNames.ts';
import { serviceNames } from './serviceNames.ts';

type Meanings = Readonly<Record<string, string>>;

/** Meanings that no single payload owns, by member name or end of a path. */
export const sharedMeanings: Meanings = { ...issuerFigures, ...listNames, ...serviceNames };

/**
 * What a member means, in one sentence (I4.F02.2): in the payload's own words, or in those that many share. The longest
 * end of the path that has a meaning counts; empty without one.
 *
 * @param resource schema id of a payload, or name of a service document
 */
export function fieldMeaning(resource: string, path: string): string {
  const own =
    (payloads as Readonly<Record<string, { readonly meanings: Meanings }>>)[resource]?.meanings ?? {};
  for (const table of [own, sharedMeanings]) {
    const key = meaningKey(table, { resource, path });
    if (key !== null) return table[key] ?? '';
  }
  return '';
}

/** Key of the most exact meaning of a member in one table; null without one. */
export function meaningKey(
  table: Meanings,
  { resource, path }: { resource: string; path: string },
): string | null {
  const segments = `${resource}.${path}`.split('.');
  const ends = segments.map((_, i) => segments.slice(i).join('.'));
  return [`$.${path}`, ...ends].find((key) => Object.hasOwn(table, key)) ?? null;
}
