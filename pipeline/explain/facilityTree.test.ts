import { describe, expect, it } from 'vitest';
import type { ResolutionTrail } from '../../calculators/trail/resolutionTrail.ts';
import type { CovenantFacility } from '../../data/contract/payloads/issuer/facility.ts';
import { facilityTree } from './facilityTree.ts';

const trail = (leftOut: ResolutionTrail['facilitiesLeftOut'] = []) =>
  ({ facilitiesLeftOut: leftOut }) as unknown as ResolutionTrail;

// the secured term loan of MSTR at 2022-03-31, on 2022-06-18
const loan: CovenantFacility = {
  facility_id: 'securedtermloanduetwentytwentyfivemember',
  name: 'mstr:SecuredTermLoanDueTwentyTwentyFiveMember',
  drawn: 205_000_000,
  drawn_basis: 'face_confirmed',
  limit: null,
  collateral_asset: 'BTC',
  collateral_units: 19_466,
  collateral_value: 886_455_863,
  collateral_basis: 'units_times_price',
  ltv: 0.231258,
  trigger_ltv: 0.5,
  trigger_kind: 'maintenance_maximum',
  margin_call_price: 21062.37,
  price_fall_to_call: 0.537484,
  live_ltv: 0.553759,
  live_price_fall_to_call: -0.107517,
  price_date: '2022-06-18',
  as_of: '2022-03-31',
  is_subsequent: false,
  confidence: 'High',
  notes: ['facility_collateral_dated:2022-03-23'],
  fact_refs: [
    {
      concept: 'mstr:PercentageOfLoanToCollateralValueRatioMaximum',
      date: '2022-03-23',
      members: ['mstr:SecuredTermLoanDueTwentyTwentyFiveMember'],
      value: '50',
      unit: 'pure',
    },
  ],
};

describe('the tree of facilities', () => {
  it('says amount, coins, trigger, the day, notes and facts of a loan (MSTR 2022-06-18)', () => {
    expect(facilityTree([loan], trail())).toMatchInlineSnapshot(`
      "1 loan secured by coins; information only, no ratio depends on it (M16.1)
      └─ secured term loan due twenty twenty five, as of 2022-03-31; confidence High;
         │ mstr:SecuredTermLoanDueTwentyTwentyFiveMember
         ├─ drawn 205,000,000 USD; the principal, confirmed by a carrying amount just
         │    below it (M16.4)
         ├─ collateral 19,466 BTC, worth 886,455,863 USD at the close of 2022-03-31
         │    (M16.7)
         ├─ loan-to-value of 0.5 is a breach of the maximum (M16.6), at 21,062.37 USD
         │    a coin (M16.9)
         ├─ on 2022-03-31: loan-to-value 0.231258, a fall of 53.75 % reaches the call
         ├─ at the close of 2022-06-18: loan-to-value 0.553759, the call is already
         │    crossed; without collateral added since 2022-03-31
         ├─ note: coins as pledged on an earlier day, while the loan is still drawn in
         │    full: 2022-03-23 (facility_collateral_dated)
         └─ facts as filed
            └─ percentage of loan to collateral value ratio maximum 50 pure at
                 2022-03-23; mstr:PercentageOfLoanToCollateralValueRatioMaximum,
                 mstr:SecuredTermLoanDueTwentyTwentyFiveMember
      "
    `);
  });

  it('says what was left out and why, and what an empty list means', () => {
    const text = facilityTree(
      undefined,
      trail([{ name: 'clsk:ReceivableForBitcoinCollateralPledged', reason: 'its pledge is released' }]),
    );
    expect(text).toContain('no loan that coins secure');
    expect(text.replace(/\s+/g, ' ')).toContain(
      'left out: clsk:ReceivableForBitcoinCollateralPledged; its pledge is released',
    );
  });

  it('escapes what a terminal would act on', () => {
    const named = { ...loan, name: 'own:Loan\u001b[31mMember' };
    expect(facilityTree([named], trail())).not.toContain('\u001b');
  });
});
