import { countText, ratioText } from './figures.ts';

/** Round numbers of a logarithmic axis: 1, 2 and 5 times powers of ten, as they print. */
const steps = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000] as const;

/** The narrowest axis from one round number to another around positive values; smaller ones stand at its lower end. */
export function roundSpan(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return [
    steps.findLast((step) => step <= low) ?? steps[0],
    steps.find((step) => step >= high) ?? steps[steps.length - 1] ?? high,
  ];
}

/** The round numbers of an axis with their texts, ascending. */
export function roundMarks({ from, to }: { from: number; to: number }): { value: number; text: string }[] {
  return steps
    .filter((value) => value >= from && value <= to)
    .map((value) => ({ value, text: value < 1 ? ratioText(value) : countText(value) }));
}
