import { changeMeanings } from './changeMeanings.ts';
import { issuerMeanings } from './issuerMeanings.ts';
import { serviceMeanings } from './serviceMeanings.ts';

/** Meaning by member name, by end of a path, or by `resource:path`; the most exact key wins. */
export const fieldMeanings: Readonly<Record<string, string>> = {
  ...issuerMeanings,
  ...changeMeanings,
  ...serviceMeanings,
};

/** Key of the meaning of a member; null when nobody has written one. */
export function meaningKey(resource: string, path: string): string | null {
  const segments = path.split('.');
  const ends = segments.map((_, index) => segments.slice(index).join('.'));
  return [`${resource}:${path}`, ...ends].find((key) => Object.hasOwn(fieldMeanings, key)) ?? null;
}

/** What a member means, in one sentence (I4.F02.2). */
export function fieldMeaning(resource: string, path: string): string {
  const key = meaningKey(resource, path);
  return key === null ? '' : (fieldMeanings[key] ?? '');
}
