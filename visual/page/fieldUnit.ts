// units stand in the names of members (I1.8, STYLE of the contract); what has none is a count, a name or a ratio
const units: readonly (readonly [RegExp, string])[] = [
  [/micro_usd$/, 'micro-USD'],
  [/_usd$/, 'USD'],
  [/(_pct|percentage|percentile)$/, '%'],
  [/_bps$/, 'bp'],
  [/_ms$/, 'ms'],
  [/_seconds$/, 's'],
  [/_minutes$/, 'min'],
  [/_hours$/, 'h'],
  [/_days$/, 'd'],
  [/_utc$|_at$/, 'UTC'],
];

/** The unit that the name of a member states; null where it states none. */
export function fieldUnit(path: string): string | null {
  const name = path.replace(/(\[\]|\.\*)+$/, '');
  return units.find(([ending]) => ending.test(name))?.[1] ?? null;
}
