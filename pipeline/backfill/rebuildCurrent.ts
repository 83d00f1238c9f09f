import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { DataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import { openJournal } from '../nightly/plan/journal.ts';
import { runNight } from '../nightly/runNight.ts';
import { readCurrent, releaseParts } from '../release/releaseStore.ts';
import { recordedNights } from '../source/nightSource.ts';

/** What became of the current release after a backfill. */
export type RebuiltCurrent = {
  readonly release: string | null;
  /** Why it was left as it is; null when it was built again or holds everything. */
  readonly left: string | null;
};

/**
 * Builds the slice of the current release again over its own inputs and instant, so that its histories hold what was
 * backfilled. Where that is not possible the release stays, and the next night's takes the dates in.
 */
export async function rebuildCurrent(
  { layout, code, signal }: { layout: DataLayout; code: string; signal: AbortSignal },
  effects: StoreEffects,
): Promise<RebuiltCurrent> {
  const release = await readCurrent(layout.artifacts);
  if (release === null) return { release: null, left: 'there is none' };
  const { sourceDate } = releaseParts(release);
  const entry = await openJournal({ root: layout.journal, files: effects.files }).night(sourceDate);
  const left = (why: string) => ({
    release,
    left: `${why}; the next night's histories are made of the slices that answer then`,
  });
  if (entry === null || entry.release !== release) return left('the journal does not say how it was made');
  const source = recordedNights(entry);
  if (source === null) return left('its inputs are gone');
  try {
    const outcome = await runNight(
      {
        source,
        layout,
        code,
        signal,
        force: false,
        dryRun: false,
        night: { sourceDate, asOf: entry.as_of, note: null },
        steps: new Set(['compute', 'publish'] as const),
      },
      effects,
    );
    return { release: outcome.release, left: null };
  } catch (error) {
    if (!(error instanceof IssuerError) || error.code !== 'input_missing') throw error;
    return left('the warehouse was filled from other inputs, or by another version of the program');
  }
}
