import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { promotedSlices, type Withdrawal, withdrawalsOf } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { OwnStore, ReleasePaths } from '../dataLayout.ts';
import { newestNight, readCurrent, readSliceIndex, releaseParts } from './releaseStore.ts';

/** A withdrawal, what `current` names before and after it, and what that leaves behind. */
export type WithdrawalPlan = {
  readonly sourceDate: string;
  readonly withdrawal: Withdrawal;
  readonly currentBefore: string | null;
  /** Null when no other slice can be current: nothing is served until the next night. */
  readonly currentAfter: string | null;
  /** Promoted dates after the new current one: they were published beside it and hold row stores only. */
  readonly laterDates: readonly string[];
  /** True when the date is withdrawn already and only what follows from it is to be done. */
  readonly done: boolean;
};

/**
 * Decides what the withdrawal of a date does, without doing it (I3.28).
 *
 * @throws IssuerError `input_missing` when nothing answers for the date, `usage` without a reason.
 */
export async function planWithdrawal({
  paths,
  sourceDate,
  reason,
  now,
}: {
  paths: ReleasePaths;
  sourceDate: string;
  reason: string;
  now: Date;
}): Promise<WithdrawalPlan> {
  const words = reason.trim().replaceAll(/\s+/g, ' ');
  if (words === '' || words.length > 500 || /\p{Cc}/u.test(words)) {
    throw new IssuerError({
      code: 'usage',
      message: 'A withdrawal needs a reason of one to 500 characters.',
      hint: 'Readers see it: issuer release withdraw 2025-11-19 --reason "closes of another day".',
    });
  }
  const index = await readSliceIndex(paths);
  const slices = promotedSlices(index);
  const currentBefore = await readCurrent(paths);
  const last = withdrawalsOf(index, sourceDate).at(-1);
  const release = slices[sourceDate];
  if (release === undefined && last === undefined) {
    throw new IssuerError({
      code: 'input_missing',
      message: `No release of ${sourceDate.slice(0, 40)} has been promoted.`,
      hint: 'See which dates there are with `issuer release list`.',
    });
  }
  const withdrawal =
    release === undefined && last !== undefined
      ? last
      : { release: release ?? '', withdrawn_at_utc: instant(now.getTime()), reason: words };
  const remaining = Object.entries(slices)
    .filter(([date]) => date !== sourceDate)
    .sort(([a], [b]) => compareText(a, b))
    .map(([, name]) => ({ release: name }));
  const isCurrent = currentBefore === null || releaseParts(currentBefore).sourceDate === sourceDate;
  const currentAfter = isCurrent ? ((await newestNight(paths, remaining))?.release ?? null) : currentBefore;
  return {
    sourceDate,
    withdrawal,
    currentBefore,
    currentAfter,
    laterDates: remaining
      .map((slice) => releaseParts(slice.release).sourceDate)
      .filter((date) => currentAfter !== null && date > releaseParts(currentAfter).sourceDate),
    done: release === undefined,
  };
}

/**
 * Withdraws a date: the pointer first, then the index, each one atomic rename. Between the two `current` is an older
 * whole slice and the date still answers; never does `current` name a date that was withdrawn. Bytes stay.
 */
export async function withdrawSlice({
  paths,
  plan,
  files,
}: OwnStore & { plan: WithdrawalPlan }): Promise<void> {
  const { sourceDate, withdrawal, currentAfter, currentBefore } = plan;
  if (currentAfter === null) await files.remove(paths.current);
  else if (currentAfter !== currentBefore)
    await replaceFile({ files, path: paths.current, bytes: `${currentAfter}\n` });
  if (plan.done) return;
  const index = await readSliceIndex(paths);
  const entry = { release: null, withdrawals: [...withdrawalsOf(index, sourceDate), withdrawal] };
  await replaceFile({ files, path: paths.slices, bytes: canonicalJson({ ...index, [sourceDate]: entry }) });
}
