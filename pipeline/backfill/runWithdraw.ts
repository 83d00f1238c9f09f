import { existsSync } from 'node:fs';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import { forgetNight } from '../changes/storedNight.ts';
import type { DataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import { withNightlyLock } from '../nightly/nightlyLock.ts';
import { type Journal, openJournal } from '../nightly/plan/journal.ts';
import { readSlices, releaseParts } from '../release/releaseStore.ts';
import { planWithdrawal, type WithdrawalPlan, withdrawSlice } from '../release/withdrawRelease.ts';
import { openBuild } from '../warehouse/build/warehouseBuild.ts';
import { type RebuiltCurrent, rebuildCurrent } from './rebuildCurrent.ts';

type WithdrawOptions = {
  readonly layout: DataLayout;
  readonly sourceDate: string;
  readonly reason: string;
  readonly dryRun: boolean;
  readonly code: string;
  readonly signal: AbortSignal;
};

type Withdrawn = {
  readonly plan: WithdrawalPlan;
  /** The current release, built again where its histories held the date; null in a dry run or where they did not. */
  readonly rebuilt: RebuiltCurrent | null;
};

/**
 * `issuer release withdraw`: takes a slice that should not exist out of every answer, under the nightly lock (I3.28).
 * Pointer and index first, so that readers are right at once; then the warehouse, then the histories of a newer current
 * release. Killed anywhere, the same command goes on.
 */
export async function runWithdraw(options: WithdrawOptions, effects: StoreEffects): Promise<Withdrawn> {
  const { layout, sourceDate } = options;
  if (!isCivilDate(sourceDate)) {
    throw new IssuerError({
      code: 'usage',
      message: `${sourceDate.slice(0, 40)} is not a day.`,
      hint: 'Name the source date of the slice, YYYY-MM-DD; every build of it goes.',
    });
  }
  const paths = layout.artifacts;
  const planned = () => planWithdrawal({ ...options, paths, now: effects.clock.now() });
  if (options.dryRun) return { plan: await planned(), rebuilt: null };
  return withNightlyLock({ path: layout.lock, effects }, async () => {
    const plan = await planned();
    await withdrawSlice({ paths, plan, files: effects.files });
    await forgetInWarehouse({ layout, sourceDate, effects });
    const isHeld = plan.currentAfter !== null && releaseParts(plan.currentAfter).sourceDate > sourceDate;
    return { plan, rebuilt: isHeld ? await rebuildCurrent(options, effects) : null };
  });
}

async function forgetInWarehouse({
  layout,
  sourceDate,
  effects,
}: {
  layout: DataLayout;
  sourceDate: string;
  effects: StoreEffects;
}): Promise<void> {
  if (!existsSync(layout.database)) return;
  const journal = openJournal({ root: layout.journal, files: effects.files });
  const entry = await journal.warehouse();
  const build = await openBuild({
    warehouseRoot: layout.warehouse,
    buildId: `withdraw-${effects.clock.now().getTime()}-${process.pid}`,
    effects,
  });
  // a warehouse that cannot be carried on is built again by the next night, from promoted slices
  if (build.start !== 'carried' || entry === null) return build.discard();
  const published = Object.keys(await readSlices(layout.artifacts)).sort();
  try {
    await forgetNight(build.connection, { sourceDate, published });
  } catch (error) {
    await build.discard();
    throw error;
  }
  await journal.forgetWarehouse();
  await build.finish();
  await journal.writeWarehouse({ ...entry, build: build.id, scanned: scannedBefore(entry, published) });
}

/** The night the inputs count as read for: never a date that was withdrawn. */
function scannedBefore(
  { scanned }: NonNullable<Awaited<ReturnType<Journal['warehouse']>>>,
  published: readonly string[],
): string {
  return published.includes(scanned)
    ? scanned
    : (published.findLast((date) => date < scanned) ?? '0001-01-01');
}

/** What a withdrawal did, or would do, for the operator. */
export function withdrawnText(
  { plan, rebuilt }: Withdrawn,
  { dryRun }: { readonly dryRun: boolean },
): string {
  const { sourceDate, withdrawal, currentBefore, currentAfter, laterDates } = plan;
  const moved =
    currentAfter === null
      ? 'nothing is current: the server is not ready until the next night'
      : currentAfter === currentBefore
        ? `current stays ${currentAfter}`
        : `current is ${currentAfter}, before it was ${currentBefore ?? 'none'}`;
  const last = laterDates.at(-1);
  const lines = [
    `${dryRun ? 'Would withdraw' : plan.done ? 'Was withdrawn already:' : 'Withdrew'} ${sourceDate} (${withdrawal.release}): ${withdrawal.reason}`,
    `  ${moved}`,
    '  requests for that date answer 404 with this reason; the bytes and the manifest stay',
    ...(last === undefined
      ? []
      : [
          `  ${laterDates.length} later slices hold row stores only: issuer nightly --date ${last} makes the newest whole`,
        ]),
    ...(rebuilt === null
      ? []
      : [
          rebuilt.left === null
            ? `  ${rebuilt.release} is built again without it in its histories`
            : `  histories of ${rebuilt.release} still hold it: ${rebuilt.left}`,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** The same for a program. */
export function withdrawnJson({ plan, rebuilt }: Withdrawn) {
  return {
    source_date: plan.sourceDate,
    ...plan.withdrawal,
    current_before: plan.currentBefore,
    current: rebuilt?.release ?? plan.currentAfter,
    later_dates: plan.laterDates,
    already_withdrawn: plan.done,
    histories_left: rebuilt?.left ?? null,
  };
}
