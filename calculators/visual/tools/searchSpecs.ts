import { compareText } from '../../../data/contract/values/compareText.ts';
import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import type { IndexEntry, SpecSearchData } from '../../../data/contract/visual/visualToolData.ts';
import { scoreEntry } from '../receipt/indexEntry.ts';

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
