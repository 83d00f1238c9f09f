import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { companyRows } from '../../contract/payloads/companies.ts';
import {
  type ArtifactManifest,
  isBackfilled,
  type ManifestEntry,
  rowStoreIndex,
} from '../../contract/release/releaseFiles.ts';
import { codedBytes } from '../body/codedBytes.ts';
import { openBodies, sha256Hex } from '../body/openBodies.ts';
import type { ArtifactFaults } from './artifactFaults.ts';
import type { ArtifactReader, Release, StoredBytes, StoredObject, StoredRows } from './artifactStore.ts';
import { ascending } from './ascending.ts';
import type { ByteCache } from './byteCache.ts';
import type { IssuerIndex } from './issuerIndex.ts';
import { issuersOfRows } from './issuersOfRows.ts';
import { type CachedShare, loadShare, readRange } from './storedShare.ts';
import { overloadedStore, shortOfDescriptors, unavailable, unreadable } from './unavailable.ts';

/** What the hot cache holds, by release and key. */
export type CachedArtifact =
  | { readonly kind: 'object'; readonly object: StoredObject }
  | { readonly kind: 'bytes'; readonly stored: StoredBytes }
  | { readonly kind: 'rows'; readonly rows: StoredRows }
  | { readonly kind: 'read'; readonly value: unknown }
  | CachedShare;

/** The largest artifact that is loaded; answers end at 8 MiB (I8.5), row stores may be larger. */
const maxArtifactBytes = 256 * 1024 * 1024;

/** One release directory with a verified manifest; artifacts are loaded and checked on first use (I9.17). */
export function directoryRelease({
  directory,
  manifest,
  manifestBytes,
  cache,
  loading,
  faults,
}: {
  directory: string;
  manifest: ArtifactManifest;
  manifestBytes: Buffer;
  cache: ByteCache<CachedArtifact>;
  loading: Map<string, Promise<CachedArtifact>>;
  faults: ArtifactFaults;
}): Release {
  const entries = new Map(manifest.artifacts.map((entry) => [entry.key, entry]));

  const watched = <T>(key: string, load: () => Promise<T>): Promise<T> =>
    faults.watch({ release: manifest.version, key }, load);

  async function cached(key: string, load: () => Promise<{ value: CachedArtifact; bytes: number }>) {
    const cacheKey = `${manifest.version}/${key}`;
    const hot = cache.get(cacheKey);
    if (hot !== undefined) return hot;
    const running = loading.get(cacheKey);
    if (running !== undefined) return running;
    const started = watched(key.replace(/#\d+$/, ''), load).then(({ value, bytes }) => {
      cache.set(cacheKey, value, bytes);
      return value;
    });
    loading.set(cacheKey, started);
    try {
      return await started;
    } finally {
      loading.delete(cacheKey);
    }
  }

  const rows = async (key: string): Promise<StoredRows | null> => {
    const entry = entries.get(key);
    const indexEntry = entries.get(key.replace(/\.ndjson$/, '.index.json'));
    if (entry === undefined || indexEntry === undefined || entry === indexEntry) return null;
    const found = await cached(key, () => loadRows(directory, entry, indexEntry));
    return found.kind === 'rows' ? found.rows : null;
  };
  let issuers: IssuerIndex | null = null;

  return {
    name: manifest.version,
    sourceDate: manifest.source_date,
    generatedAt: manifest.generated_at,
    sliceStatus: manifest.slice_status,
    keyId: manifest.signature.key_id,
    manifestSha256: sha256Hex(manifestBytes),
    manifestBytes,
    artifactCount: manifest.artifact_count,
    rowStoresOnly: isBackfilled(manifest),
    has: (key) => entries.has(key),
    async object(key) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      const found = await cached(key, () => loadObject(directory, entry));
      return found.kind === 'object' ? found.object : null;
    },
    async bytes(key) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      const found = await cached(key, () => loadBytes(directory, entry));
      return found.kind === 'bytes' ? found.stored : null;
    },
    rows,
    async share(key, proof) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      const path = join(directory, key);
      const found = await cached(`${key}#${proof.start}`, () => loadShare(path, entry, proof));
      if (found.kind !== 'share') return null;
      const { lineEnds, held } = found;
      return {
        entry,
        lineEnds,
        read: async (start, end) =>
          held?.subarray(start, end) ??
          readRange(path, entry, { start: proof.start + start, end: proof.start + end }),
      };
    },
    async read<T>(key: string, reader: ArtifactReader<T>) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      const found = await cached(key, () => loadRead(directory, entry, reader));
      // one key has one reader
      return found.kind === 'read' ? { entry, value: found.value as T } : null;
    },
    async issuers() {
      if (issuers !== null) return issuers;
      const key = companyRows.key({ slice: manifest.source_date });
      const stored = await rows(key);
      if (stored === null) throw unavailable(key, 'the release does not list it');
      issuers = issuersOfRows(stored);
      return issuers;
    },
  };
}

async function loadObject(directory: string, entry: ManifestEntry) {
  const bytes = await readVerified(directory, entry);
  if (bytes.at(-1) !== 0x7d) throw unavailable(entry.key, 'it is not a JSON object');
  const [gzip, zstd] = await Promise.all([
    readCoding(join(directory, `${entry.key}.gz`), bytes.length),
    readCoding(join(directory, `${entry.key}.zst`), bytes.length),
  ]);
  const bodies = openBodies({ open: bytes.subarray(0, -1), stored: { gzip, zstd } });
  const size = bytes.length + (gzip?.length ?? bytes.length) + (zstd?.length ?? bytes.length);
  const value: CachedArtifact = { kind: 'object', object: { entry, bodies } };
  return { value, bytes: size };
}

async function loadBytes(directory: string, entry: ManifestEntry) {
  const bytes = codedBytes(await readVerified(directory, entry));
  const value: CachedArtifact = { kind: 'bytes', stored: { entry, bytes } };
  // room for the codings a client may ask for
  return { value, bytes: 3 * bytes.bytes.length };
}

async function loadRows(directory: string, entry: ManifestEntry, indexEntry: ManifestEntry) {
  const [bytes, indexBytes] = await Promise.all([
    readVerified(directory, entry),
    readVerified(directory, indexEntry),
  ]);
  const parsed = rowStoreIndex.safeParse(parseJson(indexBytes));
  if (!parsed.success) throw unavailable(indexEntry.key, 'it is not a row index');
  const index = parsed.data;
  const { offsets, columns, rows } = index;
  if (
    offsets.length !== rows + 1 ||
    offsets[0] !== 0 ||
    offsets[rows] !== bytes.length ||
    !ascending(offsets) ||
    Object.values(columns).some((column) => column.length !== rows)
  ) {
    throw unavailable(indexEntry.key, 'it does not fit its rows');
  }
  const rowsByCik = new Map<unknown, number>((columns['cik'] ?? []).map((cik, row) => [cik, row]));
  const value: CachedArtifact = {
    kind: 'rows',
    rows: { entry, indexEntry, index, bytes, rowOfCik: (cik) => rowsByCik.get(cik) ?? -1 },
  };
  return { value, bytes: bytes.length + 2 * indexBytes.length };
}

async function loadRead(directory: string, entry: ManifestEntry, reader: ArtifactReader<unknown>) {
  const bytes = await readVerified(directory, entry);
  const found = reader(parseJson(bytes));
  if ('fault' in found) throw unavailable(entry.key, found.fault);
  const value: CachedArtifact = { kind: 'read', value: found.value };
  return { value, bytes: 3 * bytes.length };
}

async function readVerified(directory: string, entry: ManifestEntry): Promise<Buffer> {
  const path = join(directory, entry.key);
  let bytes: Buffer;
  try {
    const { size } = await stat(path);
    // a file of another size cannot have the right hash, and is not worth reading
    if (size !== entry.bytes || size > maxArtifactBytes) throw unavailable(entry.key, 'its length is wrong');
    bytes = await readFile(path);
  } catch (cause) {
    if (cause instanceof IssuerError) throw cause;
    throw unreadable(entry.key, cause);
  }
  if (sha256Hex(bytes) !== entry.sha256)
    throw unavailable(entry.key, 'its hash is not the one in the manifest');
  return bytes;
}

async function readCoding(path: string, limit: number): Promise<Buffer | null> {
  try {
    const { size } = await stat(path);
    return size > 2 * limit + 1024 ? null : await readFile(path);
  } catch (cause) {
    // the coding may be there: an answer without it would be kept
    if (shortOfDescriptors(cause)) throw overloadedStore(cause);
    return null;
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
