import { describe, expect, it } from 'vitest';
import { filingUrl } from './filingUrl.ts';

describe('filingUrl', () => {
  it('leads to the index page of the filing at EDGAR', () => {
    // the 10-Q of Strategy for 2025-09-30, as EDGAR links it
    expect(filingUrl({ cik: '0001050446', accession: '0001193125-25-262568' })).toBe(
      'https://www.sec.gov/Archives/edgar/data/1050446/000119312525262568/0001193125-25-262568-index.htm',
    );
  });

  it('is null for a placeholder and for what is no accession number', () => {
    expect(filingUrl({ cik: '0001889123', accession: '0000000000-25-016698' })).toBeNull();
    expect(filingUrl({ cik: '0001889123', accession: '0000000000-25-016698', form: '10-Q' })).toBeNull();
    for (const accession of ['–', '', '../0001193125-25-262568', null, undefined])
      expect(filingUrl({ cik: '0001889123', accession })).toBeNull();
  });

  it('is null without the ten digits of a filer', () => {
    for (const cik of ['', '1050446', 'CIK0001050446', null, undefined])
      expect(filingUrl({ cik, accession: '0001193125-25-262568' })).toBeNull();
  });

  it('leads to a letter of the staff, whose number EDGAR itself gave that prefix', () => {
    // the letter of 2021-10-07 in the review of Strategy's 10-Q
    expect(filingUrl({ cik: '0001050446', accession: '0000000000-21-012200', form: 'UPLOAD' })).toBe(
      'https://www.sec.gov/Archives/edgar/data/1050446/000000000021012200/0000000000-21-012200-index.htm',
    );
  });
});
