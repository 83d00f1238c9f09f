import { describe, expect, it } from 'vitest';
import { ageLines } from './explainIssuer.ts';

const row = {
  source_date: '2025-11-19',
  filed: '2025-05-12',
  filing_age_days: 233,
  next_report_due: '2025-08-14',
  current_reports: [
    {
      kind: '8-K 8.01',
      count: 14,
      accession_number: '0001193125-25-000001',
      filed: '2025-11-17',
      filing_url: 'https://www.sec.gov/x-index.htm',
    },
    {
      kind: '6-K',
      count: 1,
      accession_number: '0000000000-25-000001',
      filed: '2025-07-01',
      filing_url: null,
    },
  ],
};

describe('the age of a row in words', () => {
  it('says filing date, age, what was due and what was reported since, with links', () => {
    expect(ageLines(row)).toEqual([
      'filed 2025-05-12, its balance sheet 233 days old on 2025-11-19; the report after it was due 2025-08-14',
      'current reports since, by item:',
      '  14 × 8-K 8.01, newest 2025-11-17',
      'https://www.sec.gov/x-index.htm',
      '  1 × 6-K, newest 2025-07-01',
    ]);
    expect(ageLines({ ...row, next_report_due: '2026-03-02', current_reports: [] })).toEqual([
      'filed 2025-05-12, its balance sheet 233 days old on 2025-11-19; the report after it is due 2026-03-02',
      'current reports since: none',
    ]);
  });

  it('says what is not known and why, and nothing of a row that tells no age', () => {
    const missing = { current_reports: null, current_reports_missing: 'submissions_not_at_hand' };
    expect(ageLines({ ...row, ...missing, filed: null, filing_age_days: 1, next_report_due: null })).toEqual([
      'filed on a day that no source has, its balance sheet 1 day old on 2025-11-19',
      'current reports since: not known, the list of submissions is not at hand',
    ]);
    expect(ageLines({ source_date: '2025-11-19' })).toEqual([]);
  });
});
