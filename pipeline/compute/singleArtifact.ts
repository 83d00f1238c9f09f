import type { z } from 'zod';
import type { Artifact } from '../release/artifact.ts';
import { payloadBytes, validated } from './validated.ts';

/**
 * One payload under its key, as its contract schema knows it, with stored codings.
 *
 * @throws IssuerError `validation_failed` when the schema refuses it.
 */
export function singleArtifact(key: string, schema: z.ZodType, value: unknown): Artifact {
  return {
    key,
    mediaType: 'application/json',
    bytes: payloadBytes(validated({ schema, value, key })),
    coded: true,
  };
}
