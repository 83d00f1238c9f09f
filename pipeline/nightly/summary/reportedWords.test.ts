import { expect, it } from 'vitest';
import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { reportedLines, reportedWords } from './changeWords.ts';

const event = (known_on: string) => ({
  ...{ kind: 'bought' as const, as_of: '2026-02-01', known_on, filing_url: 'https://www.sec.gov/' },
  text: 'bought 855 BTC for USD 75.3 M (87,974 each), 2026-01-26 to 2026-02-01; holds 713,502',
  ...{ accession_number: '0001193125-26-032731', place: '8-K#39' },
});

it('the night tells what became known on its day, with accession and block (M17.33)', () => {
  const rows = [
    { ticker: 'MSTR', reported_events: [event('2026-02-02')] },
    { ticker: 'OLD', reported_events: [event('2026-02-01')] },
    { ticker: 'NONE' },
  ] as unknown as CovenantStress[];
  expect(reportedLines(rows, '2026-02-02').map(reportedWords)).toEqual([
    'MSTR bought 855 BTC for USD 75.3 M (87,974 each), 2026-01-26 to 2026-02-01; holds 713,502 (0001193125-26-032731, 8-K#39)',
  ]);
});
