import { compareText } from '../../../data/contract/values/compareText.ts';
import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import type { IndexEntry, SpecSearchData } from '../../../data/contract/visual/visualToolData.ts';

export type SpecSearch = {
  readonly query: string;
  readonly family: VisualContract['diagram_family'] | null;
  /** All of them must be there. */
  readonly tags: readonly string[];
  readonly limit: number;
  readonly offset: number;
};

/**
 * The data of `visual_spec_search` over the entries a key may see: those that match at all, best first, then by id
 * (I4.VIS.17). `contractOf` gives the contract of a spec where it was asked for.
 */
export function searchSpecs(
  entries: readonly IndexEntry[],
  { query, family, tags, limit, offset }: SpecSearch,
  contractOf: ((specId: string) => VisualContract) | null,
): SpecSearchData {
  const found = entries
    .filter((entry) => family === null || entry.family === family)
    .filter((entry) => tags.every((tag) => entry.tags.includes(tag)))
    .map((entry) => ({ entry, score: scoreEntry(query, entry) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || compareText(a.entry.specId, b.entry.specId));
  const page = found.slice(offset, offset + limit);
  return {
    data: page.map(({ entry, score }) => ({
      spec_id: entry.specId,
      diagram_id: entry.diagramId,
      title: entry.title,
      diagram_family: entry.family,
      purpose: entry.purpose,
      tags: [...entry.tags],
      score,
      contract_sha256: entry.contractSha256,
      artifact_sha256: entry.artifactSha256,
      created_at_utc: entry.createdAtUtc,
      ...(contractOf === null ? {} : { contract: contractOf(entry.specId) }),
    })),
    meta: { total: found.length, limit, offset, count: page.length, index_version: 'ii-spec-index-1.0' },
  };
}

const cent = 10_000;

/** Price of a search: 0.03 up to ten rows, 0.01 for each ten more begun, 0.01 with contracts, 0.08 at most (I4.VIS.17). */
export function searchPriceMicroUsd(limit: number, includeContract: boolean): number {
  const cents = 3 + Math.max(0, Math.ceil((limit - 10) / 10)) + (includeContract ? 1 : 0);
  return Math.min(8, cents) * cent;
}

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
function scoreEntry(query: string, entry: IndexEntry): number {
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
