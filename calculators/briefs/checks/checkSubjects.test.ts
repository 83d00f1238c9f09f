import { describe, expect, it } from 'vitest';
import { briefStyles } from '../../../contract/values/enums.ts';
import { briefSourcesOf, issuerSourcesOf } from '../../../fixtures/builders/briefSourcesOf.ts';
import { goldenContext, goldenDate, goldenPositions } from '../../../fixtures/builders/goldenSlice.ts';
import { composeGraded } from '../../composeSlice.ts';
import type { BriefSources } from '../briefEvidence.ts';
import { type BriefEvidence, compileBrief } from '../compileBrief.ts';
import { type CovenantEvidence, covenantEvidence } from '../covenantEvidence.ts';
import { ratioText } from '../figureText.ts';
import { morningEvidence } from '../morningEvidence.ts';
import { topStressedEvidence } from '../topStressedEvidence.ts';
import { validateBrief } from '../validateBrief.ts';

const slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
const read = { pressure: 1.23, market_state: 'building', funding_annualized: 0.081, synthetic: false };
const market: BriefSources['market'] = [
  { ...read, product: 'BTC-PERP-INTX', underlying: 'BTC' },
  { ...read, product: 'ETH-PERP-INTX', underlying: 'ETH', pressure: -0.47, funding_annualized: -0.024 },
];
const sources = briefSourcesOf(slice, { sourceDate: goldenDate, market });
const morning = morningEvidence(sources, 10);

const loan = (name: string, drawn: string, price: number) => ({
  name,
  as_of: '2025-09-30',
  is_subsequent: false,
  drawn,
  limit: null,
  collateral_asset: 'BTC',
  collateral_units: '4500',
  collateral_value: '512300000',
  ltv: 0.4123,
  live_ltv: 0.5234,
  trigger_ltv: 0.7811,
  margin_call_price: price,
  live_price_fall_to_call: 0.3121,
  price_date: goldenDate,
  confidence: 'high',
});
const borrower = slice.issuers.find(({ stress }) => stress.ticker === 'MSTR');
if (borrower === undefined) throw new RangeError('the golden slice has Strategy');
const withLoans = {
  ...covenantEvidence(sources, issuerSourcesOf(slice, borrower)),
  facilities: [
    loan('x:CoinbaseTermLoanMember', '200100000', 45678.91),
    loan('x:GalaxyCreditLineMember', '31400000', 51234.56),
  ],
} as unknown as CovenantEvidence;

const said = (text: string, evidence: BriefEvidence, style: (typeof briefStyles)[number] = 'detailed') =>
  validateBrief(text, { evidence, style }).filter(({ rule }) => rule === 'c');
/** What is said of the compiled text with two pieces of it in each other's place. */
const swapped = (evidence: BriefEvidence, a: string, b: string) => {
  const text = compileBrief(evidence, 'detailed');
  for (const piece of [a, b]) if (!text.includes(piece)) throw new RangeError(`it does not say ${piece}`);
  const other = text.replace(a, '\0').replace(b, a).replace('\0', b);
  return said(other, evidence).map(({ message }) => message);
};

describe('a figure of one issuer beside another', () => {
  const [first, second] = morning.top_stressed;
  const value = (row: typeof first) => ratioText(row?.live_stress_50pct ?? row?.stress_50pct ?? 0);

  it('is refused in the ranking of stress', () => {
    const [a, b] = [`1. ${first?.ticker} ${value(first)},`, `2. ${second?.ticker} ${value(second)},`];
    const text = compileBrief(morning, 'detailed');
    const wrong = text
      .replace(a, `1. ${first?.ticker} ${value(second)},`)
      .replace(b, `2. ${second?.ticker} ${value(first)},`);
    expect(wrong).not.toBe(text);
    expect(said(wrong, morning).map(({ message }) => message)).toEqual([
      `${value(second)} is no number of ${first?.ticker}`,
      `${value(first)} is no number of ${second?.ticker}`,
    ]);
  });

  it('is refused in a sentence of several, whatever the style', () => {
    const evidence = topStressedEvidence(sources, 10);
    const tried: string[] = [];
    for (const style of briefStyles) {
      const text = compileBrief(evidence, style);
      expect(said(text, evidence, style), style).toEqual([]);
      const [, from, to] = /; (\S+ \d\.\d\d)[^;]*; (\S+ \d\.\d\d)/.exec(text) ?? [];
      if (from === undefined || to === undefined) continue;
      const [[a = '', x = ''], [b = '', y = '']] = [from.split(' '), to.split(' ')];
      if (x === y) continue;
      tried.push(style);
      const wrong = text.replace(from, `${a} ${y}`).replace(to, `${b} ${x}`);
      expect(
        said(wrong, evidence, style).map(({ message }) => message),
        style,
      ).toContain(`${y} is no number of ${a}`);
    }
  });

  it('is refused on the board of alpha', () => {
    const [top, last] = [morning.alpha_board[0], morning.alpha_board.at(-1)];
    const text = compileBrief(morning, 'detailed');
    const wrong = text.replace(
      `1. ${top?.ticker} ${top?.alpha_score}`,
      `1. ${top?.ticker} ${last?.alpha_score}`,
    );
    expect(said(wrong, morning).map(({ message }) => message)).toEqual([
      `${last?.alpha_score} is no number of ${top?.ticker}`,
    ]);
  });

  it('is refused where no issuer is named, and beside a count of the slice', () => {
    const text = compileBrief(morning, 'detailed');
    const wrong = text.replace(
      '## Dominant Pattern\n\n',
      `## Dominant Pattern\n\nDebt is ${value(first)} of the coins. `,
    );
    expect(said(wrong, morning)).toEqual([
      { rule: 'c', message: `${value(first)} is no number of the slice, and no issuer is named` },
    ]);
  });

  it('is refused though it stands before the name', () => {
    const text = compileBrief(morning, 'detailed');
    const sentence = (ticker: string | undefined) => `A reading of ${value(first)} is that of ${ticker}. `;
    const with_ = (ticker: string | undefined) =>
      text.replace('## Dominant Pattern\n\n', `## Dominant Pattern\n\n${sentence(ticker)}`);
    expect(said(with_(first?.ticker), morning)).toEqual([]);
    expect(said(with_(second?.ticker), morning)).toHaveLength(1);
  });
});

it('a pressure of one product beside another is refused', () => {
  expect(said(compileBrief(morning, 'detailed'), morning)).toEqual([]);
  const text = compileBrief(morning, 'detailed')
    .replace('BTC 1.23', 'BTC -0.47')
    .replace('ETH -0.47', 'ETH 1.23');
  expect(said(text, morning).map(({ message }) => message)).toEqual([
    '-0.47 is no number of BTC',
    '1.23 is no number of ETH',
  ]);
});

it('an amount of one loan beside another is refused', () => {
  expect(said(compileBrief(withLoans, 'detailed'), withLoans)).toEqual([]);
  expect(swapped(withLoans, 'USD 200.1 M drawn', 'USD 31.4 M drawn')).toEqual(
    [
      '200.1 M is no number of MSTR Galaxy Credit Line',
      '31.4 M is no number of MSTR Coinbase Term Loan',
    ].sort((a, b) => b.localeCompare(a)),
  );
});
