/** True when every number is greater than the one before it, as offsets and positions are. */
export function ascending(numbers: readonly number[]): boolean {
  return numbers.every((at, i) => i === 0 || at > (numbers[i - 1] ?? 0));
}
