import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  formPatterns,
  isAnnualForm,
  isDomesticReport,
  isPeriodicForm,
  isReportForm,
  isTransitionForm,
} from './periodicForms.ts';

describe('forms of periodic reports', () => {
  it('are told by pattern: quarterly, half-yearly, annual, of a transition period, of foreign issuers', () => {
    const reports = ['10-K', '10-KT', '10-Q', '10-QT', '10-S', '10-ST', '20-F', '40-F'];
    for (const form of reports) {
      expect([form, isReportForm(form), isPeriodicForm(form), isPeriodicForm(`${form}/A`)]).toEqual([
        form,
        true,
        true,
        true,
      ]);
      expect(isReportForm(`${form}/A`)).toBe(false);
    }
    expect(reports.filter(isAnnualForm)).toEqual(['10-K', '10-KT', '20-F', '40-F']);
    expect(reports.filter(isTransitionForm)).toEqual(['10-KT', '10-QT', '10-ST']);
    expect(reports.filter(isDomesticReport)).toEqual(reports.slice(0, 6));
    expect([isPeriodicForm('6-K'), isReportForm('6-K')]).toEqual([true, false]);
  });

  it('are no others that begin or end like them', () => {
    for (const form of [
      '10-K405',
      '10-D',
      '11-K',
      'NT 10-K',
      '10-12G',
      '20FR12B',
      '40-FR',
      '10-KSB',
      '8-K',
      '10-X',
      '',
    ])
      expect([form, isPeriodicForm(form), isReportForm(form), isAnnualForm(form)]).toEqual([
        form,
        false,
        false,
        false,
      ]);
  });

  it('are the same in the SQL of the warehouse', () => {
    const sql = (name: string) =>
      readFileSync(new URL(`../../data/sql/${name}.sql`, import.meta.url), 'utf8');
    expect(sql('periodicFilings').split(`'${formPatterns.periodic}'`)).toHaveLength(3);
    expect(sql('issuerVintages').split(`'${formPatterns.report}'`)).toHaveLength(2);
  });
});
