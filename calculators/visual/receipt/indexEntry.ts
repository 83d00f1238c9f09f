import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import type { IndexEntry } from '../../../data/contract/visual/visualToolData.ts';

/** The entry of a render; id, hashes and instant come from its receipt. */
export function entryOf(
  { diagram_id, title, diagram_family, purpose, nodes, reuse_metadata }: VisualContract,
  of: Pick<IndexEntry, 'specId' | 'contractSha256' | 'artifactSha256' | 'createdAtUtc'>,
): IndexEntry {
  return {
    ...of,
    diagramId: diagram_id,
    title: title ?? null,
    family: diagram_family,
    purpose,
    labels: nodes.map(({ label }) => label),
    tags: reuse_metadata.tags,
    keywords: reuse_metadata.keywords,
    visibility: reuse_metadata.visibility,
  };
}

type Weighted = readonly { readonly words: ReadonlySet<string>; readonly weight: number }[];

/**
 * How well an entry answers a query, from 0 to 1 with six decimals: for each word of the query the weight of the best
 * place that has it, half of it where a word only begins so (I4.VIS.18). No model, no order of the collection.
 */
export function scoreEntry(query: string, entry: IndexEntry): number {
  const words = [...wordsOf(query)];
  if (words.length === 0) return 0;
  const places: Weighted = [
    { words: wordsOf(entry.title ?? ''), weight: 10 },
    { words: wordsOf(`${entry.tags.join(' ')} ${entry.keywords.join(' ')}`), weight: 8 },
    { words: wordsOf(`${entry.diagramId} ${entry.family}`), weight: 6 },
    { words: wordsOf(entry.labels.join(' ')), weight: 5 },
    { words: wordsOf(entry.purpose), weight: 4 },
  ];
  let sum = 0;
  for (const word of words)
    sum += Math.max(...places.map(({ words: found, weight }) => weight * match(word, found)));
  return Math.round((sum / (10 * words.length)) * 1_000_000) / 1_000_000;
}

function match(word: string, found: ReadonlySet<string>): number {
  if (found.has(word)) return 1;
  if (word.length < 3) return 0;
  for (const other of found) if (other.startsWith(word)) return 0.5;
  return 0;
}

function wordsOf(text: string): Set<string> {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? []);
}
