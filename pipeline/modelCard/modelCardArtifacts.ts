import type { Artifact } from '../release/artifact.ts';

/** The model card as the file `model-card/<source_date>.md` of a release; a backfill has row stores only (I4.36). */
export function modelCardArtifacts(o: {
  sourceDate: string;
  backfilled: boolean;
  modelCard: string;
}): readonly Artifact[] {
  if (o.backfilled) return [];
  return [
    {
      key: `model-card/${o.sourceDate}.md`,
      mediaType: 'text/markdown',
      bytes: new TextEncoder().encode(o.modelCard),
      coded: false,
    },
  ];
}
