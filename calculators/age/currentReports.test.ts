import { describe, expect, it } from 'vitest';
import {
  currentReports,
  type IssuerSubmissions,
  reportingEnded,
  type SubmittedFiling,
} from './currentReports.ts';

const cik = '0001050446';
let n = 0;
const filing = (form: string, filed: string, more: Partial<SubmittedFiling> = {}): SubmittedFiling => {
  n += 1;
  const accession = `0001193125-26-${String(n).padStart(6, '0')}`;
  return { cik, accession, form, items: [], filed, knownOn: filed, ...more };
};
const list = (...filings: SubmittedFiling[]): IssuerSubmissions => ({
  filings,
  from: '2015-01-01',
  isCut: false,
});
const since = (submissions: IssuerSubmissions | null, sourceDate = '2026-02-07') =>
  currentReports({ period: '2025-09-30' }, { submissions, sourceDate });
const counted = (submissions: IssuerSubmissions | null, sourceDate?: string) =>
  (since(submissions, sourceDate).current_reports ?? []).map(({ kind, count, filed }) => [
    kind,
    count,
    filed,
  ]);

describe('current reports since a balance sheet (M1.61)', () => {
  it('are counted by item, amendments with them, each with its newest and the newest kind first', () => {
    const reports = list(
      filing('8-K', '2025-10-06', { items: ['8.01'] }),
      filing('8-K/A', '2025-10-20', { items: ['8.01', '9.01'] }),
      filing('8-K', '2025-11-03', { items: ['2.02', '8.01', '9.01'] }),
      filing('8-K', '2025-10-01', { items: ['9.01'] }),
      filing('6-K', '2025-12-01'),
      filing('10-Q', '2025-11-03'),
    );
    expect(counted(reports)).toEqual([
      ['6-K', 1, '2025-12-01'],
      ['8-K 2.02', 1, '2025-11-03'],
      ['8-K 8.01', 3, '2025-11-03'],
      ['8-K', 1, '2025-10-01'],
    ]);
    expect(since(reports).current_reports?.[1]?.filing_url).toMatch(/\/1050446\/.*-index\.htm$/);
  });

  it('are those after the period end that are known on the day: an evening report is known on the next', () => {
    const reports = list(
      filing('8-K', '2025-09-30', { items: ['8.01'] }),
      filing('8-K', '2026-02-06', { items: ['7.01'], knownOn: '2026-02-07' }),
    );
    expect(counted(reports, '2026-02-06')).toEqual([]);
    expect(counted(reports, '2026-02-07')).toEqual([['8-K 7.01', 1, '2026-02-06']]);
  });

  it('are not known without a list, or one that begins after the balance sheet', () => {
    expect(since(null)).toEqual({
      current_reports: null,
      current_reports_missing: 'submissions_not_at_hand',
    });
    const cut = { ...list(filing('8-K', '2025-12-01')), from: '2025-11-15' };
    expect(since({ ...cut, isCut: true })).toEqual({
      current_reports: null,
      current_reports_missing: 'submissions_begin_later',
    });
    // a registrant that is new has nothing before its first filing
    expect(since(cut).current_reports).toHaveLength(1);
    expect(since(list())).toEqual({ current_reports: [] });
  });
});

describe('the end of reporting (M1.60)', () => {
  it('is the day of Form 15, as far as it is known and nothing is reported after it', () => {
    const ended = (...filings: SubmittedFiling[]) =>
      reportingEnded(list(...filings), { sourceDate: '2026-02-07' });
    const last = filing('10-Q', '2025-05-12');
    const end = filing('15-12G', '2025-06-02');
    expect(ended(last, end)).toBe('2025-06-02');
    expect(ended(last)).toBeNull();
    // the class of the warrants went, the company goes on
    expect(ended(last, end, filing('8-K', '2025-08-01'))).toBeNull();
    expect(ended(last, filing('15-12B', '2026-02-06', { knownOn: '2026-02-08' }))).toBeNull();
    expect(reportingEnded(null, { sourceDate: '2026-02-07' })).toBeNull();
  });
});
