import { describe, expect, it } from 'vitest';
import { statementOf } from '../../fixtures/rigs/reportBlocks.ts';
import { chainStocks } from './chainStocks.ts';
import type { Statement } from './statement.ts';

const stock = (asOf: string, units: string, more: Parameters<typeof statementOf>[0] = {}) =>
  statementOf({ asOf, units, filed: asOf, ...more });
const flow = (kind: Statement['kind'], periodFrom: string | null, asOf: string, units: string) =>
  statementOf({ kind, periodFrom, asOf, units, filed: asOf });
const verdicts = (...statements: Statement[]) =>
  chainStocks(statements, 'BTC').map(({ verdict, difference }) => `${verdict} ${difference}`);

describe('a link between two stocks', () => {
  it('is proven where bought, mined and sold coins make up the difference exactly', () => {
    expect(
      verdicts(
        stock('2022-10-31', '130000'),
        flow('purchase', '2022-11-01', '2022-12-21', '2395'),
        flow('sale', null, '2022-12-22', '704'),
        flow('production', null, '2022-12-24', '809'),
        stock('2022-12-27', '132500'),
      ),
    ).toEqual(['proven 0']);
  });

  it('is rounded where it is off by no more than one coin a statement (Strategy 2022-12-27)', () => {
    const [from, to] = [stock('2022-10-31', '130000'), stock('2022-12-27', '132500')];
    expect(verdicts(from, flow('purchase', '2022-11-01', '2022-12-21', '2501'), to)).toEqual(['rounded -1']);
    expect(verdicts(from, flow('purchase', '2022-11-01', '2022-12-21', '2504'), to)).toEqual(['gap -4']);
  });

  it('is a gap where flows are missing, and one coin more with no flow at all is one too', () => {
    expect(
      verdicts(
        stock('2023-06-27', '152333'),
        flow('purchase', '2023-08-01', '2023-09-24', '5445'),
        stock('2023-09-24', '158245'),
      ),
    ).toEqual(['gap 467']);
    expect(verdicts(stock('2025-12-07', '192'), stock('2025-12-14', '193'))).toEqual(['gap 1']);
  });

  it('is approximate where the filer says about, and a round number explains the difference', () => {
    const about = { isApproximate: true };
    expect(verdicts(stock('2024-01-01', '13000', about), stock('2024-02-01', '13050'))).toEqual([
      'approximate 50',
    ]);
    expect(verdicts(stock('2024-01-01', '13000'), stock('2024-02-01', '13050'))).toEqual(['gap 50']);
  });

  it('is a contradiction where coins were bought and fewer are left, or more were sold than there were', () => {
    expect(
      verdicts(
        stock('2024-01-01', '1000'),
        flow('purchase', '2024-01-02', '2024-01-09', '50'),
        stock('2024-01-09', '900'),
      ),
    ).toEqual(['contradiction -150']);
    expect(
      verdicts(
        stock('2024-01-01', '1000'),
        flow('sale', '2024-01-02', '2024-01-09', '1200'),
        stock('2024-01-09', '900'),
      ),
    ).toEqual(['contradiction 1100']);
  });

  it('uses the difference of two flows that begin on one day (Strategy, third quarter of 2021)', () => {
    expect(
      verdicts(
        stock('2021-08-23', '108992'),
        flow('purchase', '2021-07-01', '2021-08-23', '3907'),
        flow('purchase', '2021-07-01', '2021-09-12', '8957'),
        stock('2021-09-12', '114042'),
      ),
    ).toEqual(['proven 0']);
  });

  it('counts weeks before the quarter that covers them, and splits no flow over a stock', () => {
    const quarter = flow('purchase', '2025-01-01', '2025-03-31', '80715');
    const weeks = [
      flow('purchase', '2025-03-17', '2025-03-23', '6911'),
      flow('purchase', '2025-03-24', '2025-03-30', '22048'),
    ];
    expect(verdicts(stock('2025-03-16', '499226'), ...weeks, quarter, stock('2025-03-30', '528185'))).toEqual(
      ['proven 0'],
    );
    expect(verdicts(stock('2025-02-28', '499096'), quarter, stock('2025-03-31', '528185'))).toEqual([
      'gap 29089',
    ]);
  });

  it('holds back a stock of another magnitude until a second filing says the same', () => {
    const jump = [stock('2024-01-01', '1000'), stock('2024-02-01', '10000')];
    expect(chainStocks(jump, 'BTC').map(({ isQuarantined }) => isQuarantined)).toEqual([true]);
    const again = stock('2024-02-01', '10000', { accession: '0000000001-24-000009' });
    expect(
      chainStocks([...jump, stock('2024-03-01', '10000'), again], 'BTC').map(
        ({ isQuarantined }) => isQuarantined,
      ),
    ).toEqual([false, false]);
  });

  it('takes the last accepted of two stocks of a day, none of low confidence, and one coin at a time', () => {
    const amended = stock('2024-02-01', '1100', { filed: '2024-02-20' });
    expect(
      verdicts(stock('2024-01-01', '1100'), amended, stock('2024-02-01', '1000', { filed: '2024-02-02' })),
    ).toEqual(['proven 0']);
    const others = [
      stock('2024-02-01', '7', { confidence: 'Low' }),
      stock('2024-02-01', '7', { asset: 'ETH' }),
    ];
    expect(chainStocks([stock('2024-01-01', '1100'), ...others], 'BTC')).toEqual([]);
  });
});
