import { openStore } from '../../data/store/openStore.ts';
import type { StoreReads } from '../../data/store/storeReads.ts';
import type { StoreConfig } from '../config/storeConfig.ts';
import type { ArtifactFault } from './artifactFaults.ts';
import type { ArtifactStore } from './artifactStore.ts';
import { directoryStore } from './directoryStore.ts';
import { noReplica } from './noReplica.ts';
import type { TellStore } from './remoteHealth.ts';
import { remoteStore } from './remoteStore.ts';
import { replicaFiles } from './replicaFiles.ts';
import type { JudgeKey } from './verifySigned.ts';

/** The artifacts of a server, and what keeps them new. */
export type OpenArtifacts = {
  readonly store: ArtifactStore;
  /** Resolves when a first look was taken; a store that does not answer is no failure. */
  start(): Promise<void>;
  stop(): void;
};

/** An answer waits for a cold object, so a server gives up sooner than a publication. */
const patience = {
  attempts: 2,
  connectMs: 2_000,
  callMs: 3_500,
  slowestBytesPerSecond: 2 * 1024 * 1024,
  waitMs: 200,
  longestWaitMs: 1_000,
};

/**
 * Opens the artifacts of a configuration: a directory, or a bucket with a replica before it.
 *
 * @param keeps whether what is read of a bucket is kept
 * @param remote stands for the bucket where it is given
 */
export function openArtifacts({
  config,
  cacheBytes,
  recheckMs,
  time,
  trusts,
  tell,
  onFault,
  keeps = true,
  remote,
}: {
  config: StoreConfig;
  cacheBytes: number;
  /** How late a promotion in a directory may be seen. */
  recheckMs: number;
  time: { nowMs(): number; after(ms: number, task: () => void): () => void };
  trusts: JudgeKey;
  tell: TellStore;
  onFault?(fault: ArtifactFault): void;
  keeps?: boolean;
  remote?: StoreReads | undefined;
}): OpenArtifacts {
  const nowMs = (): number => time.nowMs();
  const faults = onFault === undefined ? {} : { onFault };
  if (config.kind === 'directory') {
    const { root } = config;
    const store = directoryStore({ root, cacheBytes, recheckMs, nowMs, trusts, ...faults });
    return { store, start: async () => {}, stop: () => {} };
  }
  const { address, environment, replicaRoot, replicaBytes } = config;
  const files = replicaFiles({
    root: replicaRoot,
    maxBytes: replicaBytes,
    nowMs,
    onUnkept(why) {
      if (why === null) tell({ level: 'info', event: 'replica_kept', fields: {} });
      else tell({ level: 'warn', event: 'replica_not_kept', fields: { why } });
    },
  });
  const store = remoteStore({
    remote: remote ?? openStore({ address, environment, patience }),
    files: keeps ? files : noReplica(),
    cacheBytes,
    time,
    random: Math.random,
    trusts,
    tell,
    ...faults,
  });
  return { store, start: store.start, stop: store.stop };
}
