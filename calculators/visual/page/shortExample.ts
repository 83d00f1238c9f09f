/** Entries of a list that an example shows. */
const shownEntries = 1;
const longestText = 160;

/** A JSON value with its lists cut to their first entry and its long texts to their beginning. */
export function shortExample(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > longestText ? `${[...value].slice(0, longestText).join('')}…` : value;
  if (Array.isArray(value)) return value.slice(0, shownEntries).map(shortExample);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortExample(inner)]));
}
