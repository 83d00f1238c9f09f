import { expect, it } from 'vitest';
import { withMissingPeriods } from './drawChart.ts';

const placesOf = (...ends: readonly string[]) =>
  withMissingPeriods(ends.map((period) => ({ period, debt: 1, coins: 2 }))).map(({ period, debt }) =>
    debt === null ? `(${period})` : period,
  );

it.each([
  ['a missing quarter', ['2024-09-30', '2024-12-31', '2025-06-30'], '(2025-03)'],
  ['three of them', ['2023-10-01', '2023-12-31', '2024-12-31'], '(2024-03) (2024-06) (2024-09)'],
  ['none of quarters that end on other days', ['2025-01-26', '2025-04-27', '2025-07-27'], ''],
  ['none of an annual report', ['2022-12-31', '2023-12-31', '2024-12-31'], ''],
  ['none of one period', ['2024-12-31'], ''],
  ['none of two in a month', ['2024-12-28', '2024-12-31', '2025-03-31'], ''],
])('leaves a place for %s', (_, ends, missing) => {
  const places = placesOf(...ends);
  expect(places.filter((place) => place.startsWith('(')).join(' ')).toBe(missing);
  expect(places.filter((place) => !place.startsWith('('))).toEqual(ends);
  expect(places.map((place) => place.replace('(', ''))).toEqual(
    places.map((place) => place.replace('(', '')).sort(),
  );
});

it('keeps what there is', () => {
  expect(withMissingPeriods([])).toEqual([]);
  expect(placesOf('2024-12-31', '2025-03-31')).toEqual(['2024-12-31', '2025-03-31']);
});
