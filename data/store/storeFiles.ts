import { z } from 'zod';
import { count, sha256 } from '../contract/values/primitives.ts';

// Names and small documents of an artifact store, the same in a directory and in a bucket (STORE ST3). Manifests, the
// pointers and last-run.json stand in data/contract/release.

/** The layout this program reads and writes: packs and manifests (STORE ST13). */
export const storeLayoutNumber = 2;

/** `layout.json` at the root of a store. */
export const storeLayout = z.strictObject({ schema_id: z.literal('store_layout.v1'), layout: count });

/**
 * Name of a pack: the release it was written for; `-<n>` when n releases of past dates share it; `-c<n>` when prune
 * wrote it from what was still needed of another.
 */
export const packName = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}\.[1-9]\d{0,5}(-[1-9]\d{0,5})?(-c[1-9]\d{0,5})?$/);

/**
 * `releases/<id>/packs.json`: where the bytes of a release lie. Not signed: it says nothing that the hashes of the
 * manifest do not prove, and prune may rewrite it (STORE ST3).
 */
export const releasePacks = z.strictObject({
  schema_id: z.literal('release_packs.v1'),
  packs: z.array(packName),
  /** By sha256, the position in `packs` of every object that does not lie in the first. */
  drawn: z.record(sha256, count),
});

export type ReleasePacks = z.infer<typeof releasePacks>;

/** Names of the files of a store, from its root. */
export const storeNames = {
  layout: 'layout.json',
  pack: (pack: string) => `packs/${pack}.pack`,
  index: (pack: string) => `packs/${pack}.idx`,
  manifest: (release: string) => `releases/${release}/manifest.json`,
  packs: (release: string) => `releases/${release}/packs.json`,
} as const;

/**
 * Why a store cannot be used, as a sentence; null when it can.
 *
 * @param bytes what `layout.json` holds; null when there is none
 * @param isEmpty true when nothing was published into it
 */
export function layoutProblem({
  bytes,
  isEmpty,
}: {
  readonly bytes: Uint8Array | null;
  readonly isEmpty: boolean;
}): string | null {
  if (bytes === null) return isEmpty ? null : `The artifact store has no layout.json; ${read}.`;
  const parsed = storeLayout.safeParse(json(bytes));
  if (!parsed.success) return `layout.json of the artifact store is damaged; ${read}.`;
  const { layout } = parsed.data;
  return layout === storeLayoutNumber ? null : `The artifact store has layout ${layout}; ${read}.`;
}

const read = `this program reads layout ${storeLayoutNumber}`;

/** What to do about a store of another layout. */
export const layoutHint =
  'Move the directory away and run `issuer nightly`; `issuer backfill` makes past dates again from the warehouse.';

function json(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
