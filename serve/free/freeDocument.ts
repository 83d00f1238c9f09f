import { type CodedBytes, codedBytes } from '../body/codedBytes.ts';
import { sha256Hex } from '../body/openBodies.ts';

/** Bytes that are the same for everyone, under a strong tag (I9.13). */
export type FreeDocument = CodedBytes & {
  readonly contentType: string;
  readonly sha256: string;
  /** Opaque value of the tag, without the suffix of a coding. */
  readonly tag: string;
};

/** Wraps finished bytes; the tag is the start of their SHA-256 unless one is given. */
export function freeDocument({
  bytes,
  contentType = 'application/json; charset=utf-8',
  tag,
}: {
  bytes: Buffer;
  contentType?: string;
  tag?: string;
}): FreeDocument {
  let made: string | null = null;
  // that of a page of a list is never read: its tag is known before
  const sha256 = (): string => {
    made ??= sha256Hex(bytes);
    return made;
  };
  return {
    ...codedBytes(bytes),
    contentType,
    get sha256() {
      return sha256();
    },
    tag: tag ?? sha256().slice(0, 32),
  };
}
