import { expect, it } from 'vitest';
import { filingUrl } from './filingUrl.ts';

it('leads to the index page of the filing at EDGAR, and nowhere for a placeholder', () => {
  // the 10-Q of Strategy for 2025-09-30, as EDGAR links it
  expect(filingUrl({ cik: '0001050446', accession: '0001193125-25-262568' })).toBe(
    'https://www.sec.gov/Archives/edgar/data/1050446/000119312525262568/0001193125-25-262568-index.htm',
  );
  expect(filingUrl({ cik: '0001889123', accession: '0000000000-25-016698' })).toBeNull();
  expect(filingUrl({ cik: '0001889123', accession: '–' })).toBeNull();
});
