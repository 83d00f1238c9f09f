// units stand in the names of members (I1.8, STYLE of the contract) and, for amounts, in what the contract says they mean
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

/** A member as the field contract describes it. */
export type DescribedField = { readonly path: string; readonly type: string; readonly description: string };

/** The unit of a member: by its name, or of a number by its meaning; null where neither states one. */
export function fieldUnit({ path, type, description }: DescribedField): string | null {
  const name = path.replace(/(\[\]|\.\*)+$/, '');
  const named = units.find(([ending]) => ending.test(name))?.[1];
  if (named !== undefined) return named;
  if (!/^(?:number|integer)$/.test(type)) return null;
  if (/^USD per coin\b/.test(description)) return 'USD a coin';
  return /(?:, |\bin )USD\b/.test(description) ? 'USD' : null;
}
