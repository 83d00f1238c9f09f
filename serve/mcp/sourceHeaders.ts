import { digestField } from '../body/openBodies.ts';
import type { Servable } from '../find/servable/servable.ts';

/** Headers that name the artifact behind the answer of a tool (I4.24). */
export function sourceHeaders({
  artifactVersion,
  artifactSha256,
  sourceDate,
}: Pick<Servable, 'artifactVersion' | 'artifactSha256' | 'sourceDate'>): readonly string[] {
  return [
    'X-Artifact-Version',
    artifactVersion,
    'X-Artifact-Digest',
    digestField(artifactSha256),
    'X-Source-Date',
    sourceDate,
  ];
}
