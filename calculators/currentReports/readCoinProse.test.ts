import { describe, expect, it } from 'vitest';
import { readHtml, registryWords, reportContext } from '../../fixtures/rigs/reportBlocks.ts';

const words = registryWords();
const context = reportContext(words);
const read = (...paragraphs: string[]) =>
  readHtml(paragraphs.map((text) => `<p>${text}</p>`).join(''), context);

describe('a sentence about coins', () => {
  it('is dated by its period, amount and price being those before the next quantity', () => {
    const { stated } = read(
      'Between April 25, 2025 and April 29, 2025, Example Digital acquired 165 bitcoins for $15.7 million at an average price of $94,931 per bitcoin.',
      'As of April 29, 2025, we held 3,467 bitcoins, which were acquired at an aggregate purchase price of $306.1 million.',
    );
    expect(stated).toEqual([
      'purchase BTC 165 2025-04-25..2025-04-29 High',
      'holdings BTC 3467 ..2025-04-29 High',
    ]);
  });

  it('states two coins of one list, and a stock from one day to another', () => {
    expect(
      read(
        'As of August 31st at 6:00pm ET, our crypto holdings are comprised of 4,285,125 ETH at $2,317 per ETH, 193 Bitcoin (BTC) and cash.',
      ).stated,
    ).toEqual(['holdings ETH 4285125 ..2025-08-31 High', 'holdings BTC 193 ..2025-08-31 High']);
    expect(
      read(
        'We increased our bitcoin holdings by 2,500 bitcoins, from 130,001 bitcoins as of October 31, 2024, to 132,501 bitcoins as of December 27, 2024.',
      ),
    ).toEqual({
      stated: ['holdings BTC 130001 ..2024-10-31 High', 'holdings BTC 132501 ..2024-12-27 High'],
      refused: ['net_change BTC 2500'],
    });
  });

  it('says nothing bought with its period as a purchase of none', () => {
    expect(
      read(
        'During the period between August 18, 2025 and August 24, 2025, the Company did not purchase any bitcoin.',
      ).stated,
    ).toEqual(['purchase BTC 0 2025-08-18..2025-08-24 High']);
    expect(read('The Company did not purchase any bitcoin miners in August 2025.').stated).toEqual([]);
  });

  it('takes the first of "374 of 398 BTC earned", and a month from the heading above', () => {
    expect(
      read(
        'Highlights for August 2025',
        '• Sold 374 of 398 BTC earned',
        '• Produced 398 BTC and 2,100 BTC Year-to-Date',
      ),
    ).toEqual({
      stated: [
        'sale BTC 374 2025-08-01..2025-08-31 Medium',
        'production BTC 398 2025-08-01..2025-08-31 Medium',
      ],
      refused: ['cumulative BTC 2100'],
    });
  });

  it.each([
    ['forward', 'We intend to purchase 500 BTC in August 2025.'],
    ['bound', 'In August 2025 we bought more than 500 BTC.'],
    ['rounded', 'As of August 31, 2025, we held 1.52 million ETH.'],
    ['rate', 'In August 2025 we produced 17.5 BTC per day.'],
    ['rate', 'In August 2025 our production averaged 17.5 BTC.'],
    ['third_party', 'In August 2025 the government sold 50,000 bitcoin.'],
    ['third_party', 'As of August 31, 2025, our customers held 12,000 BTC.'],
    ['third_party', 'Metaplanet purchased 20,000 BTC in August 2025.'],
    [
      'third_party',
      'In August 2025 our data centers produced 1,462 bitcoin, of which some were mined by hosted customers.',
    ],
    ['prior', 'As previously disclosed, on August 11, 2025, the Company purchased 454 bitcoins.'],
    ['cumulative', 'To date, the Company has purchased 38,250 bitcoins.'],
    ['cumulative', 'Since the end of the first quarter of 2025, we acquired 12,222 bitcoins.'],
    ['part', 'As of August 31, 2025, we held coins, with our subsidiary holding 115,110 of these bitcoins.'],
    ['staked_part', 'As of August 31, 2025, we have 13,594 ETH staked.'],
    ['not_coins', 'As of August 31, 2025, we owned 11,513 bitcoin miners.'],
    ['not_coins', 'As of August 31, 2025, we held 2,195,926 SOL and SOL equivalents.'],
    ['future_day', 'As of December 31, 2025, we held 5,000 BTC.'],
    ['no_day', 'Subsequent to month-end, the Company purchased 100 BTC.'],
    ['forward', 'In August 2025 our board approved the purchase of 5,000 BTC.'],
    ['third_party', 'We acquired Alpha Corp, which held 350 bitcoin as of August 31, 2025.'],
    ['part', 'Our subsidiary Minor LLC ("Minor") holds 2,000 BTC as of August 31, 2025.'],
    ['net_change', 'As of August 31, 2025, our bitcoin holdings were up 50 BTC.'],
    ['no_day', 'Subsequent to June 30, 2025, the Company acquired 300 BTC.'],
    ['no_role', 'On August 3, 2025, we moved 500 BTC to cold storage.'],
  ])('is refused as %s: %s', (reason, sentence) => {
    const { stated, refused } = read(sentence);
    expect(stated).toEqual([]);
    expect(refused.map((line) => line.split(' ', 1)[0])).toEqual([reason]);
  });

  it('of an undisguised number counts, and of one with a bidirectional control in it does not', () => {
    expect(read('As of August 31, 2025, we held 5,000 BTC.').stated).toHaveLength(1);
    expect(read('As of August 31, 2025, we held 5,\u202e000 BTC.')).toEqual({
      stated: [],
      refused: ['text_disguised null null'],
    });
  });

  it('names its issuer by what the document defines, a subsidiary too, and by no one else', () => {
    const defined =
      'Example Digital Holdings, Inc. ("EDH"), through its wholly-owned subsidiary Minor LLC ("Minor"), holds coins.';
    expect(read(defined, 'On August 22, 2025, Minor sold 704 bitcoins.').stated).toEqual([
      'sale BTC 704 ..2025-08-22 High',
    ]);
    expect(read(defined, 'On August 22, 2025, Major sold 704 bitcoins.').refused).toEqual([
      'third_party BTC 704',
    ]);
  });
});

describe('a sentence without a day of its own', () => {
  it('is dated by what heads it only where both are of one length', () => {
    const quarter = 'Second Quarter 2025 Highlights';
    expect(read(quarter, 'We mined 700 BTC during the quarter.').stated).toEqual([
      'production BTC 700 2025-04-01..2025-06-30 Medium',
    ]);
    expect(read('Update for August 2025', 'We mined 700 BTC during the quarter.').refused).toEqual([
      'no_day BTC 700',
    ]);
    expect(read('Update for August 2025', 'We mined 7,024 BTC in 2024.').refused).toEqual([
      'no_day BTC 7024',
    ]);
  });

  it('of the end of a month is of the month the document is about, and of no other day', () => {
    const sentence = 'We ended the month with 1,152 BTC in treasury.';
    expect(read('Update for August 2025', sentence).stated).toEqual([
      'holdings BTC 1152 ..2025-08-31 Medium',
    ]);
    expect(read(sentence).refused).toEqual(['no_day BTC 1152']);
    expect(read('We currently hold 1,152 BTC.').stated).toEqual(['holdings BTC 1152 ..2025-09-04 Medium']);
  });
});

describe('acts of two days in one sentence', () => {
  it('are each of the day beside it', () => {
    expect(read('We bought 100 BTC on August 3, 2025 and sold 20 BTC on August 4, 2025.').stated).toEqual([
      'purchase BTC 100 ..2025-08-03 High',
      'sale BTC 20 ..2025-08-04 High',
    ]);
    expect(
      read('On August 3, 2025, we purchased 100 BTC and on August 4, 2025, we purchased 50 BTC.').stated,
    ).toEqual(['purchase BTC 100 ..2025-08-03 High', 'purchase BTC 50 ..2025-08-04 High']);
  });
});

describe('a number compared with', () => {
  it('is of its own month where one stands behind it, else told before', () => {
    expect(read('In August 2025 we produced 458 BTC, compared to 362 BTC in July 2025.').stated).toEqual([
      'production BTC 458 2025-08-01..2025-08-31 Medium',
      'production BTC 362 2025-07-01..2025-07-31 Medium',
    ]);
    expect(read('In August 2025 we produced 458 BTC, compared to 362 BTC in the prior month.')).toEqual({
      stated: ['production BTC 458 2025-08-01..2025-08-31 Medium'],
      refused: ['prior BTC 362'],
    });
    expect(read('As of August 31, 2025, we held 2,311 BTC, up from 2,240 BTC.').refused).toEqual([
      'prior BTC 2240',
    ]);
  });
});

describe('coins that secure a debt', () => {
  it('are an event of the day they were pledged or released, and still pledged while they will be released', () => {
    expect(read('On August 5, 2025, we pledged 300 BTC as collateral under the loan.').stated).toEqual([
      'pledge BTC 300 ..2025-08-05 High',
    ]);
    expect(read('On August 20, 2025, the lender released 300 BTC of collateral to us.').stated).toEqual([
      'release BTC 300 ..2025-08-20 High',
    ]);
    expect(read('Upon redemption, all collateral, including 300 BTC, will be released.').stated).toEqual([
      'pledge BTC 300 ..2025-09-04 Medium',
    ]);
  });
});

describe('a label with a number', () => {
  it('is dated by the label, else by the heading above it', () => {
    expect(
      read(
        'Mining Update for August 2025',
        'Bitcoin mined: 535',
        'Total BTC holdings as of August 31: 281',
        'Calendar year-to-date bitcoin mined: 4,157',
        'Deployed fleet: 88,825',
      ),
    ).toEqual({
      stated: ['production BTC 535 2025-08-01..2025-08-31 Medium', 'holdings BTC 281 ..2025-08-31 High'],
      refused: ['refused_label BTC 4157'],
    });
  });
});

describe('a footnote mark', () => {
  it('is no digit of the number before it, and refuses a number its note fills up with options', () => {
    const held =
      "As of August 31, 2025, the Company's ETH holdings<sup>1</sup> total 300,657<sup>2</sup> in all.";
    expect(read(held, '<sup>1</sup> Unaudited.').stated).toEqual(['holdings ETH 300657 ..2025-08-31 High']);
    expect(read(held, '<sup>1.</sup> 60,000 ETH are held through in-the-money options.').stated).toEqual([]);
  });
});
