import type { FaceName, Subset } from './face.ts';
import { faces } from './faces.ts';
import { subsetFor } from './measureText.ts';

/** What texts in a face need: its subset files in the face's order, and the characters that none of them has. */
export function subsetsOf(texts: Iterable<string>, name: FaceName): { subsets: Subset[]; outside: string[] } {
  const face = faces[name];
  const used = new Set<Subset>();
  const outside = new Set<string>();
  for (const text of texts)
    for (const character of text) {
      const subset = subsetFor(face, character.codePointAt(0) ?? 0);
      if (subset === null) outside.add(character);
      else used.add(subset);
    }
  return { subsets: face.subsets.filter((subset) => used.has(subset)), outside: [...outside] };
}
