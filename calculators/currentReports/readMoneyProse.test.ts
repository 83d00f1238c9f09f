import { describe, expect, it } from 'vitest';
import { readHtml, registryWords, reportContext } from '../../fixtures/rigs/reportBlocks.ts';
import { readDocument } from './readDocument.ts';
import { coinAmounts } from './readMoneyProse.ts';

const words = registryWords();
const read = (...paragraphs: string[]) =>
  readHtml(paragraphs.map((text) => `<p>${text}</p>`).join(''), reportContext(words)).stated;

describe('cash', () => {
  it('is stated with its day, and not as an account, an aim or the whole of another sum', () => {
    expect(
      read(
        'We had cash and cash equivalents of $66.9 million as of August 31, 2025, compared to $46.8 million.',
      ),
    ).toEqual(['cash USD $66900000 ..2025-08-31 High']);
    expect(read('As of August 31, 2025, the balance of our USD Reserve was $2.25 billion.')).toEqual([
      'cash USD $2250000000 ..2025-08-31 High',
    ]);
    expect(read('We established a $5.0 million cash reserve account as of August 31, 2025.')).toEqual([]);
    for (const other of [
      'We expect to hold total cash of $5.0 million as of August 31, 2025.',
      'Pro forma cash and cash equivalents were $5.0 million as of August 31, 2025.',
      'Alpha Corp. had cash and cash equivalents of $5.0 million as of August 31, 2025.',
    ])
      expect(read(other)).toEqual([]);
  });
});

describe('notes closed', () => {
  it('keep the net proceeds stated beside their principal; an estimate is none', () => {
    const closing =
      'On August 19, 2025, the Company completed its previously announced private offering of $1.01 billion aggregate principal amount of 0.625% convertible senior notes due 2028.';
    const net = (sentence: string) => {
      const html = `<p>${closing}</p><p>${sentence}</p>`;
      const { statements } = readDocument(new TextEncoder().encode(html), reportContext(words));
      return statements.map(({ kind, usd, netProceeds }) => [
        kind,
        `${usd}`,
        netProceeds?.toString() ?? null,
      ]);
    };
    // as Strategy words it (0001193125-24-222462)
    const stated =
      'The net proceeds from the sale of the notes were approximately $997.4 million, after deducting estimated offering expenses.';
    expect(net(stated)).toEqual([['notes_issued', '1010000000', '997400000']]);
    for (const other of [
      'The Company estimates that the net proceeds from the sale of the notes are approximately $997.4 million.',
      'The net proceeds from the sale of the notes will be approximately $997.4 million.',
      'The Company intends to use the net proceeds from the sale of the notes.',
    ])
      expect(net(other)).toEqual([['notes_issued', '1010000000', null]]);
  });
});

describe('a loan', () => {
  it('drawn under a line is debt of that day; what may be drawn, and shares sold under an agreement, are none', () => {
    for (const drawn of [
      'On August 5, 2025, the Company drew $50 million under its credit facility with Alpha Bank.',
      'On August 5, 2025, the Company borrowed an additional $50 million in term loans under the Master Loan Agreement.',
    ])
      expect(read(drawn)).toEqual(['notes_issued USD $50000000 ..2025-08-05 High']);
    for (const other of [
      'On August 5, 2025, the Company entered into a facility under which it may borrow $50 million under the agreement.',
      'On August 5, 2025, the Company issued $50 million of shares under its sales agreement.',
      'On August 5, 2025, a customer borrowed $50 million under our lending agreement.',
    ])
      expect(read(other)).toEqual([]);
  });

  it('that item 2.03 reports without a closing read is debt of an unread amount (M17.26)', () => {
    const filed = (...paragraphs: string[]) =>
      readHtml(
        paragraphs.map((text) => `<p>${text}</p>`).join(''),
        reportContext(words, { type: '8-K', items: ['2.03'] }),
      ).stated;
    const heading = 'Item 2.03 Creation of a Direct Financial Obligation.';
    expect(filed(heading, 'On August 29, 2025, the Company entered into a loan agreement.')).toEqual([
      'notes_issued USD $null ..2025-09-04 Medium',
    ]);
    expect(
      filed(heading, 'On August 29, 2025, the Company borrowed $50 million under the agreement.'),
    ).toEqual(['notes_issued USD $50000000 ..2025-08-29 High']);
  });
});

describe('shares sold in prose', () => {
  it('need a number and proceeds, and name their security where the sentence does', () => {
    const sold =
      'the Company sold an aggregate of 123,000 ABCD Shares under the program for aggregate net proceeds to the Company of approximately $10.7 million';
    expect(read(`During the period between August 18, 2025 and August 24, 2025, ${sold}.`)).toEqual([
      'atm ABCD 123000 2025-08-18..2025-08-24 High',
    ]);
    const kept = (text: string) =>
      readDocument(
        new TextEncoder().encode(`<p>In August 2025, ${text}.</p>`),
        reportContext(words),
      ).statements.map(({ netProceeds }) => netProceeds?.toString() ?? null);
    expect(kept(sold)).toEqual(['10700000']);
    expect(kept(sold.replace('net proceeds', 'gross proceeds'))).toEqual([null]);
    expect(read('In August 2025 the Company sold 123,000 shares of common stock.')).toEqual([]);
    expect(read('The Company may have sold 123,000 shares for net proceeds of $10.7 million.')).toEqual([]);
  });
});

describe('debt', () => {
  it('is issued on the day its offering closed, for its principal and not for the option in it', () => {
    expect(
      read(
        'On August 12, 2025, the Company completed its private offering of notes. The aggregate principal amount of the notes sold in the offering was $650 million, which includes an additional $100 million on exercise of an option exercised on August 9, 2025.',
      ),
    ).toEqual(['notes_issued USD $650000000 ..2025-08-12 High']);
  });

  it.each([
    'On August 11, 2025, the Company priced an offering of $300 million aggregate principal amount of convertible senior notes.',
    'On August 11, 2025, the Company announced its intention to offer $300 million aggregate principal amount of notes.',
    'As previously disclosed, on March 23, 2025, the lender issued a $205.0 million term loan to the Company.',
    'On August 11, 2025, the Company paid $8.2 million in interest on its notes.',
    'On August 11, 2025, the Company repurchased $50.0 million of its common stock and no notes.',
    'The Company may repurchase $200 million of notes on August 30, 2025.',
    'On August 11, 2025, the Company redeemed or settled conversions of $650.0 million of notes.',
  ])('does not move by: %s', (sentence) => {
    expect(read(sentence)).toEqual([]);
  });

  it('is repaid on its day, and called for the day of redemption, also one to come', () => {
    expect(
      read(
        'On August 22, 2025, the Company prepaid the bank approximately $161.0 million in full repayment of the loan.',
      ),
    ).toEqual(['debt_repaid USD $161000000 ..2025-08-22 High']);
    expect(
      read(
        'The Company delivered a notice of full redemption of its notes. The aggregate principal amount of the notes being redeemed is $650.0 million.',
        'The notice calls for redemption on October 15, 2025 (the "Redemption Date").',
      ),
    ).toEqual(['redemption_notice USD $650000000 ..2025-10-15 High']);
  });

  it('of an agreement filed as an exhibit is all that is read in it', () => {
    const html =
      '<p>On August 6, 2025, the Company borrowed a $25.0 million term loan. As of August 6, 2025, we held 5,000 BTC.</p>';
    const context = reportContext(words, { type: 'EX-10.1' });
    expect(readHtml(html, context).stated).toEqual(['notes_issued USD $25000000 ..2025-08-06 High']);
  });
});

describe('prices of coins', () => {
  it('are means that are stated; of a range there is none', () => {
    expect(coinAmounts(' at an average price of $109,568.', 'sale').avgPrice?.toString()).toBe('109568');
    expect(coinAmounts(' at average prices between $105,000 and $112,000.', 'sale').avgPrice).toBe(null);
  });
});
