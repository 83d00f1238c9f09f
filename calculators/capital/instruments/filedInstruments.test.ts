import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type DebtFiling, debtFilings, instrumentsOf } from '../../../fixtures/builders/debtTables.ts';
import { conceptNames } from '../../../pipeline/xbrl/conceptNames.ts';
import { filingDefects } from '../../../pipeline/xbrl/filingDefects.ts';
import { type Instance, readInstance } from '../../../pipeline/xbrl/readInstance.ts';
import type { Figure } from '../figure.ts';
import type { Instrument, Instruments } from '../parts.ts';

const filings = debtFilings();

/**
 * state | name | principal status basis | carrying amount | coupon | maturity | conversion price | rank, then the stack:
 * worked out from the facts as filed
 */
const expected: Readonly<Record<string, readonly string[]>> = {
  'mstr-20240331': [
    'outstanding | Convertible Senior Notes Due 2027 | 1050000000 proven named | 1038316000 | 0 | 2027-02-15 |  | unsecured',
    'outstanding | Convertible Senior Notes Due 2030 | 800000000 proven named | 782248000 | 0.00625 | 2030-03-15 | 1497.68 | unsecured',
    'outstanding | Convertible Senior Notes Due 2025 | 650000000 proven named | 644698000 | 0.0075 | 2025-12-15 |  | unsecured',
    'outstanding | Convertible Senior Notes Due 2031 | 603750000 proven named | 592368000 | 0.00875 | 2031-03-15 | 2327.21 | unsecured',
    'outstanding | Senior Secured Notes Due 2028 | 500000000 proven named | 491622000 | 0.06125 | 2028-06-15 |  | secured_by_coins',
    'outstanding | Other Long Term Secured Debt | 10209000 proven ladder | 10049000 | 0.052 | 2027-06 |  | secured_by_other_assets',
    'dated_only | Secured Term Loan Due 2025 |  |  |  |  |  | secured_by_other_assets',
    'ties -8000 3613959000',
  ],
  'mstr-20210331': [
    'outstanding | Convertible Senior Notes Due 2027 | 1050000000 proven face | 1026263000 | 0 | 2027-02-15 | 1432.46 | unsecured',
    'outstanding | Convertible Senior Notes Due 2025 | 650000000 proven face | 635651000 | 0.0075 | 2025-12-15 | 397.99 | unsecured',
    'ties 0 1700000000',
  ],
  'riot-20250930': [
    'outstanding | Convertible Notes Payable | 594400000 stated gross | 583900000 | 0.0075 |  |  | unsecured',
    'outstanding | Two Hundred Million Credit Facility | 200000000 stated flows |  | 0.0875 | 2026-04-22 |  | secured_by_coins',
    'outstanding | Fifty Million Credit Facility | 34272000 stated carrying_amount | 34272000 | 0.055 |  |  | secured_by_other_assets',
    'outstanding | Twenty Million Credit Facility | 20000000 stated carrying_amount | 20000000 | 0.058 |  |  | secured_by_other_assets',
    'ties 1572000 848672000',
  ],
  'clsk-20250630': [
    'outstanding | 2030 Convertible Note | 650000000 stated face_confirmed | 635295000 | 0 | 2030-06 | 14.8 | unsecured',
    'outstanding | Coinbase Line Of Credit | 174500000 stated table | 174500000 | 0.085 |  |  | secured_by_coins',
    'outstanding | Western Alliance Bank Credit Agreement | 6253000 stated table | 6253000 | 0.0675 | 2029-08-14 |  | unsecured',
    'outstanding | Mortgage Corporate New | 1962000 stated table | 1962000 | 0.0653 | 2030-04 |  | secured_by_other_assets',
    'outstanding | Auto And Equipment Loans And Financing | 1444000 stated table | 1444000 |  |  |  | secured_by_other_assets',
    'outstanding | Marquee Funding Partners | 883000 stated table | 883000 | 0.13 |  |  | unsecured',
    'unconfirmed | Auto And Equipment Loans And Western Alliance Equipment Financing Agreement | 530000 stated face |  |  |  |  | secured_by_other_assets',
    'not_outstanding | Mortgage Corporate Facility | 0 stated table | 0 | 0.1 | 2025-05-10 |  | secured_by_other_assets',
    'not_outstanding | Trinity Master Equipment Financing Arrangement | 0 stated table | 0 | 0.138 | 2025-04 |  | secured_by_other_assets',
    'dated_only | Master Loan Agreement |  |  |  |  |  | unsecured',
    'ties 0 835042000',
  ],
  'clsk-20240630': [
    'outstanding | Master Equipment Financing Arrangment | 6932000 stated ladder | 6862000 | 0.138 | 2025-04 |  | secured_by_other_assets',
    'outstanding | Mortgage Corporate Facility | 2000000 stated ladder | 1973000 | 0.1 | 2025-05-10 |  | secured_by_other_assets',
    'outstanding | Marquee Funding Partners | 1387000 proven ladder | 1387000 | 0.13 |  |  | unsecured',
    'outstanding | Auto And Equipment Loans | 757000 proven face | 757000 |  |  |  | secured_by_other_assets',
    'ties 0 11076000',
  ],
  'fld-20250930': [
    'outstanding | March 2025 Investor Note | 46279500 proven gross | 60750183 | 0.07 |  | 12.5 | secured_by_coins',
    'outstanding | June 2025 Amended Investor Note | 20000000 proven gross | 21644139 | 0.12 |  | 9 | secured_by_coins',
    'not_outstanding | December 2024 Initial Investor Note | 0 stated debt_instrument_carrying_amount | 0 |  |  | 11.5 | unsecured',
    'ties 0 66279500',
  ],
  'dfdv-20250930': [
    'outstanding | July 2030 Convertible Notes | 122500000 stated carrying_amount | 122500000 | 0.055 | 2030-07-01 | 23.11 | unsecured',
    'outstanding | Master Loan Agreement | 70331000 stated face_line | 70331000 |  |  |  | secured_by_coins',
    'outstanding | April 2030 Convertible Notes | 17847000 stated carrying_amount | 17847000 | 0.025 | 2030-04-06 | 9.74 | unsecured',
    'outstanding | Loans Payable | 267000 stated carrying_amount | 267000 | 0.071 |  |  | unsecured',
    'ties 0 210945000',
  ],
  'btbt-20250930': [
    'outstanding | Other Long Term Debt Noncurrent | 196345 stated face_line | 196345 |  |  |  | unsecured',
    'dated_only | Convertible Senior Notes |  |  | 0.04 |  |  | unsecured',
    'dated_only | Royal Bank Of Canada Facility Agreement |  |  |  |  |  | unsecured',
    'ties 0 196345',
  ],
  'btcs-20250930': [
    'outstanding | Loans Payable Current | 56500000 stated face_line | 56500000 |  |  |  | unsecured',
    'outstanding | Convertible Long Term Notes Payable | 11099589 stated face_line | 11099589 |  |  |  | unsecured',
    'unconfirmed | Convertible Notes Payable | 105000 stated carrying_amount | 105000 |  |  |  | unsecured',
    'ties 0 67599589',
  ],
  'tmb-20250930': [
    'outstanding | Loan Agreement | 3800000 stated face_line | 3800000 |  |  |  | secured_by_coins',
    'unconfirmed | Promissory Note | 3659200 stated face |  |  |  |  | unsecured',
    'ties 0 3800000',
  ],
  'tsla-20241231': [
    'outstanding | Automotive Asset Backed Notes | 4329000000 stated gross | 4314000000 |  |  |  | secured_by_other_assets',
    'outstanding | China Working Capital Facility | 2740000000 stated table | 2740000000 | 0.0192 | 2025-04 |  | secured_by_other_assets',
    'outstanding | Energy Asset Backed Notes | 493000000 stated gross | 488000000 |  |  |  | secured_by_other_assets',
    'outstanding | Cash Equity Debt | 338000000 stated gross | 329000000 |  |  |  | secured_by_other_assets',
    'outstanding | Other Recourse Debt | 7000000 stated table | 7000000 |  |  |  | unsecured',
    'unconfirmed | Recourse | 7000000 stated ladder | 7000000 |  |  |  | unsecured',
    'not_outstanding | Rcf Credit Agreement | 0 stated table | 0 |  | 2028-01 |  | unsecured',
    'dated_only | Two Point Zero Zero Percent Senior Convertible Note Due 2024 |  |  | 0.02 |  |  | unsecured',
    'ties 0 7907000000',
  ],
  'game-20240630': [
    'outstanding | King Street CD | 5700000 stated table | 5700000 | 0.1275 | 2025-12-29 |  | unsecured',
    'outstanding | Lines Of Credit Current | 5284771 stated face_line | 5284771 |  |  |  | unsecured',
    'outstanding | Three Curve CD | 1250000 stated table | 1250000 | 0.07 | 2025-08-31 | 4.4 | unsecured',
    'subsequent | Promissory Note | 6500000 stated face |  | 0 |  |  | unsecured',
    'subsequent | Convertible Senior Secured Note | 5800000 stated face |  | 0.18 |  |  | secured_by_other_assets',
    'ties 0 12234771',
  ],
  'game-20240930': [
    'outstanding | Yorkville CD | 6400000 proven face | 6400000 | 0 | 2025-07-08 | 1.375 | unsecured',
    'outstanding | Lines Of Credit Current | 4321038 stated face_line | 4321038 |  |  |  | unsecured',
    'outstanding | Three Curve CD | 1250000 stated table | 1250000 | 0.07 | 2025-08-31 | 4.4 | unsecured',
    'unconfirmed | King Street CD | 5700000 stated carrying_amount | 5700000 | 0.1275 | 2025-12-29 | 3.04 | unsecured',
    'dated_only | Promissory Note |  |  | 0 |  |  | unsecured',
    'subsequent | Promissory Note |  |  |  |  |  | unsecured',
    'ties 0 11971038',
  ],
  'game-20250331': [
    'outstanding | Gigamoon CD | 10000000 stated face_confirmed | 10000000 | 0.075 | 2029-11-13 | 2.5 | secured_by_other_assets',
    'outstanding | Lines Of Credit Current | 2851175 stated face_line | 2851175 |  |  |  | unsecured',
    'outstanding | Notes Payable Current | 2786083 stated face_line | 2786083 |  |  |  | unsecured',
    'outstanding | Three Curve CD | 1250000 stated table | 1250000 | 0.07 | 2025-08-31 | 4.4 | unsecured',
    'dated_only | Promissory Note |  |  | 0 |  |  | unsecured',
    'not_outstanding | Yorkville CD |  |  |  |  |  | unsecured',
    'ties 0 16887258',
  ],
  'ddc-20241231': [
    'outstanding | February 2021 Shareholders Loan | 64772782 stated carrying_amount | 64772782 | 0.08 |  |  | unsecured',
    'outstanding | January 2019 Shareholder Loan | 14538200 stated carrying_amount | 14538200 | 0.08 |  |  | unsecured',
    'outstanding | August October 2024 Convertible Loans | 10800000 stated carrying_amount | 10800000 | 0.08 |  |  | unsecured',
    'outstanding | December 2024 Convertible Loans | 8700000 stated carrying_amount | 8700000 | 0.08 |  |  | unsecured',
    'outstanding | December 2022 Convertible Loan | 8678280 stated carrying_amount | 8678280 | 0.08 |  |  | unsecured',
    'outstanding | November 2020 Shareholder Loan | 5031880 stated carrying_amount | 5031880 | 0.08 |  |  | unsecured',
    'outstanding | Other Long Term Debt Noncurrent | 4463550 stated face_line | 4463550 |  |  |  | unsecured',
    'outstanding | August 2021 Convertible Loan | 3500000 stated carrying_amount | 3500000 | 0 |  |  | unsecured',
    'outstanding | Long Term Debt Current | 792548 stated face_line | 792548 |  |  |  | unsecured',
    'dated_only | August Twenty Thousand Thwenty Three Convertible Loans |  |  | 0.12 |  |  | unsecured',
    'dated_only | December 2022 Shareholder Loan |  |  | 0.08 |  |  | unsecured',
    'dated_only | July 2022 Credit Facility Agreement |  |  |  |  |  | unsecured',
    'not_outstanding | May And June Twothousand Twenty Three Convertible Loans |  |  |  |  |  | unsecured',
    'not_outstanding | May 2022 Convertible Loan |  |  | 0 |  |  | unsecured',
    'dated_only | November 2023 Shareholder Loan |  |  |  |  |  | unsecured',
    'dated_only | One Year Credit Facility Agreement With Bank Of China |  |  | 0.0305 |  |  | unsecured',
    'dated_only | One Year Credit Facility Agreement With China Merchants Bank |  |  | 0.0341 |  |  | unsecured',
    'dated_only | One Year Loan Agreements With BOC |  |  | 0.031 |  |  | unsecured',
    'dated_only | Ten Years Loan Agreement With Nanyang |  |  | 0.03625 |  |  | unsecured',
    'dated_only | 2020 Convertible Loan |  |  | 0.08 |  |  | unsecured',
    'debt_not_itemised 32397801 121277240',
  ],
};

function lines({ found, stack }: Instruments): readonly string[] {
  return [
    ...found.filter(({ state }) => state !== 'aggregate').map(lineOf),
    `${stack.status} ${stack.difference} ${stack.principal}`,
  ];
}

function lineOf({
  state,
  name,
  principal,
  carryingAmount,
  couponRate,
  maturityDate,
  conversionPrice,
  rank,
}: Instrument): string {
  const owed = principal.value === null ? '' : `${principal.value} ${principal.status} ${principal.basis}`;
  const terms = [carryingAmount, couponRate, maturityDate, conversionPrice].map(textOf);
  return [state, name, owed, ...terms, rank].join(' | ');
}

function textOf({ value }: Figure | Figure<string>): string {
  return value === null ? '' : value.toString();
}

describe.each(filings)('notes and loans of $stem', (filing) => {
  it('are those of the facts as filed (M18.26)', () => {
    expect(lines(instrumentsOf(filing, filing.xbrl))).toEqual(expected[filing.stem]);
  });

  it('are the same in the whole instance, whose facts the table quotes', (ctx) => {
    const instance = instanceOf(filing);
    if (instance === null) return ctx.skip('no ../shared/data/edgar/instances');
    expect(lines(instrumentsOf(filing, instance))).toEqual(expected[filing.stem]);
  });
});

function instanceOf({ cik, stem }: DebtFiling): Instance | null {
  const folder = `../../../../shared/data/edgar/instances/${Number(cik)}/${stem}_htm.xml.gz`;
  const path = new URL(folder, import.meta.url);
  if (!existsSync(path)) return null;
  return readInstance({
    bytes: gunzipSync(readFileSync(path)),
    names: conceptNames(),
    defects: filingDefects(),
  });
}

const of = (stem: string, name: string): Instrument => {
  const filing = filings.find((each) => each.stem === stem);
  if (filing === undefined) throw new Error(`no table of ${stem}`);
  const found = instrumentsOf(filing, filing.xbrl).found.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no ${name} in ${stem}`);
  return found;
};

describe('what a filing says of one note', () => {
  it('confirms in thousands or millions and is never used (MSTR 2024: a face of 800)', () => {
    const { notes, principal } = of('mstr-20240331', 'Convertible Senior Notes Due 2030');
    expect(notes).toContain('scale_error:800');
    expect(textOf(principal)).toBe('800000000');
  });

  it('joins names by their words and keeps the letter (MSTR 2024: the notes of 2028)', () => {
    const { joins, members, springingMaturityDate, notes } = of(
      'mstr-20240331',
      'Senior Secured Notes Due 2028',
    );
    expect([joins, members.length, textOf(springingMaturityDate)]).toEqual([['b'], 2, '2025-09-15']);
    expect(notes).toContain('bucket_before_maturity');
  });

  it('takes coins for a pledge by fact: their number as filed on a period (MSTR 2024: 38,557)', () => {
    const { pledgedUnits, rankBasis } = of('mstr-20240331', 'Senior Secured Notes Due 2028');
    expect([textOf(pledgedUnits), rankBasis]).toEqual(['38557', 'facility']);
  });

  it('buys the filed number of shares, price or not (MSTR 2024: 534,160 and 1,633,190)', () => {
    const shares = (name: string) => textOf(of('mstr-20240331', name).conversionShares);
    expect(shares('Convertible Senior Notes Due 2030')).toBe('534160');
    expect(shares('Convertible Senior Notes Due 2025')).toBe('1633190');
  });

  it('buys principal by price where no ratio is filed (CLSK: 650 M at 14.80)', () => {
    expect(textOf(of('clsk-20250630', '2030 Convertible Note').conversionShares)).toBe('43918918.9');
  });

  it('takes no ladder with coupons for principal (MSTR 2021: 674,443 K)', () => {
    expect(of('mstr-20210331', 'Convertible Senior Notes Due 2025').notes).toEqual([
      'principal_differs:ladder=674443000',
    ]);
  });

  it('tells what does not close (RIOT: 583.9 + 12.9 is not 594.4)', () => {
    const { notes, fairValue } = of('riot-20250930', 'Convertible Notes Payable');
    expect([notes, textOf(fairValue)]).toEqual([['carrying_not_reconciled:2400000'], '916700000']);
  });

  it('names cash in a control account as other assets (RIOT: 50 M line)', () => {
    const { rankBasis, securedBy } = of('riot-20250930', 'Fifty Million Credit Facility');
    expect([rankBasis, securedBy]).toEqual(['collateral_fact', 'other_assets']);
  });

  it('gives the last part of an aggregate its carrying amount and premium (FLD: June note)', () => {
    const { unamortizedCost, carryingAmount, members } = of(
      'fld-20250930',
      'June 2025 Amended Investor Note',
    );
    expect(textOf(unamortizedCost)).toBe('-1644139');
    expect(carryingAmount.value === null ? '' : carryingAmount.status).toBe('proven');
    expect(members).toEqual([
      'fld:JuneTwoThousandAndTwentyFiveAmendedInvestorNoteMember',
      'fld:JuneTwoThousandTwentyFiveAmendedInvestorNoteMember',
    ]);
  });

  it('says where it is carried at fair value (FLD: 60.75 M of 46.28 M)', () => {
    expect(of('fld-20250930', 'March 2025 Investor Note').notes).toContain('fair_value_option');
  });

  it('keeps the face of what is not owed, in no sum (BTBT: 150 M of the day before)', () => {
    const { state, faceAmount, principal } = of('btbt-20250930', 'Convertible Senior Notes');
    expect([state, textOf(faceAmount), textOf(principal)]).toEqual(['dated_only', '150000000', '']);
  });

  it('conflicts where two dates are filed, never picks one (TSLA 2024: ends of a range)', () => {
    const { maturityDate, notes } = of('tsla-20241231', 'Cash Equity Debt');
    expect([maturityDate.value, notes.at(-1)]).toEqual([null, 'maturity_range:2033-07/2035-01']);
  });

  it('names the facts it rests on', () => {
    const { principal } = of('clsk-20250630', '2030 Convertible Note');
    expect(principal.facts.map(({ concept, value, end }) => `${concept} ${value} ${end}`)).toEqual([
      'clsk:DebtInstrumentAggregatePrincipalAmount 650000000 2024-12-31',
      'us-gaap:DebtInstrumentCarryingAmount 635295000 2025-06-30',
    ]);
  });

  it('says why a group is none (RIOT: proceeds alone)', () => {
    const filing = filings.find(({ stem }) => stem === 'riot-20250930');
    if (filing === undefined) throw new Error('no table of RIOT');
    expect(instrumentsOf(filing, filing.xbrl).refused.map(({ members }) => members.join('+'))).toContain(
      'us-gaap:RevolvingCreditFacilityMember',
    );
  });
});
