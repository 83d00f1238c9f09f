import type { AnyRowStore } from '../../data/contract/payloads/stored.ts';
import type { LastRun, ManifestEntry, WithdrawnSlice } from '../../data/contract/release/releaseFiles.ts';
import type { ListRows } from '../../data/store/bytes/listRows.ts';
import type { CodedBytes, OpenBodies } from '../body/openBodies.ts';
import type { IssuerIndex } from '../identity/resolveIssuer.ts';
import type { ArtifactFault } from './artifactFaults.ts';
import type { StoredRun } from './storedAudit.ts';

// where artifacts come from: a local directory, or object storage with a local replica

/** A stored JSON object, its hash checked against the manifest when it was loaded (I9.17). */
export type StoredObject = {
  readonly entry: ManifestEntry;
  readonly bodies: OpenBodies;
};

/** A stored artifact of another media type, its hash checked like that of an object. */
export type StoredBytes = {
  readonly entry: ManifestEntry;
  readonly bytes: CodedBytes;
};

/** A list of one slice, and the files it was read from: its rows, then what they do not say (I4.33). */
export type StoredRows<S extends AnyRowStore = AnyRowStore> = {
  readonly sources: readonly [ManifestEntry, ...ManifestEntry[]];
  readonly list: ListRows<S>;
};

/** Reads a stored JSON value whose form only its route knows: the value, or what is wrong with it. */
export type ArtifactReader<T> = (json: unknown) => { readonly value: T } | { readonly fault: string };

/** Where a range of a stored file lies, and what a verified index says of it. */
export type ShareProof = {
  readonly start: number;
  readonly end: number;
  readonly sha256: string;
  readonly lines: number;
};

/** A range of a stored file whose hash was checked once, read in parts (STORE ST10). */
export type StoredShare = {
  readonly entry: ManifestEntry;
  /** Ends of its lines, counted from its start. */
  readonly lineEnds: Uint32Array;
  /** Bytes from `start` to before `end`, counted from its start. @throws IssuerError `artifact_unavailable` */
  read(start: number, end: number): Promise<Buffer>;
};

/** One promoted release; everything is resolved inside it (I3.19). */
export type Release = {
  readonly name: string;
  readonly sourceDate: string;
  /** The `as_of` instant of the run (I1.21). */
  readonly generatedAt: string;
  readonly sliceStatus: 'complete' | 'partial';
  readonly keyId: string;
  readonly manifestSha256: string;
  readonly manifestBytes: Buffer;
  readonly artifactCount: number;
  /** True for a backfilled release: row stores and nothing else (I3.28, I4.36). */
  readonly rowStoresOnly: boolean;
  has(key: string): boolean;
  /** null when the manifest does not list the key. @throws IssuerError `artifact_unavailable` */
  object(key: string): Promise<StoredObject | null>;
  /** The same for an artifact that is no JSON object. */
  bytes(key: string): Promise<StoredBytes | null>;
  /** null when the manifest does not list the key. @throws IssuerError `artifact_unavailable` */
  rows<S extends AnyRowStore>(store: S, key: string): Promise<StoredRows<S> | null>;
  /** null when the manifest does not list the key. @throws IssuerError `artifact_unavailable` */
  share(key: string, proof: ShareProof): Promise<StoredShare | null>;
  /** A stored JSON value, read once; null when the manifest does not list the key. @throws as `object` */
  read<T>(
    key: string,
    reader: ArtifactReader<T>,
  ): Promise<{ readonly entry: ManifestEntry; readonly value: T } | null>;
  /** Issuers by label, from the companies store. @throws IssuerError `artifact_unavailable` */
  issuers(): Promise<IssuerIndex>;
};

/** The pointers as one request sees them: read once, used for the whole answer (I3.19). */
export type Snapshot = {
  /** null while nothing is promoted. */
  readonly currentName: string | null;
  /** Every source_date of `slices.json`, ascending. */
  readonly dates: readonly string[];
  /** Dates that answer no more, ascending (I3.28). */
  readonly withdrawn: readonly WithdrawnSlice[];
  /** @throws IssuerError `artifact_unavailable` when the manifest cannot be trusted. */
  current(): Promise<Release | null>;
  /** Promoted release of a source_date; null when there is none. @throws IssuerError `artifact_unavailable` */
  ofDate(sourceDate: string): Promise<Release | null>;
  /** Promoted release of this name; null when no pointer names it. @throws IssuerError `artifact_unavailable` */
  named(release: string): Promise<Release | null>;
  /** A build on the disk, promoted still or once; null when it is deleted or cannot be trusted (P8.30). */
  retained(release: string): Promise<Release | null>;
};

export type ArtifactStore = {
  /**
   * The pointers; the same object until a promotion.
   *
   * @throws IssuerError `artifact_unavailable` when the pointers cannot be read.
   */
  snapshot(): Promise<Snapshot>;
  /** How the last night ended; null when there was none or the file says nothing readable. */
  lastRun(): Promise<LastRun | null>;
  /** The newest run of the audit (I3.22); null when there is none. @throws IssuerError `artifact_unavailable` */
  audit(): Promise<StoredRun | null>;
  /** What a night listed of its slice to look at first, as it lies there (M13.11); null when it left no list. */
  figures(sourceDate: string): Promise<Buffer | null>;
  /** Files of a release that were asked for and cannot be served. */
  faults(release: string): Promise<readonly ArtifactFault[]>;
  /** How the store behind the network does; null for a directory. */
  remote(): RemoteState | null;
};

/** A store behind the network and the replica before it (STORE ST15). */
export type RemoteState = {
  /** Since when it does not answer, and why; null while it answers. */
  readonly away: { readonly sinceMs: number; readonly why: string } | null;
  /** Why a promoted release is not taken up; null when none waits. */
  readonly behind: string | null;
  /** Why the replica keeps nothing; null while it does. */
  readonly unkept: string | null;
  readonly replicaBytes: number;
  /** Reads since the start: from the replica, fetched, failed. */
  readonly reads: { readonly kept: number; readonly fetched: number; readonly failed: number };
};
