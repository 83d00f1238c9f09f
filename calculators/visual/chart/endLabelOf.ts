import type { EndLabel } from './endLabels.ts';

/** What stands beside a line's end, and the value at which it stands. */
export type LineEnd = Omit<EndLabel, 'y'> & { readonly at: number };

/**
 * The last value of a line with its name, none for a line without values. Where the newest slice has no value, the name
 * says of which day the last one is, and it is not the main one: what stands beside the end is read as of the end (V39).
 */
export function endLabelOf(
  days: readonly { readonly date: string; readonly value: number | null }[],
  { name, isMain, text }: { name: string; isMain: boolean; text: (value: number) => string },
): LineEnd[] {
  const last = days.findLast(({ value }) => value !== null);
  if (last === undefined || last.value === null) return [];
  const isNewest = last === days.at(-1);
  return [
    {
      at: last.value,
      value: text(last.value),
      name: isNewest ? name : `${name} ${last.date}`,
      isMain: isMain && isNewest,
    },
  ];
}
