import { describe, expect, it } from 'vitest';
import { statementOf } from '../../fixtures/rigs/reportBlocks.ts';
import { chainAmounts } from './chainAmounts.ts';

const accessions = new Set(['a', 'b']);
const sale = (accession: string, asOf: string, given: Parameters<typeof statementOf>[0]) =>
  statementOf({ kind: 'atm', asset: 'shares', accession, asOf, ...given });

describe('what the reports of a chain state of its money (M7.11)', () => {
  it('is principal and net proceeds of private notes, the latter where all of them state it', () => {
    const notes = (accession: string, usd: string, netProceeds?: string) =>
      statementOf({
        ...{ kind: 'notes_issued', asset: 'USD', accession, asOf: '2024-09-19', usd },
        ...(netProceeds === undefined ? {} : { netProceeds }),
      });
    const placed = [notes('a', '1010000000', '997400000'), notes('c', '5')];
    const of = (statements: Parameters<typeof chainAmounts>[1]['statements']) => {
      const { principal, net_proceeds } = chainAmounts('private_convert', { accessions, statements });
      return [principal?.toString(), net_proceeds?.toString()];
    };
    expect(of(placed)).toEqual(['1010000000', '997400000']);
    expect(of([...placed, notes('b', '90000000')])).toEqual(['1100000000', undefined]);
    expect(of([])).toEqual([undefined, undefined]);
  });

  it('is shares sold from a shelf by security, with the capacity of the newest report', () => {
    const statements = [
      sale('a', '2026-01-25', { units: '1000', usd: '150000', capacityLeft: '900', security: 'MSTR' }),
      sale('b', '2026-02-01', {
        units: '673527',
        usd: '106100000',
        capacityLeft: '8063900000',
        security: 'MSTR',
      }),
      sale('b', '2026-02-01', { units: '7', security: 'STRC' }),
      sale('c', '2026-02-01', { units: '9', security: 'STRC' }),
    ];
    const { securities_sold: sold = [] } = chainAmounts('shelf_takedown', { accessions, statements });
    expect(
      sold.map((one) => [
        one.security,
        one.shares,
        one.proceeds?.toString(),
        one.capacity_left?.toString(),
        one.to,
      ]),
    ).toEqual([
      ['MSTR', 674_527, '106250000', '8063900000', '2026-02-01'],
      ['STRC', 7, undefined, undefined, '2026-02-01'],
    ]);
    expect(chainAmounts('merger', { accessions, statements })).toEqual({});
  });
});
