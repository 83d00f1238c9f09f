import type { z } from 'zod';
import type { StoredObject, Subject } from '../../data/contract/payloads/stored.ts';
import type { Artifact } from '../release/artifact.ts';
import { payloadBytes, validated } from '../release/validated.ts';

/**
 * One object under its key, as its contract schema knows it.
 *
 * @throws IssuerError `validation_failed` when the schema refuses it.
 */
export function singleArtifact<S extends z.ZodType, Parts>(
  store: StoredObject<S, Subject, Parts>,
  { parts, value }: { parts: NoInfer<Parts> & { readonly variant?: string }; value: NoInfer<z.output<S>> },
): Artifact {
  const { schema, mediaType, coded } = store;
  const key = store.key(parts);
  return { key, mediaType, bytes: payloadBytes(validated({ schema, value, key })), coded };
}
