import type { ReplicaFiles } from './replicaFiles.ts';

/** A replica that keeps nothing, for a look that may create nothing. */
export function noReplica(): ReplicaFiles {
  return {
    open: async () => {},
    read: async () => null,
    keep: async () => {},
    drop: async () => {},
    pin: () => {},
    has: () => false,
    bytes: 0,
    unkept: null,
  };
}
