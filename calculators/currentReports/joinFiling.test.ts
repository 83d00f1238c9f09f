import { describe, expect, it } from 'vitest';
import { statementOf } from '../../fixtures/rigs/reportBlocks.ts';
import { joinFiling } from './joinFiling.ts';
import type { Statement } from './statement.ts';

const at = (type: string, block: number): Pick<Statement, 'place'> => ({
  place: { accession: '0000000001-25-000001', type, document: 'report.htm', block, row: null, column: null },
});

describe('statements of one filing', () => {
  it('are one where body and exhibit say the same, with what either lacks and both places', () => {
    const body = statementOf({
      kind: 'purchase',
      asOf: '2025-08-31',
      units: '130',
      usd: '10700000',
      fromTable: false,
      ...at('8-K', 27),
    });
    const exhibit = statementOf({
      kind: 'purchase',
      periodFrom: '2025-08-25',
      asOf: '2025-08-31',
      units: '130',
      ...at('EX-99.1', 3),
    });
    const [joined, ...rest] = joinFiling([body, exhibit]).statements;
    expect(rest).toEqual([]);
    expect([
      joined?.periodFrom,
      joined?.usd?.toString(),
      joined?.place.type,
      joined?.alsoAt[0]?.type,
    ]).toEqual(['2025-08-25', '10700000', 'EX-99.1', '8-K']);
  });

  it('drop a mention without a day of a number that has one', () => {
    const dated = statementOf({ asOf: '2025-08-31', units: '920' });
    const mention = statementOf({
      asOf: '2025-09-04',
      units: '920',
      dateBasis: 'release',
      confidence: 'Medium',
      fromTable: false,
    });
    expect(joinFiling([mention, dated]).statements).toEqual([dated]);
    expect(joinFiling([mention]).statements).toEqual([mention]);
  });

  it('are both refused where an exhibit contradicts the body for one day', () => {
    const body = statementOf({ asOf: '2025-08-31', units: '920', ...at('8-K', 27) });
    const exhibit = statementOf({ asOf: '2025-08-31', units: '902', ...at('EX-99.1', 3) });
    const { statements, refused } = joinFiling([body, exhibit]);
    expect(statements).toEqual([]);
    expect(refused.map(({ reason, units }) => `${reason} ${units}`)).toEqual([
      'exhibit_contradicts_body 920',
      'exhibit_contradicts_body 902',
    ]);
    const inferred = { ...exhibit, dateBasis: 'release' } as const;
    expect(joinFiling([body, inferred]).statements).toEqual([body]);
    expect(joinFiling([body, { ...exhibit, asOf: '2025-08-30' }]).statements).toHaveLength(2);
  });
});
