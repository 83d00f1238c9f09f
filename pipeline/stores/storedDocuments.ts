import type { z } from 'zod';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  type ArtifactManifest,
  artifactManifest,
  releaseName,
  type SliceIndex,
  sliceIndex,
} from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { layoutHint, layoutProblem, releasePacks, storeNames } from '../../data/store/storeFiles.ts';
import type { Store } from '../../data/store/storePort.ts';
import { sha256Hex } from '../release/artifact.ts';
import { compareReleases } from '../release/releaseStore.ts';

/** Which releases of a store answer, and the versions of the two pointers that say so. */
export type StoreState = {
  readonly slices: SliceIndex;
  readonly current: string | null;
  readonly versions: { readonly slices: string | null; readonly current: string | null };
  readonly slicesSha256: string;
  /** Hash of what both pointers say. */
  readonly fingerprint: string;
};

/** @throws IssuerError `configuration` over a store of another layout, `validation_failed` when a pointer is damaged */
export async function readStoreState(store: Store): Promise<StoreState> {
  const current = await store.pointer('current');
  const slices = await store.pointer('slices.json');
  const layout = await store.read(storeNames.layout);
  const message = layoutProblem({ bytes: layout, isEmpty: current === null && slices === null });
  if (message !== null) throw new IssuerError({ code: 'configuration', message, hint: layoutHint });
  const index =
    slices === null ? {} : parsed(sliceIndex, { store, name: 'slices.json', bytes: slices.bytes });
  const name = current === null ? null : current.bytes.toString('utf8').trim();
  if (name !== null && !releaseName.safeParse(name).success) throw damaged(store, 'current', 'no release');
  return {
    slices: index,
    current: name,
    versions: { slices: slices?.version ?? null, current: current?.version ?? null },
    slicesSha256: sha256Hex(canonicalJson(index)),
    fingerprint: sha256Hex(canonicalJson({ current: name, slices: index })),
  };
}

/** Names of the releases of a store, ordered; some of them may not be whole. */
export async function listStoredReleases(store: Store): Promise<string[]> {
  const names = await store.list('releases/');
  return names.filter((name) => releaseName.safeParse(name).success).sort(compareReleases);
}

/** The two documents of a release. */
export type StoredRelease = {
  readonly manifest: ArtifactManifest;
  readonly packs: z.infer<typeof releasePacks>;
  readonly bytes: { readonly manifest: Buffer; readonly packs: Buffer };
};

/** null when the release is not whole. @throws IssuerError `validation_failed` when one of them is damaged */
export async function readStoredRelease(store: Store, release: string): Promise<StoredRelease | null> {
  const names = { manifest: storeNames.manifest(release), packs: storeNames.packs(release) };
  const manifest = await store.read(names.manifest);
  const packs = manifest === null ? null : await store.read(names.packs);
  if (manifest === null || packs === null) return null;
  return {
    manifest: parsed(artifactManifest, { store, name: names.manifest, bytes: manifest }),
    packs: parsed(releasePacks, { store, name: names.packs, bytes: packs }),
    bytes: { manifest, packs },
  };
}

/** A JSON document of a store through its schema. @throws IssuerError `validation_failed` */
export function parsed<S extends z.ZodType>(
  schema: S,
  { store, name, bytes }: { store: Pick<Store, 'address'>; name: string; bytes: Uint8Array },
): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw damaged(store, name, 'not JSON');
  }
  const result = schema.safeParse(value);
  if (!result.success) throw damaged(store, name, result.error.issues[0]?.message ?? 'wrong shape');
  return result.data;
}

function damaged({ address }: Pick<Store, 'address'>, name: string, what: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `${name} of ${address} is damaged: ${what}.`,
    hint: 'Put it back from another copy of the store.',
  });
}
