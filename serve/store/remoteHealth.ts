import type { RemoteState } from './artifactStore.ts';

/** Reports what the operator should know of a remote store. */
export type TellStore = (line: {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly fields: Readonly<Record<string, string | number | null>>;
}) => void;

/** Whether a remote store answers and whether its newest release is taken up; each change is reported once. */
export type RemoteHealth = Pick<RemoteState, 'away' | 'behind'> & {
  setAway(error: Error): void;
  setBack(): void;
  setBehind(why: string | null): void;
};

/**
 * @param serving name of the release that answers; null when none does
 * @param onBack called when the store answers again
 */
export function remoteHealth({
  tell,
  nowMs,
  serving,
  onBack,
}: {
  tell: TellStore;
  nowMs(): number;
  serving(): string | null;
  onBack(): void;
}): RemoteHealth {
  let away: RemoteState['away'] = null;
  let behind: string | null = null;
  return {
    get away() {
      return away;
    },
    get behind() {
      return behind;
    },
    setAway({ message: why }) {
      if (away !== null) return;
      away = { sinceMs: nowMs(), why };
      tell({ level: 'warn', event: 'store_away', fields: { why, serving: serving() } });
    },
    setBack() {
      if (away === null) return;
      const seconds = Math.round((nowMs() - away.sinceMs) / 1000);
      away = null;
      onBack();
      tell({ level: 'info', event: 'store_back', fields: { seconds } });
    },
    setBehind(why) {
      if (why !== null && why !== behind)
        tell({ level: 'error', event: 'release_not_taken', fields: { why, serving: serving() } });
      behind = why;
    },
  };
}

/** What of a remote store needs the operator, a sentence each; none for a directory and while all is well. */
export function remoteSentences(state: RemoteState | null): readonly string[] {
  if (state === null) return [];
  const { away, behind, unkept } = state;
  return [
    ...(away === null
      ? []
      : [
          `The object store does not answer since ${new Date(away.sinceMs).toISOString()}; what is kept here is served, the rest is 503.`,
        ]),
    ...(behind === null
      ? []
      : [`A promoted release is not taken up, the one before it is served: ${behind}.`]),
    ...(unkept === null ? [] : [`The local replica keeps nothing more: ${unkept}.`]),
  ];
}
