import { describe, expect, it } from 'vitest';
import { isReadReport } from './isReadReport.ts';

describe('which current reports are read (M17.35)', () => {
  it.each([
    ['8-K', ['8.01'], true],
    ['8-K/A', ['5.02', '7.01'], true],
    ['8-K', ['5.02', '9.01'], false],
    ['8-K', [], true],
    ['6-K', [], true],
    ['6-K/A', [], true],
    ['10-Q', ['8.01'], false],
    ['425', ['8.01'], false],
    ['8-K12B', ['8.01'], false],
  ])('%s with items %j: %s', (form, items, isRead) => {
    expect(isReadReport({ form, items })).toBe(isRead);
  });
});
