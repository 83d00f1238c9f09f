import { describe, expect, it } from 'vitest';
import { disclaimer } from '../../contract/values/disclaimer.ts';
import { briefSourcesOf, issuerSourcesOf } from '../../fixtures/builders/briefSourcesOf.ts';
import { goldenContext, goldenDate, goldenPositions } from '../../fixtures/builders/goldenSlice.ts';
import { composeGraded } from '../composeSlice.ts';
import { type BriefEvidence, compileBrief } from './compileBrief.ts';
import { type CovenantEvidence, covenantEvidence } from './covenantEvidence.ts';
import { morningEvidence } from './morningEvidence.ts';
import { validateBrief } from './validateBrief.ts';

const slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
const sources = briefSourcesOf(slice, { sourceDate: goldenDate });
const issuer = (ticker: string): CovenantEvidence => {
  const result = slice.issuers.find(({ stress }) => stress.ticker === ticker);
  if (result === undefined) throw new RangeError(`the golden slice has no ${ticker}`);
  return covenantEvidence(sources, issuerSourcesOf(slice, result));
};
const strategy = issuer('MSTR');
const morning = morningEvidence(sources, 10);
const detailed = (evidence: BriefEvidence) => compileBrief(evidence, 'detailed');
const rules = (text: string, evidence: BriefEvidence) => [
  ...new Set(validateBrief(text, { evidence, style: 'detailed' }).map(({ rule }) => rule)),
];
const changed = (evidence: BriefEvidence, from: string | RegExp, to: string) => {
  const text = detailed(evidence);
  const other = text.replace(from, to);
  if (other === text) throw new RangeError(`the brief does not say ${from}`);
  return rules(other, evidence);
};

describe('a brief', () => {
  it('passes as it is compiled', () => {
    expect(rules(detailed(strategy), strategy)).toEqual([]);
    expect(rules(detailed(morning), morning)).toEqual([]);
  });

  it.each<[string, string, string | RegExp, string]>([
    ['a', 'without a heading', '## Filing Evidence\n', ''],
    ['a', 'with a heading of its own', '## Filing Evidence', '## Outlook\n\nNone.\n\n## Filing Evidence'],
    ['a', 'with its sections in another order', /(## Next Checks)([\s\S]*)/, '## Issuer Snapshot$2'],
    ['b', 'without its disclaimer', disclaimer, 'No advice.'],
    ['b', 'that goes on after its disclaimer', disclaimer, `${disclaimer}\n\nMore.`],
    ['c', 'with a rounded number that is another', 'USD 8.2 B', 'USD 8.3 B'],
    ['c', 'with a ratio off by its last digit', '0.22 of its coins', '0.23 of its coins'],
    ['c', 'with a date of its own', 'at 2025-09-30', 'at 2025-06-30'],
    ['c', 'with an accession number of its own', '0001193125-25-262568', '0001193125-25-262569'],
    ['c', 'with a count of its own', 'Debt less cash', 'All 17 lenders agree. Debt less cash'],
    ['d', 'with a ticker it does not know', 'Debt less cash', 'As at MARA, debt less cash'],
    ['e', 'with another tier', 'risk tier is LOW', 'risk tier is HIGH'],
    ['e', 'with another regime', /market regime [a-z ]+/, 'market regime bullish low vol'],
    ['h', 'without a caveat', /^- Enterprise level.*\n/m, ''],
    ['i', 'that advises', 'Debt less cash', 'Investors should sell. Debt less cash'],
    ['i', 'that foretells', 'Debt less cash', 'Coins will rise. Debt less cash'],
    ['j', 'with raw HTML', 'Debt less cash', '<b>Debt</b> less cash'],
    ['j', 'with a link elsewhere', 'Debt less cash', '[Debt](https://example.com) less cash'],
    [
      'j',
      'with a host that only looks like SEC',
      'Debt less cash',
      '[Debt](https://sec.gov.example.com/) less cash',
    ],
    ['j', 'with a picture', 'Debt less cash', '![Debt](https://www.sec.gov/x.png) less cash'],
    ['k', 'with open emphasis', 'Its risk', '**Its risk'],
    ['k', 'with an open fence', 'Its risk', '```\nIts risk'],
    ['k', 'that is too long', 'Its risk', `${'So it is said. '.repeat(400)}Its risk`],
    ['l', 'without its reference covenant', /0\.65/g, 'the reference'],
  ])('(%s) is refused %s', (rule, _, from, to) => {
    expect(changed(strategy, from, to)).toContain(rule);
  });

  it('(l) is refused with a flow without its months', () => {
    const flow = { amount: '-45612000', months: 9, start: '2025-01-01', end: '2025-09-30' };
    const none = { cash_and_equivalents: '54285000', total_equity: null, total_assets: null };
    const evidence = { ...strategy, liquidity: { ...none, cash_flow_from_operations: flow } };
    expect(rules(detailed(evidence), evidence)).toEqual([]);
    expect(changed(evidence, ' over 9 months to 2025-09-30', '')).toContain('l');
  });

  it('(f) is refused where it tells what the evidence lacks', () => {
    const evidence: CovenantEvidence = { ...strategy, live: null };
    expect(rules(detailed(evidence), evidence)).toEqual([]);
    const told = 'At the closes its debt is 0.22 of its coins: tier LOW.';
    expect(changed(evidence, /^No live reading.*$/m, told)).toContain('f');
  });

  it('(f) is refused where it gives readings of unproven figures', () => {
    const evidence: CovenantEvidence = {
      ...strategy,
      figures_basis: 'debt_unproven',
      live: null,
      risk_tier: 'UNCLASSIFIED',
    };
    expect(rules(detailed(evidence), evidence)).toEqual([]);
    const told = 'After a 50 % fall debt is 0.22 of the coins.';
    expect(changed(evidence, /^Debt is not proven.*$/m, told)).toContain('f');
  });

  it('(g) is refused in another order of ranks', () => {
    const [first, second] = morning.top_stressed;
    expect(changed(morning, `1. ${first?.ticker} `, `1. ${second?.ticker} `)).toContain('g');
    expect(
      changed(morning, `${first?.ticker} is the most stressed`, `${second?.ticker} is the most stressed`),
    ).toContain('g');
  });

  it('(e) is refused with another count of a tier', () => {
    const { count } = morning.risk_distribution.filing.LOW;
    expect(changed(morning, `LOW ${count} (`, `LOW ${count + 1} (`)).toContain('e');
  });
});

it('a brief of an issuer names no form that reads as a figure (TSLA: SCHEDULE 13G on 2025-11-20)', () => {
  const filing = { date: goldenDate, label: 'Ownership', accession_number: null };
  const recent_filings = ['SCHEDULE 13G/A', '4', '144', '8-K'].map((form) => ({ ...filing, form }));
  const evidence: CovenantEvidence = { ...strategy, recent_filings };
  expect(rules(detailed(evidence), evidence)).toEqual([]);
  expect(detailed(evidence)).toContain(`- Newest filings: 8-K of ${goldenDate}.`);
});
