import type { Buffer } from 'node:buffer';
import type { StoreReads } from './storeReads.ts';

/** What an object is made of: bytes in memory, or a local file that does not change meanwhile; a spare one nor later. */
export type PutBody = Uint8Array | { readonly path: string; readonly spare?: boolean };

/** A small object that changes, and a mark of its bytes that `replace` can insist on. */
export type StoredPointer = { readonly bytes: Buffer; readonly version: string };

/**
 * A store of artifacts (STORE ST14): the reads, and what a writer does. A local directory and a bucket keep the same
 * names and the same promises: an object is there whole or not at all, and never changes; a pointer is the old one or
 * the new one.
 *
 * All of it throws IssuerError: `configuration` for what the operator has to set right (credentials, bucket, region, the
 * clock), `store_unavailable` when the store does not answer after the attempts were made, `store_unwritable` when it is
 * full.
 */
export type Store = StoreReads & {
  /** How the store may be shown. */
  readonly address: string;
  /**
   * Puts a new object. `exists` when there is one of that name: it stays as it is, and may be what an earlier attempt
   * of the same call has put, so the caller proves it.
   */
  put(name: string, body: PutBody): Promise<'written' | 'exists'>;
  /** Bytes and version of a pointer; null when there is none. */
  pointer(name: string): Promise<StoredPointer | null>;
  /**
   * Replaces a pointer.
   *
   * @param expected the version it must have, null when there must be none; any when absent
   * @returns `changed` when it is another one: it stays as it is
   */
  replace(
    name: string,
    bytes: Uint8Array,
    o?: { readonly expected: string | null },
  ): Promise<'replaced' | 'changed'>;
  /** Removes an object; one that is not there is fine. */
  remove(name: string): Promise<void>;
};
