/** The lowest and the highest of values; of many thousands too, which are too many arguments. */
export function endsOf(values: readonly number[]): { readonly low: number; readonly high: number } | null {
  const [first] = values;
  if (first === undefined) return null;
  return values.reduce(
    ({ low, high }, value) => ({ low: Math.min(low, value), high: Math.max(high, value) }),
    { low: first, high: first },
  );
}
