import { describe, expect, it } from 'vitest';
import type { InputsOf } from '../../fixtures/builders/issuerInputs.ts';
import { notes, rowOf } from '../../fixtures/builders/issuerRow.ts';
import type { IssuerSubmissions } from '../age/currentReports.ts';
import type { Filing } from '../filing/rows.ts';

const balance = {
  CryptoAssetFairValue: 300_000_000,
  Assets: 400_000_000,
  Liabilities: 20_000_000,
  LongTermDebtNoncurrent: 10_000_000,
  StockholdersEquity: 380_000_000,
};
const rowAt = (sourceDate: string, filing: Partial<Filing>, more: Partial<InputsOf> = {}) =>
  rowOf({ balance, filing: { form: '10-Q', ...filing }, ...more }, { sourceDate });
const ageNotes = (row: { data_quality_notes: string[] }) =>
  row.data_quality_notes.filter((note) => /^(filing_age|newer_report_due|reporting_ended)/.test(note));

describe('the age of a row (M1.60)', () => {
  const firstQuarter = { period: '2025-03-31', filed: '2025-05-12' };
  const issuer = { fiscalYearEnd: '1231' };

  it('says 233 days and the report that was due on 2025-08-14, of two that were', () => {
    const row = rowAt('2025-11-19', firstQuarter, { issuer });
    expect(row).toMatchObject({
      filed: '2025-05-12',
      filing_age_days: 233,
      next_report_due: '2025-08-14',
      quality_flag: 'Low',
      current_reports: null,
      current_reports_missing: 'submissions_not_at_hand',
    });
    expect(ageNotes(row)).toEqual(['filing_age:233', 'newer_report_due:2025-08-14']);
  });

  it('says neither while a report is fresh, and the due date only once it has passed', () => {
    // 134, 135, 136 and 137 days after 2025-03-31
    const told = ['2025-08-12', '2025-08-13', '2025-08-14', '2025-08-15'].map((day) =>
      ageNotes(rowAt(day, firstQuarter, { issuer })),
    );
    expect(told).toEqual([[], [], ['filing_age:136'], ['filing_age:137', 'newer_report_due:2025-08-14']]);
  });

  it('counts an amended report from its period end, not from the amendment', () => {
    const amended = { form: '10-K/A', period: '2024-12-31', filed: '2025-09-01' };
    const row = rowAt('2025-09-02', amended, { issuer });
    expect(row).toMatchObject({ filed: '2025-09-01', filing_age_days: 245, quality_flag: 'Low' });
    expect(ageNotes(row)).toEqual(['filing_age:245', 'newer_report_due:2025-05-15']);
  });

  it('gives no day to a filing that no source dates, and leaves an annual filer its year', () => {
    const foreign = { form: '20-F', period: '2024-12-31', filed: '2025-05-15', filingDateStatutory: true };
    const row = rowAt('2026-01-05', foreign);
    expect(row).toMatchObject({ filed: null, filing_age_days: 370, next_report_due: '2026-04-30' });
    expect(ageNotes(row)).toEqual(['filing_age:370']);
    expect(row.data_quality_notes).toContain('filing_date_statutory');
  });

  it('expects nothing more of an issuer that ended its reporting', () => {
    const ended: IssuerSubmissions = {
      from: '2020-01-01',
      isCut: false,
      filings: [
        {
          cik: '0001050446',
          accession: '0001050446-25-000009',
          form: '15-12G',
          items: [],
          filed: '2025-06-02',
          knownOn: '2025-06-02',
        },
      ],
    };
    const row = rowOf(
      { balance, issuer, filing: { form: '10-Q', ...firstQuarter } },
      { sourceDate: '2025-11-19', submissions: () => ended },
    );
    expect(row).toMatchObject({ next_report_due: null, current_reports: [] });
    expect(row).not.toHaveProperty('current_reports_missing');
    expect(row.data_quality_notes).toEqual(
      notes(...row.data_quality_notes.filter((note: string) => !notes().includes(note))),
    );
    expect(ageNotes(row)).toEqual(['filing_age:233', 'reporting_ended:2025-06-02']);
  });
});
