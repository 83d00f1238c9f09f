import { hash } from 'node:crypto';
import { opaqueMediaTypes } from '../../data/contract/payloads/stored.ts';

/** Objects and indexes, row stores, and what is sent as it is. */
export const mediaTypes = ['application/json', 'application/x-ndjson', ...opaqueMediaTypes] as const;
export type MediaType = (typeof mediaTypes)[number];

/** One file of a release before it is written: its key is its path (I4.33). */
export type Artifact = {
  readonly key: string;
  readonly mediaType: MediaType;
  readonly bytes: Uint8Array;
  /** True for a single JSON object that is also stored as open gzip and zstd bodies. */
  readonly coded: boolean;
};

/** One that an earlier night made: its bytes are read only where no release holds them. */
export type StandingArtifact = {
  readonly key: string;
  readonly mediaType: MediaType;
  readonly standing: {
    readonly sha256: string;
    readonly bytes: number;
    readonly read: () => Promise<Uint8Array>;
  };
};

export type ReleaseArtifact = Artifact | StandingArtifact;

export async function artifactBytes(artifact: ReleaseArtifact): Promise<Uint8Array> {
  return 'standing' in artifact ? artifact.standing.read() : artifact.bytes;
}

/** Lower-case hex SHA-256. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex');
}

/** `<source_date>+<first 12 hex of sha256>` (I9.15). */
export function artifactVersion(sourceDate: string, sha256: string): string {
  return `${sourceDate}+${sha256.slice(0, 12)}`;
}
