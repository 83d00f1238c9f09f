import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type LastRun, lastRun } from '../../data/contract/release/releaseFiles.ts';
import { packLibrary } from '../../data/store/packLibrary.ts';
import { storeNames } from '../../data/store/storeFiles.ts';
import { directoryReads } from '../../data/store/storeReads.ts';
import { type ArtifactFault, artifactFaults } from './artifactFaults.ts';
import type { ArtifactStore, Snapshot } from './artifactStore.ts';
import { byteCache } from './byteCache.ts';
import { directoryAudits } from './directoryAudits.ts';
import { openedReleases } from './openedReleases.ts';
import type { CachedArtifact, ReleaseCaches } from './packedRelease.ts';
import { parsedJson } from './parsedJson.ts';
import { pointerFiles } from './pointerFiles.ts';
import { releaseSnapshot } from './releaseSnapshot.ts';
import { figuresName, maxAuditBytes } from './storedAudit.ts';
import { isOverloaded, overloadedStore, shortOfDescriptors } from './unavailable.ts';
import type { JudgeKey } from './verifySigned.ts';

const maxPointerBytes = 4 * 1024 * 1024;
/** Packs that stay open; connections leave room for them. */
const openPacks = 16;

type Pointers = {
  readonly stamp: string;
  readonly snapshot: Snapshot;
};
/**
 * Artifacts in `<root>/{layout.json,current,slices.json,last-run.json,releases/…,packs/…}`; a new promotion is seen at the latest
 * `recheckMs` later, and answers on their way keep the release they started with (I3.19).
 */
export function directoryStore({
  root,
  cacheBytes,
  recheckMs,
  nowMs,
  trusts,
  onFault = () => {},
}: {
  root: string;
  cacheBytes: number;
  recheckMs: number;
  nowMs(): number;
  /** Whether releases of a key are this deployment's (I9.16a). */
  trusts: JudgeKey;
  onFault?(fault: ArtifactFault): void;
}): ArtifactStore {
  const library = packLibrary(directoryReads({ root, keepOpen: openPacks }));
  const caches: ReleaseCaches = {
    cache: byteCache<CachedArtifact>(cacheBytes),
    loading: new Map(),
    faults: artifactFaults({ onFault, nowMs }),
    reproves: false,
  };
  const { release } = openedReleases({
    library,
    read: (name, limit) => readBounded(join(root, name), limit),
    trusts,
    caches,
  });
  let pointers: Pointers | null = null;
  let checkedMs = Number.NEGATIVE_INFINITY;
  let checking: Promise<Pointers> | null = null;
  let run: { readonly stamp: string; readonly value: LastRun | null } | null = null;

  async function refresh(): Promise<Pointers> {
    const layout = join(root, storeNames.layout);
    const [current, slices] = [join(root, 'current'), join(root, 'slices.json')];
    const stamp = `${await stampOf(layout)} ${await stampOf(current)} ${await stampOf(slices)}`;
    if (pointers?.stamp !== stamp) {
      const read = async () => {
        const files = pointerFiles({
          current: await readBounded(current, maxPointerBytes),
          slices: await readBounded(slices, maxPointerBytes),
          layout: await readBounded(layout, maxPointerBytes),
        });
        return { stamp, snapshot: releaseSnapshot(files, release) };
      };
      pointers = await orKnown(read, pointers);
    }
    checkedMs = nowMs();
    return pointers;
  }

  async function recheck(): Promise<Snapshot> {
    checking ??= refresh().finally(() => {
      checking = null;
    });
    return (await checking).snapshot;
  }

  return {
    snapshot: () => (pointers !== null && nowMs() - checkedMs < recheckMs ? pointers.snapshot : recheck()),
    async lastRun() {
      const path = join(root, 'last-run.json');
      const stamp = await stampOf(path);
      if (run?.stamp !== stamp) {
        const read = async () => {
          const parsed = lastRun.safeParse(parsedJson(await readBounded(path, maxPointerBytes)));
          return { stamp, value: parsed.success ? parsed.data : null };
        };
        run = await orKnown(read, run);
      }
      return run.value;
    },
    audit: directoryAudits({ root, trusts }),
    figures: (sourceDate) => readBounded(join(root, figuresName(sourceDate)), maxAuditBytes),
    faults: (release) => caches.faults.of(release),
    remote: () => null,
  };
}

/** What was known holds while no file can be opened; its old stamp makes the next look try again. */
async function orKnown<T>(read: () => Promise<T>, known: T | null): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (known === null || !isOverloaded(error)) throw error;
    return known;
  }
}

/** Bytes of a small file; null when it does not exist. */
async function readBounded(path: string, limit: number): Promise<Buffer | null> {
  try {
    const { size } = await stat(path);
    if (size > limit) throw new RangeError(`larger than ${limit} bytes`);
    return await readFile(path);
  } catch (cause) {
    if (isMissing(cause)) return null;
    if (shortOfDescriptors(cause)) throw overloadedStore(cause);
    throw new IssuerError({
      code: 'artifact_unavailable',
      message: 'The artifact store cannot be read.',
      hint: 'Try again later; the operator sees the same in /ready.',
      details: { artifact_key: null },
      cause,
    });
  }
}

async function stampOf(path: string): Promise<string> {
  try {
    const found = await stat(path, { bigint: true });
    return `${found.ino}:${found.size}:${found.mtimeNs}`;
  } catch (cause) {
    if (isMissing(cause)) return 'missing';
    return 'unreadable';
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}
