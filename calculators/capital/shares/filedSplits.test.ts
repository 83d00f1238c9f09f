import { describe, expect, it } from 'vitest';
import { statedLines } from '../../../fixtures/builders/filedFacts.ts';
import type { TermFact } from '../../filing/xbrlFiling.ts';
import { resolveShares } from './resolveShares.ts';

const P = '2025-09-30';

function sharesOf(
  text: string,
  { period = P, terms = [] }: { period?: string; terms?: readonly TermFact[] } = {},
) {
  return resolveShares({ filing: { period }, facts: statedLines(text), terms });
}

describe('splits a filing states (M18.44)', () => {
  const term = (concept: string, value: string, end: string): TermFact => ({
    concept: `us-gaap:${concept}`,
    contextId: end,
    value,
    start: end,
    end,
    dimensions: [],
  });
  const splitsOf = (text: string, terms: readonly TermFact[] = []) =>
    sharesOf(text, { terms }).splits.map(({ date, ratio }) => `${date} ${ratio}`);
  const none = `CommonStockSharesOutstanding, ${P}, 1`;

  it('is a filed ratio with its day (KULR 0001104659-25-113662)', () => {
    expect(
      splitsOf('StockholdersEquityNoteStockSplitConversionRatio1, 2025-06-23/2025-06-23, 0.125, pure'),
    ).toEqual(['2025-06-23 0.125']);
  });

  it.each([
    ['StockholdersEquityReverseStockSplit', '1-for-20', ['2025-05-15 0.05']],
    ['StockholdersEquityNoteStockSplit', '3 for 1 forward stock split', ['2025-05-15 3']],
    ['StockholdersEquityReverseStockSplit', '20-for-1', ['2025-05-15 0.05']],
    // DDC: no split; NXTT: a plan; FLD: an exchange of shares in its merger
    ['StockholdersEquityNoteStockSplit', '1:1', []],
    ['StockholdersEquityReverseStockSplit', '1-for-10 to 1-for-250', []],
    ['StockholdersEquityNoteStockSplit', '1.1014-for-1.0', []],
  ])('reads %s `%s`', (concept, value, expected) => {
    expect(splitsOf(none, [term(concept, value, '2025-05-15')])).toEqual(expected);
  });

  it('turns a reverse split that is filed as a number above one', () => {
    const text = 'StockholdersEquityNoteStockSplitConversionRatio1, 2025-05-15, 20, pure';
    expect(splitsOf(text, [term('StockholdersEquityReverseStockSplit', '1-for-20', '2025-05-15')])).toEqual([
      '2025-05-15 0.05',
    ]);
    expect(splitsOf(text)).toEqual(['2025-05-15 20']);
  });

  it('is none over a period whose day is not known, and one of another company none either', () => {
    expect(
      splitsOf(`StockholdersEquityNoteStockSplitConversionRatio1, 2025-05-01/2025-05-31, 10, pure
        StockholdersEquityNoteStockSplitConversionRatio1, 2025-05-07, 7, pure, dei:LegalEntityAxis=kutg:GermanBionicMember`),
    ).toEqual([]);
  });

  it('is one where the decision and the effect are two dates', () => {
    expect(
      splitsOf(`StockholdersEquityNoteStockSplitConversionRatio1, 2021-06-03, 4, pure
        StockholdersEquityNoteStockSplitConversionRatio1, 2021-07-19, 4, pure`),
    ).toEqual(['2021-07-19 4']);
  });
});
