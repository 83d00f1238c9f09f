import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { goldenCloses } from '../../fixtures/builders/goldenIssuers.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { arc, fact, statementFiling } from '../../fixtures/builders/statementFiling.ts';
import type { Presentation, XbrlFiling } from '../filing/xbrlFiling.ts';
import { priceBook } from '../prices/priceBook.ts';

const parameters = registryParameters;
const prices = priceBook(goldenCloses, parameters);

// two roles that break the same totals down, each by as many reported lines
const first = 'http://example.com/role/AlternativeSchedule';
const face = 'http://example.com/role/BalanceSheet';
const whole = ['us-gaap:Assets', 'us-gaap:Liabilities', 'us-gaap:LiabilitiesAndStockholdersEquity'];
const statement = statementFiling(`
Assets 10000
  CryptoAssetFairValueCurrent 3000
LiabilitiesAndStockholdersEquity 10000
  Liabilities 5000
    LongTermDebtNoncurrent 1000`);
const inSchedule: readonly (readonly [string, string])[] = [
  ['Assets', 'CryptoAssetFairValueNoncurrent'],
  ['LiabilitiesAndStockholdersEquity', 'Liabilities'],
  ['Liabilities', 'NotesPayable'],
];
const tied: XbrlFiling = {
  ...statement,
  facts: [
    ...statement.facts,
    fact({ concept: 'CryptoAssetFairValueNoncurrent', value: 2000 }),
    fact({ concept: 'NotesPayable', value: 700 }),
  ],
  arcs: [
    ...statement.arcs,
    ...inSchedule.map(([from, to]) => arc({ from: `us-gaap:${from}`, to: `us-gaap:${to}`, role: first })),
  ],
};

function resolved(xbrl: XbrlFiling) {
  const context = { sourceDate: '2026-02-07', asOf: '2026-02-07T07:12:40Z', prices, parameters };
  const { stress, trail } = computeIssuer(issuerInputs({ xbrl }), { ...context, backfilled: false });
  const sides = trail?.ratio.children ?? [];
  return {
    debt: Number(stress.total_long_term_debt),
    coins: Number(stress.total_crypto_fair_value),
    reasons: sides.map(({ rungs }) => rungs.find(({ taken }) => taken)?.reason),
  };
}

const underFace: Presentation = { role: face, concepts: ['us-gaap:StatementAbstract', ...whole] };

describe('the choice of the balance-sheet network (M1.24)', () => {
  it('prefers, of two with equally many reported nodes, the one presented as the whole statement', () => {
    const presentations = [{ role: first, concepts: ['us-gaap:Assets', 'us-gaap:NotesPayable'] }, underFace];
    const tie = '; of networks with equally many reported nodes, the one presented as the whole statement';
    expect(resolved({ ...tied, presentations })).toEqual({
      debt: 1000,
      coins: 3000,
      reasons: [`1 roots under us-gaap:Liabilities in BalanceSheet${tie}`, `1 roots add up to 3000${tie}`],
    });
  });

  it('takes the first by role name when the presentation shows neither, or both, and says so', () => {
    const tie = '; of networks with equally many reported nodes, the first by role name';
    for (const presentations of [[], [underFace, { role: first, concepts: whole }]]) {
      expect(resolved({ ...tied, presentations })).toEqual({
        debt: 700,
        coins: 2000,
        reasons: [
          `1 roots under us-gaap:Liabilities in AlternativeSchedule${tie}`,
          `1 roots add up to 2000${tie}`,
        ],
      });
    }
  });

  const more = arc({ from: 'us-gaap:Assets', to: 'us-gaap:Cash', role: first });
  const longer: XbrlFiling = {
    ...tied,
    facts: [...tied.facts, fact({ concept: 'Cash', value: 5 })],
    arcs: [...tied.arcs, more],
  };
  const fewer = '; the network of the balance sheet, though another one has more reported nodes';
  const ofFace = {
    debt: 1000,
    coins: 3000,
    reasons: [`1 roots under us-gaap:Liabilities in BalanceSheet${fewer}`, `1 roots add up to 3000${fewer}`],
  };
  const ofSchedule = {
    debt: 700,
    coins: 2000,
    reasons: ['1 roots under us-gaap:Liabilities in AlternativeSchedule', '1 roots add up to 2000'],
  };

  it('is not taken in by a role with more lines: the one presented as the whole statement comes first', () => {
    expect(resolved({ ...longer, presentations: [underFace] })).toEqual(ofFace);
  });

  it('is not taken in by a disclosure with more lines, though both are presented whole', () => {
    const presentations = [underFace, { role: first, concepts: whole }];
    const defined = (kind: string) => [
      { uri: first, definition: `0000009 - ${kind} - ASSETS (Details)` },
      { uri: face, definition: '0000002 - Statement - CONSOLIDATED BALANCE SHEETS' },
    ];
    expect(resolved({ ...longer, presentations, roles: defined('Disclosure') })).toEqual(ofFace);
    expect(resolved({ ...longer, presentations, roles: defined('Statement') })).toEqual(ofSchedule);
  });

  it('follows reported nodes where the presentation shows neither or both', () => {
    for (const presentations of [[], [underFace, { role: first, concepts: whole }]])
      expect(resolved({ ...longer, presentations })).toEqual(ofSchedule);
  });
});
