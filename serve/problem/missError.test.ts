import { describe, expect, it } from 'vitest';
import { liveRoutes } from '../../data/contract/routes/routes.ts';
import { type Miss, missError } from './missError.ts';

const route = liveRoutes.find(({ id }) => id === 'R23');
const miss = {
  reasonCode: 'no_rows_in_range',
  message: 'There are no rows.',
  hint: 'Ask for a range around one of nearest_source_dates.',
} satisfies Miss;

function hintOf(more: Partial<Miss>): string | undefined {
  if (route === undefined) throw new RangeError('there is no R23');
  return missError(route, { ...miss, ...more }).hint;
}

describe('the hint of a miss', () => {
  it('leads to the dates around it where there is one', () => {
    const [before, after] = ['2025-11-13', '2026-02-07'];
    expect(hintOf({ nearestSourceDates: { before, after: null } })).toBe(miss.hint);
    expect(hintOf({ nearestSourceDates: { before: null, after } })).toBe(miss.hint);
  });

  it('says what there is instead where no date has it', () => {
    const nearestSourceDates = { before: null, after: null };
    expect(hintOf({ nearestSourceDates })).toBe(
      'No other date has it: GET /companies says what is available for each issuer.',
    );
    expect(hintOf({ nearestSourceDates, product: 'AI-PERP-INTX' })).toBe(
      'No other date has it: coverage_windows of GET /v1/readiness name the rows of each product.',
    );
  });

  it('is its own where the miss is none of dates', () => {
    expect(hintOf({})).toBe(miss.hint);
    expect(hintOf({ nearestSourceDates: null })).toBe(miss.hint);
  });
});
