import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';

/** What the search knows of a render (I4.VIS.18). */
export type IndexEntry = {
  readonly specId: string;
  readonly diagramId: string;
  readonly title: string | null;
  readonly family: VisualContract['diagram_family'];
  readonly purpose: string;
  readonly labels: readonly string[];
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly visibility: 'private' | 'public';
  readonly contractSha256: string;
  readonly artifactSha256: string;
  readonly createdAtUtc: string;
};

/** The entry of a render; id, hashes and instant come from its receipt. */
export function indexEntry(
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
