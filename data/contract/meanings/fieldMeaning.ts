import table from './fieldMeanings.json' with { type: 'json' };

type Meanings = Readonly<Record<string, string>>;

/**
 * What the members of one owner mean: a payload by its schema id, or a group of members that several have. The owners
 * that its member `...` names come first, its own words last.
 *
 * @throws TypeError for an owner that the table does not have
 */
export function meaningsOf(owner: string): Meanings {
  const found = (table as Readonly<Record<string, Meanings>>)[owner];
  if (found === undefined) throw new TypeError(`no meanings are written for ${owner}`);
  const { '...': groups, ...own } = found;
  return Object.assign({}, ...(groups?.split(' ') ?? []).map(meaningsOf), own);
}

/** Meanings that no single payload owns, by member name or end of a path. */
export const sharedMeanings: Meanings = meaningsOf('*');

/**
 * What a member means, in one sentence (I4.F02.2): in the payload's own words, or in those that many share. The longest
 * end of the path that has a meaning counts; empty without one.
 *
 * @param resource schema id of a payload, or name of a service document
 */
export function fieldMeaning(resource: string, path: string): string {
  const own = Object.hasOwn(table, resource) ? meaningsOf(resource) : {};
  for (const meanings of [own, sharedMeanings]) {
    const key = meaningKey(meanings, { resource, path });
    if (key !== null) return meanings[key] ?? '';
  }
  return '';
}

/** Key of the most exact meaning of a member in one table; null without one. */
export function meaningKey(
  meanings: Meanings,
  { resource, path }: { resource: string; path: string },
): string | null {
  const segments = `${resource}.${path}`.split('.');
  const ends = segments.map((_, i) => segments.slice(i).join('.'));
  return [`$.${path}`, ...ends].find((key) => Object.hasOwn(meanings, key)) ?? null;
}
