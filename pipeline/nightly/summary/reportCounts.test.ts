import { describe, expect, it } from 'vitest';
import { type ReportCount, reportCountWords } from './countLines.ts';

const count = (given: Partial<ReportCount>): ReportCount => ({
  ...{ ticker: 'MSTR', form: '8-K', reports: 1, read: 1, statements: 0, refused: 0, unread: 0 },
  ...given,
});

describe('counts of current reports in the summary of a night', () => {
  it('are a line a form, then the issuers of which something was refused or not read, the most unread first', () => {
    const counts = [
      count({ reports: 1200, read: 1300, statements: 2500, refused: 3 }),
      count({ ticker: 'RIOT', reports: 12, read: 24, statements: 60, unread: 2 }),
      count({ ticker: 'CLSK', statements: 3 }),
      count({ ticker: 'BTDR', form: '6-K', refused: 1 }),
    ];
    expect(reportCountWords(counts)).toEqual([
      '8-K    1,213 reports: 1,325 documents, 2,563 taken, 3 refused, 2 unread',
      '6-K    1 reports: 1 documents, 0 taken, 1 refused, 0 unread',
      'RIOT   12 reports: 24 documents, 60 taken, 0 refused, 2 unread',
      'MSTR   1,200 reports: 1,300 documents, 2,500 taken, 3 refused, 0 unread',
      'BTDR   1 reports: 1 documents, 0 taken, 1 refused, 0 unread',
    ]);
    expect(reportCountWords([])).toEqual([]);
  });
});
