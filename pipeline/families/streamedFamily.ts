import type { AnyStored } from '../../data/contract/payloads/stored.ts';
import type { StreamedRequest } from '../history/streamHistory.ts';
import type { PutFile } from '../release/draftRelease.ts';

/** Artifacts too long to hold together: made from promoted slices and the one at hand, one file after another. */
export type StreamedFamily = {
  readonly id: string;
  /** All of the same kind of release. */
  readonly stored: readonly AnyStored[];
  /** @throws IssuerError `validation_failed` when an earlier build is damaged. */
  readonly write: (request: StreamedRequest, put: PutFile) => Promise<void>;
};
