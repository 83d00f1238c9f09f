import { expect, it } from 'vitest';
import { lowestAndHighest } from './runsOf.ts';

const days = [3, 1, 4, 1, 4].map((close, day) => ({ day, close }));

it('names the first day of the lowest and of the highest close, and none where there is no close', () => {
  expect(lowestAndHighest(days, ({ close }) => close)).toEqual({
    lowest: { day: 1, close: 1 },
    highest: { day: 2, close: 4 },
  });
  expect(lowestAndHighest([], () => 0)).toBeNull();
});
