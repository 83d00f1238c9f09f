import { expect, it } from 'vitest';
import { candidateWords } from './changeWords.ts';

const row = { name: 'Next Holder Inc', form: '10-Q', filed: '2025-11-14' };

it('names the registrants with the largest amounts, and says when there is none', () => {
  const first = [
    { ...row, ticker: 'NEXT', amount: 12_345_678, share: 0.0414 },
    { ...row, ticker: null, amount: null, share: null },
  ];
  expect(candidateWords({ count: 1204, first })).toEqual([
    '1,204 registrants outside the universe report coins (issuer query "from candidates")',
    'NEXT: 12.3 M USD, 4.1 % of assets, 10-Q filed 2025-11-14',
    'Next Holder Inc: no amount, 10-Q filed 2025-11-14',
  ]);
  expect(candidateWords({ count: 0, first: [] })).toEqual([
    'no registrant outside the universe reports coins in its newest filing',
  ]);
});
