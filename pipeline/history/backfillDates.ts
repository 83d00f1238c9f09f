import { addDays } from '../../calculators/exact/civilDate.ts';
import { usageError } from '../../data/contract/errors/usageError.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';

const maxDates = 20_000;

/**
 * The dates of a backfill, ascending.
 *
 * @param every `day`, `month-end`, or a list of dates separated by commas
 * @throws IssuerError `usage`
 */
export function backfillDates(input: { from: string; to: string; every: string }): string[] {
  for (const [flag, day] of [
    ['--from', input.from],
    ['--to', input.to],
  ] as const) {
    if (!isCivilDate(day))
      throw usageError(`${flag} ${day.slice(0, 40)} is not a day.`, 'Write it as YYYY-MM-DD.');
  }
  if (input.from > input.to) throw usageError('--from is later than --to.', 'Exchange the two days.');
  if (input.every === 'day') return days(input);
  if (input.every === 'month-end') return days(input).filter((day) => addDays(day, 1).endsWith('-01'));
  const listed = input.every.split(',').map((day) => day.trim());
  const bad = listed.find((day) => !isCivilDate(day));
  if (bad !== undefined) {
    throw usageError(
      `--every ${bad.slice(0, 40)} is not known.`,
      'Write day, month-end, or days separated by commas.',
    );
  }
  return [...new Set(listed)].filter((day) => input.from <= day && day <= input.to).sort();
}

function days({ from, to }: { from: string; to: string }): string[] {
  const all: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    all.push(day);
    if (all.length > maxDates) {
      throw usageError(
        `There are more than ${maxDates} days from ${from} to ${to}.`,
        'Backfill part by part.',
      );
    }
  }
  return all;
}
