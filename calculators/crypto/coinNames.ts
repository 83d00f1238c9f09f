import { wordsOf } from '../network/conceptWords.ts';
import type { Concepts } from '../parameters/concepts.ts';

/** The one asset a member, unit of measure or concept names; null when it names none or several. */
export function assetOf(name: string, { coinNames }: Concepts): string | null {
  const found = new Set(wordsOf(name).flatMap((word) => coinNames.get(word) ?? []));
  const [asset, second] = found;
  return asset !== undefined && second === undefined ? asset : null;
}
