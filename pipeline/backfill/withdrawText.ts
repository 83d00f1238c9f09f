import type { Withdrawn } from './runWithdraw.ts';

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
