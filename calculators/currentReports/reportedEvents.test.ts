import { describe, expect, it } from 'vitest';
import { statementOf, strategyStatements } from '../../fixtures/rigs/reportBlocks.ts';
import { newestEvents } from './reportedEvents.ts';

const texts = (statements: Parameters<typeof newestEvents>[0]) =>
  newestEvents(statements).map(({ text }) => text);
const of = (accession: string) => strategyStatements().filter(({ source }) => source.accession === accession);

describe('events of the newest report (M17.33)', () => {
  it('of Strategy on 2026-02-02 are the week with what it holds then, and the shares sold', () => {
    const events = newestEvents(strategyStatements());
    expect(events.map(({ kind, text }) => [kind, text])).toEqual([
      ['bought', 'bought 855 BTC for USD 75.3 M (87,974 each), 2026-01-26 to 2026-02-01; holds 713,502'],
      ['shares_sold', 'sold 673,527 shares of MSTR for USD 106.1 M net, 2026-01-26 to 2026-02-01'],
    ]);
    expect(events[0]).toMatchObject({
      as_of: '2026-02-01',
      known_on: '2026-02-02',
      accession_number: '0001193125-26-032731',
      place: '8-K#3',
    });
  });

  it('say a week without a purchase, a loan repaid and coins pledged in their words', () => {
    expect(texts(of('0001193125-25-230977'))[1]).toBe(
      'bought 42,706 BTC for USD 5.0 B (115,959 each), 2025-07-01 to 2025-09-30; holds 640,031',
    );
    expect(texts(of('0001193125-25-230977'))[0]).toBe(
      'bought no BTC, 2025-09-29 to 2025-10-05; holds 640,031',
    );
    expect(texts(of('0001193125-23-079839'))).toEqual([
      'bought about 6,455 BTC for USD 150.0 M (23,238 each), 2023-02-16 to 2023-03-23; holds 138,955',
      'pledged about 34,619 BTC, 2023-03-24',
      'repaid debt of USD 161.0 M, 2023-03-24',
      'sold 1,348,855 shares for USD 339.4 M net, 2023-01-01 to 2023-03-24',
    ]);
  });

  it('say what is net of costs and what is not', () => {
    const notes = { kind: 'notes_issued', asset: 'USD', asOf: '2026-01-05', usd: '1010000000' } as const;
    const shares = { kind: 'atm', asset: 'shares', asOf: '2026-01-05', usd: '9000' } as const;
    expect(texts([statementOf({ ...notes, netProceeds: '997400000' })])).toEqual([
      'closed notes or a loan of USD 1.0 B, net USD 997.4 M, 2026-01-05',
    ]);
    expect(texts([statementOf(notes)])).toEqual(['closed notes or a loan of USD 1.0 B, 2026-01-05']);
    expect(texts([statementOf({ ...shares, netProceeds: '9000' })])).toEqual([
      'sold shares for USD 9.0 K net, 2026-01-05',
    ]);
  });

  it('tell nothing of confidence Low, no words of a filer, and nothing of an issuer without statements', () => {
    const low = statementOf({ units: '5', asOf: '2026-01-01', confidence: 'Low' });
    const odd = statementOf({
      kind: 'atm',
      asset: 'shares',
      usd: '9000',
      asOf: '2026-01-01',
      security: '<b>X',
    });
    expect(texts([low])).toEqual([]);
    expect(texts([odd])).toEqual(['sold shares for USD 9.0 K, 2026-01-01']);
    expect(newestEvents([])).toEqual([]);
  });
});
