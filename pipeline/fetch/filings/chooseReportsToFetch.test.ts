import { describe, expect, it } from 'vitest';
import { chooseReportsToFetch, type ReportCandidate } from './chooseReportsToFetch.ts';

let next = 0;
const report = (filed: string, given: Partial<ReportCandidate> = {}): ReportCandidate => {
  next += 1;
  const accession = `0001193125-26-${String(next).padStart(6, '0')}`;
  return { cik: '0001050446', accession, form: '8-K', filed, acceptedAt: null, items: ['8.01'], ...given };
};
const periods = new Map([['0001050446', '2025-12-31']]);
const days = (candidates: readonly ReportCandidate[], from?: string) =>
  chooseReportsToFetch(candidates, {
    ...{ sourceDate: '2026-02-07', periods },
    ...(from === undefined ? {} : { from }),
  }).map(({ filed }) => filed);

describe('current reports to fetch', () => {
  it('are those since the balance sheet in force, newest first, and from an earlier day where one is asked for', () => {
    const all = [report('2025-11-03'), report('2026-01-05'), report('2026-02-02')];
    expect(days(all)).toEqual(['2026-02-02', '2026-01-05']);
    expect(days(all, '2025-11-01')).toEqual(['2026-02-02', '2026-01-05', '2025-11-03']);
    // a later day narrows nothing: what a balance sheet lacks is needed
    expect(days(all, '2026-02-01')).toEqual(['2026-02-02', '2026-01-05']);
  });

  it('are of the forms and items that are read', () => {
    const day = '2026-01-05';
    const items = (list: string[], form = '8-K') => report(day, { items: list, form });
    expect(days([items(['5.02', '9.01']), items([], '10-Q'), items(['8.01'], '425')])).toEqual([]);
    expect(days([items(['5.02', '2.03']), items([], '6-K'), items(['8.01'], '8-K/A')])).toHaveLength(3);
  });

  it('are known on the day: a report accepted in the evening is of the next one in UTC', () => {
    expect(days([report('2026-02-07', { acceptedAt: '2026-02-08T01:10:00Z' })])).toEqual([]);
    expect(days([report('2026-02-07', { acceptedAt: '2026-02-07T21:10:00Z' })])).toEqual(['2026-02-07']);
    expect(days([report('2026-02-09')])).toEqual([]);
  });

  it('are none of an issuer without a balance sheet, nor of a placeholder, and each once', () => {
    const one = report('2026-01-05');
    expect(days([{ ...one, cik: '0000000009' }])).toEqual([]);
    expect(days([{ ...one, accession: '0000000000-26-000001' }])).toEqual([]);
    expect(days([one, one])).toHaveLength(1);
  });
});
