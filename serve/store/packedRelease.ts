import { type AnyRowStore, aboutKeyOf } from '../../data/contract/payloads/stored.ts';
import { companyRows } from '../../data/contract/payloads/universe/companies.ts';
import {
  type ArtifactManifest,
  isBackfilled,
  type ManifestEntry,
} from '../../data/contract/release/releaseFiles.ts';
import { type ListRows, readListRows } from '../../data/store/bytes/listRows.ts';
import type { ObjectRange, ObjectReader, StoredObjectBytes } from '../../data/store/objectReader.ts';
import { type CodedBytes, codedBytes, type OpenBodies, openBodies, sha256Hex } from '../body/openBodies.ts';
import { type IssuerIndex, issuerIndex } from '../identity/resolveIssuer.ts';
import { type ArtifactFaults, unavailable, unservable } from './artifactFaults.ts';
import type { ArtifactReader, Release, ShareProof, StoredRows } from './artifactStore.ts';
import type { ByteCache } from './byteCache.ts';
import { parsedJson } from './verifySigned.ts';

/** What the hot cache holds, by the hash of the bytes it was made from: a new release finds what it shares still hot. */
export type CachedArtifact =
  | { readonly kind: 'object'; readonly bodies: OpenBodies }
  | { readonly kind: 'bytes'; readonly bytes: CodedBytes }
  | { readonly kind: 'rows'; readonly list: ListRows }
  | { readonly kind: 'read'; readonly value: unknown }
  | CachedShare;

/** What the releases of one store share. */
export type ReleaseCaches = {
  readonly cache: ByteCache<CachedArtifact>;
  readonly loading: Map<string, Promise<CachedArtifact>>;
  readonly faults: ArtifactFaults;
  /** Whether bytes are proved each time they are read: what lies behind a network may be other bytes the next time. */
  readonly reproves: boolean;
  /** Called with what was loaded into the cache under `at`. */
  onLoad?(at: string, loaded: LoadedArtifact): void;
};

/** An artifact that was loaded, and how the same is loaded of another release. */
export type LoadedArtifact = {
  readonly key: string;
  readonly sourceDate: string;
  load(release: Release, key: string): Promise<unknown>;
};

/** The largest artifact that is loaded; answers end at 8 MiB (I8.5), row stores may be larger. */
const maxArtifactBytes = 256 * 1024 * 1024;

/** One release with a verified manifest; artifacts are loaded and checked on first use (I9.17). */
export function packedRelease({
  manifest,
  manifestBytes,
  objects,
  cache,
  loading,
  faults,
  reproves,
  onLoad,
}: ReleaseCaches & {
  manifest: ArtifactManifest;
  manifestBytes: Buffer;
  objects: ObjectReader;
}): Release {
  const entries = new Map(manifest.artifacts.map((entry) => [entry.key, entry]));
  async function cached(
    { key, at, again }: { key: string; at: string; again?: LoadedArtifact['load'] },
    load: () => Promise<{ value: CachedArtifact; bytes: number }>,
  ) {
    const hot = cache.get(at);
    if (hot !== undefined) return hot;
    const running = loading.get(at);
    if (running !== undefined) return running;
    const started = faults.watch({ release: manifest.version, key, at }, load).then(({ value, bytes }) => {
      cache.set(at, value, bytes);
      if (again !== undefined) onLoad?.(at, { key, sourceDate: manifest.source_date, load: again });
      return value;
    });
    loading.set(at, started);
    try {
      return await started;
    } finally {
      loading.delete(at);
    }
  }
  async function rows<S extends AnyRowStore>(store: S, key: string): Promise<StoredRows<S> | null> {
    const entry = entries.get(key);
    if (entry === undefined) return null;
    const about = store.hasAbout ? entries.get(aboutKeyOf(key)) : null;
    if (about === undefined) throw unavailable(aboutKeyOf(key), 'the release does not list it');
    // two lists without a row are the same bytes
    const at = `rows ${key.split('/')[0]} ${entry.sha256} ${about?.sha256}`;
    const found = await cached({ key, at, again: (other, name) => other.rows(store, name) }, () =>
      loadRows(objects, { store, entry, about }),
    );
    if (found.kind !== 'rows') return null;
    return { sources: about === null ? [entry] : [entry, about], list: found.list as ListRows<S> };
  }
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
      const found = await cached(
        { key, at: `object ${entry.sha256}`, again: (other, name) => other.object(name) },
        () => loadObject(objects, entry),
      );
      return found.kind === 'object' ? { entry, bodies: found.bodies } : null;
    },
    async bytes(key) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      const found = await cached(
        { key, at: `bytes ${entry.sha256}`, again: (other, name) => other.bytes(name) },
        () => loadBytes(objects, entry),
      );
      return found.kind === 'bytes' ? { entry, bytes: found.bytes } : null;
    },
    rows,
    async share(key, proof) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      const at = `share ${entry.sha256} ${proof.start}`;
      const found = await cached({ key, at }, () => loadShare(objects, entry, proof));
      if (found.kind !== 'share') return null;
      const { lineEnds, held } = found;
      return {
        entry,
        lineEnds,
        async read(start, end) {
          if (held !== null) return held.subarray(start, end);
          if (reproves) return (await readRange(objects, entry, proof)).subarray(start, end);
          return readRange(objects, entry, { start: proof.start + start, end: proof.start + end });
        },
      };
    },
    async read<T>(key: string, reader: ArtifactReader<T>) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      // one key has one reader
      const at = `read ${entry.sha256} ${key}`;
      const found = await cached({ key, at, again: (other, name) => other.read(name, reader) }, () =>
        loadRead(objects, entry, reader),
      );
      return found.kind === 'read' ? { entry, value: found.value as T } : null;
    },
    async issuers() {
      if (issuers !== null) return issuers;
      const key = companyRows.key({ slice: manifest.source_date });
      const stored = await rows(companyRows, key);
      if (stored === null) throw unavailable(key, 'the release does not list it');
      issuers = issuersOf(stored.list);
      return issuers;
    },
  };
}

async function loadObject(objects: ObjectReader, entry: ManifestEntry) {
  const { payload: bytes, gzip, zstd } = await readVerified(objects, entry);
  if (bytes.at(-1) !== 0x7d) throw unavailable(entry.key, 'it is not a JSON object');
  const bodies = openBodies({ open: bytes.subarray(0, -1), stored: { gzip, zstd } });
  const size = bytes.length + (gzip?.length ?? bytes.length) + (zstd?.length ?? bytes.length);
  const value: CachedArtifact = { kind: 'object', bodies };
  return { value, bytes: size };
}

async function loadBytes(objects: ObjectReader, entry: ManifestEntry) {
  const bytes = codedBytes((await readVerified(objects, entry)).payload);
  const value: CachedArtifact = { kind: 'bytes', bytes };
  // room for the codings a client may ask for
  return { value, bytes: 3 * bytes.bytes.length };
}

async function loadRows(
  objects: ObjectReader,
  { store, entry, about }: { store: AnyRowStore; entry: ManifestEntry; about: ManifestEntry | null },
) {
  const [rows, beside] = await Promise.all([
    readVerified(objects, entry),
    about === null ? null : readVerified(objects, about),
  ]);
  const bytes = rows.payload;
  const list = readListRows(store, { bytes, about: beside?.payload ?? null });
  if ('fault' in list) throw unavailable(entry.key, list.fault);
  const value: CachedArtifact = { kind: 'rows', list: list.value };
  // room for what the columns will say of the rows
  return { value, bytes: 2 * (bytes.length + (beside?.payload.length ?? 0)) };
}

async function loadRead(objects: ObjectReader, entry: ManifestEntry, reader: ArtifactReader<unknown>) {
  const { payload: bytes } = await readVerified(objects, entry);
  const found = reader(parsedJson(bytes));
  if ('fault' in found) throw unavailable(entry.key, found.fault);
  const value: CachedArtifact = { kind: 'read', value: found.value };
  return { value, bytes: 3 * bytes.length };
}

async function readVerified(objects: ObjectReader, entry: ManifestEntry): Promise<StoredObjectBytes> {
  if (entry.bytes > maxArtifactBytes) throw unavailable(entry.key, 'it is too large');
  try {
    return await objects.read(entry);
  } catch (cause) {
    throw unservable(entry.key, cause);
  }
}

/** Issuer look-up of a release, from its list of companies (I1.14–I1.18). */
function issuersOf(list: ListRows<typeof companyRows>): IssuerIndex {
  const [tickers, names, aliases] = [list.column('ticker'), list.column('name'), list.column('aliases')];
  return issuerIndex(
    list.column('cik').map((cik, row) => ({
      cik: String(cik),
      ticker: (tickers[row] ?? null) as string | null,
      name: String(names[row]),
      aliases: (aliases[row] ?? []) as readonly string[],
    })),
  );
}

/** What is cached of a share that was proved. */
export type CachedShare = {
  readonly kind: 'share';
  readonly lineEnds: Uint32Array;
  /** Its bytes; null where it is too long to be cached for the few rows that are asked of it. */
  readonly held: Buffer | null;
};

const heldBytes = 64 * 1024;

/**
 * Reads a range of an artifact and checks its hash. It is not checked again while this is cached: what a pack holds is
 * never written to (STORE ST2).
 */
export async function loadShare(
  objects: ObjectReader,
  entry: ManifestEntry,
  proof: ShareProof,
): Promise<{ value: CachedShare; bytes: number }> {
  const bytes = await readRange(objects, entry, proof);
  const lineEnds = endsOfLines(bytes, proof.lines);
  if (lineEnds === null) throw unavailable(entry.key, 'its rows do not fit its index');
  const held = bytes.length <= heldBytes ? bytes : null;
  return { value: { kind: 'share', lineEnds, held }, bytes: lineEnds.byteLength + (held?.length ?? 0) };
}

/** Where each line ends, and with the last of them the bytes; null where these are not so many lines. */
function endsOfLines(bytes: Buffer, lines: number): Uint32Array | null {
  const ends = new Uint32Array(lines);
  let end = 0;
  for (let line = 0; line < lines; line += 1) {
    end = bytes.indexOf(10, end) + 1;
    if (end === 0) return null;
    ends[line] = end;
  }
  return end === bytes.length ? ends : null;
}

/** A range of an artifact, proved where its hash is known. @throws IssuerError `artifact_unavailable` */
export async function readRange(
  objects: ObjectReader,
  entry: ManifestEntry,
  range: ObjectRange,
): Promise<Buffer> {
  try {
    return await objects.range(entry, range);
  } catch (cause) {
    throw unservable(entry.key, cause);
  }
}
