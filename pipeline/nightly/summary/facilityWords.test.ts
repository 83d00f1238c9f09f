import { describe, expect, it } from 'vitest';
import { movedFacilityWords, type NearestCall, nearestCallWords } from './facilityWords.ts';

const figures = { drawn: 3_800_000, collateral_units: 70, trigger_ltv: 0.64, margin_call_price: 84821.43 };
const moved = {
  ticker: 'KULR',
  name: 'kutg:LoanAgreementMember',
  change: 'new' as const,
  collateral_asset: 'BTC',
  as_of: '2025-09-30',
  prior: null,
  now: figures,
  accession_number: '0001104659-25-113662',
};

describe('a moved loan in words', () => {
  it('says amount, coins and call of a new one (KULR 2025-09-30)', () => {
    expect(movedFacilityWords(moved)).toBe(
      'drew 3.8 M against 70 BTC; call at 84,821.43 USD; as of 2025-09-30, LoanAgreement',
    );
  });

  it('says the amount before, and names what is not stated', () => {
    const prior = { ...figures, drawn: 8_000_000 };
    expect(movedFacilityWords({ ...moved, change: 'changed', prior })).toContain(
      '8.0 M → 3.8 M against 70 BTC',
    );
    const bare = { ...figures, drawn: null, collateral_units: null, margin_call_price: null };
    expect(movedFacilityWords({ ...moved, now: bare })).toBe(
      'drew an amount not stated against BTC; as of 2025-09-30, LoanAgreement',
    );
    expect(movedFacilityWords({ ...moved, change: 'not_shown', prior, now: null })).toBe(
      'LoanAgreement is not among the loans read from the new filing, 8.0 M before',
    );
  });
});

describe('the nearest margin call in words', () => {
  const call: NearestCall = {
    ticker: 'MSTR',
    name: 'mstr:SecuredTermLoanDueTwentyTwentyFiveMember',
    collateral_asset: 'BTC',
    margin_call_price: 21062.37,
    live_price_fall_to_call: 0.537484,
    live_ltv: 0.231258,
    trigger_ltv: 0.5,
    price_date: '2022-03-31',
    as_of: '2022-03-31',
  };

  it('says the room left, or how far the close is through, and since when coins are not known (MSTR 2022)', () => {
    expect(nearestCallWords(call)).toBe(
      'MSTR   its call at 21,062.37 USD a BTC is a fall of 53.7 % from the close of 2022-03-31, without collateral added since 2022-03-31',
    );
    expect(
      nearestCallWords({ ...call, live_price_fall_to_call: -0.107517, price_date: '2022-06-18' }),
    ).toContain('is already crossed: the close of 2022-06-18 is below it');
  });
});
