import { expect, test } from 'vitest';
import { ageInUnits, ageInWords } from './readingText.ts';

test.each([
  [0, '0 minutes'],
  [119.9, '119.9 minutes'],
  [120, '2 hours'],
  [2_879.9, '47 hours'],
  [2_880, '2 days'],
  [415_302.5, '288 days'],
])('an age of %d minutes is told as %s, which its members hold', (minutes, words) => {
  const members = ageInUnits(minutes);
  expect(ageInWords(members)).toBe(words);
  expect(Object.values(members)).toContain(Number(words.split(' ')[0]));
});

test('an age that is not known is told by no unit', () => {
  expect(ageInUnits(null)).toEqual({ age_minutes: null, age_hours: null, age_days: null });
  expect(ageInWords(ageInUnits(null))).toBeNull();
});
