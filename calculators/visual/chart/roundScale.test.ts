import { expect, it } from 'vitest';
import { roundMarks, roundSpan } from './scales.ts';

it('spans values from one round number to another, no lower than 0.02', () => {
  expect(roundSpan([0.3, 1.7])).toEqual([0.2, 2]);
  expect(roundSpan([0.0004, 2])).toEqual([0.02, 2]);
  expect(roundSpan([0.5, 1_000])).toEqual([0.5, 1_000]);
});

it('writes round numbers as they are: none is a rounding of what stands there', () => {
  expect(roundMarks({ from: 0.05, to: 5 }).map(({ text }) => text)).toEqual([
    ...['0.05', '0.10', '0.20', '0.50', '1', '2', '5'],
  ]);
  for (const { value, text } of roundMarks({ from: 0.02, to: 2_000 }))
    expect(Number(text.replace(',', ''))).toBe(value);
});
