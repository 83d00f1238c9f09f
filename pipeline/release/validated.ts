import type { z } from 'zod';
import { isReservedMember } from '../../data/contract/billing/billingEnvelope.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { StoredBytes, StoredObject, Subject } from '../../data/contract/payloads/stored.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { Artifact } from './artifact.ts';

/**
 * A payload as its contract schema knows it: valid, and without a member the schema does not name or one that
 * is reserved for the billing envelope (I5.47).
 *
 * @param key artifact key, named in the error
 * @throws IssuerError `validation_failed`
 */
export function validated<S extends z.ZodType>(input: {
  schema: S;
  value: unknown;
  key: string;
}): CanonicalValue {
  const parsed = input.schema.safeParse(input.value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw refused(input.key, `${issue?.path.join('.') || 'payload'}: ${issue?.message ?? 'invalid'}`);
  }
  const value = parsed.data as CanonicalValue;
  // zod drops what it does not know; silence about a dropped figure would be the worst failure
  const unknown = firstDropped(input.value as CanonicalValue, value, '');
  if (unknown !== null) throw refused(input.key, `${unknown} is not in the contract`);
  if (value !== null && typeof value === 'object') {
    const reserved = Object.keys(value).find(isReservedMember);
    if (reserved !== undefined) throw refused(input.key, `${reserved} is a reserved member`);
  }
  return value;
}

/** The canonical bytes of a validated payload. */
export function payloadBytes(value: CanonicalValue): Uint8Array {
  return Buffer.from(canonicalJson(value));
}

function firstDropped(from: unknown, to: unknown, path: string): string | null {
  if (from === null || typeof from !== 'object' || to === null || typeof to !== 'object') return null;
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined) continue;
    const here = path === '' ? name : `${path}.${name}`;
    if (!(name in to)) return here;
    const inner = firstDropped(value, (to as Record<string, unknown>)[name], here);
    if (inner !== null) return inner;
  }
  return null;
}

function refused(key: string, problem: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `${key} is not valid against its schema: ${problem}.`,
    hint: 'Nothing was published and the promoted release is untouched; this is a defect of a calculator.',
    details: { key, problem },
  });
}

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

/** Bytes under their key that only their media type describes. */
export function bytesArtifact<Parts>(
  { key, mediaType }: StoredBytes<Subject, Parts>,
  { parts, bytes }: { parts: NoInfer<Parts> & { readonly variant?: string }; bytes: Uint8Array | string },
): Artifact {
  const written = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  return { key: key(parts), mediaType, bytes: written, coded: false };
}
