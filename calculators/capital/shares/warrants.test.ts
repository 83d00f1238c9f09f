import { describe, expect, it } from 'vitest';
import { statedLines, figureText as textOf } from '../../../fixtures/builders/filedFacts.ts';
import type { TermFact } from '../../filing/xbrlFiling.ts';
import { resolveShares } from './resolveShares.ts';

const P = '2025-09-30';

function sharesOf(
  text: string,
  { period = P, terms = [] }: { period?: string; terms?: readonly TermFact[] } = {},
) {
  return resolveShares({ filing: { period }, facts: statedLines(text), terms });
}

const antidilutive = `AntidilutiveSecuritiesExcludedFromComputationOfEarningsPerShareAmount, 2025-07-01/${P}`;
const optionCount = 'ShareBasedCompensationArrangementByShareBasedPaymentAwardOptionsOutstandingNumber';
const unitCount =
  'ShareBasedCompensationArrangementByShareBasedPaymentAwardEquityInstrumentsOtherThanOptionsNonvestedNumber';

describe('options and units (M18.45)', () => {
  it('takes the options that a member names, whatever the axis (DFDV 0001193125-25-286660, CLSK 2025-06-30)', () => {
    const dfdv = sharesOf(
      `${optionCount}, ${P}, 1483991, shares, us-gaap:OptionIndexedToIssuersEquityTypeAxis=EmployeeStockOptionMember`,
    );
    const clsk = sharesOf(`${optionCount}, ${P}, 1604559
      ${optionCount}, ${P}, 2268130, shares, us-gaap:DerivativeInstrumentRiskAxis=StockOptionMember
      ${optionCount}, ${P}, 4042353, shares, class=clsk:RestrictedMember`);
    expect([dfdv.options, clsk.options].map(textOf)).toEqual(['1483991 stated', '2268130 stated']);
  });

  it('adds options priced in another currency only where they add up with the units (GAME 2025-09-30)', () => {
    const text = `${optionCount}, ${P}, 416621, shares, us-gaap:StatementGeographicalAxis=GAME:CADMember
      ${optionCount}, ${P}, 2344594
      ${unitCount}, ${P}, 2325761, shares, award=RestrictedStockUnitsRSUMember`;
    const apart = `\n${antidilutive}, 5086976, shares, antidilutive=GAME:OptionsAndUnvestedRSUMember`;
    expect(textOf(sharesOf(text + apart).options)).toBe('2761215 proven');
    expect(textOf(sharesOf(text).options)).toBe('2344594 stated');
  });

  it('refuses options a thousand times the count of the entity (MEI Pharma 2023-09-30)', () => {
    const member = `${optionCount}, ${P}, 1447127000~-3, shares, award=EmployeeStockOptionMember`;
    expect(textOf(sharesOf(`${member}\n${optionCount}, ${P}, 1447127~0`).options)).toBe('1447127 stated');
    const alone = sharesOf(`${member}\nCommonStockSharesOutstanding, ${P}, 6663000~-3`);
    expect([textOf(alone.options), ...alone.notes]).toEqual(['null unconfirmed', 'scale_error:1447127000']);
  });

  it('adds units by type and leaves out shares already issued (RIOT 0001104659-25-104466)', () => {
    const older = 'SharebasedCompensationArrangementBySharebasedPaymentAwardOptionsNonvestedNumberOfShares';
    const shares = sharesOf(`${older}, ${P}, 21257942, shares, award=riot:PerformanceBasedRsasMember
      ${older}, ${P}, 1769038, shares, award=riot:PerformanceBasedRSUsMember
      ${older}, ${P}, 3214782, shares, award=riot:ServicebasedRSAsMember
      ${older}, ${P}, 227353, shares, award=riot:ServicebasedRSUsMember`);
    expect([shares.restrictedUnits, shares.restrictedAwards].map(textOf)).toEqual([
      '1996391 stated',
      '24472724 stated',
    ]);
  });

  it('counts one type on two axes once, and the types not beside their total (BTCS 2025-09-30)', () => {
    const types = `${unitCount}, ${P}, 565080, shares, equity=CommonStockMember
      ${unitCount}, ${P}, 565080, shares, award=RestrictedStockUnitsRSUMember`;
    expect(textOf(sharesOf(types).restrictedUnits)).toBe('565080 stated');
    expect(textOf(sharesOf(`${types}\n${unitCount}, ${P}, 565080`).restrictedUnits)).toBe('565080 proven');
  });
});

const outstandingWarrants = `ClassOfWarrantOrRightOutstanding, ${P}`;
const exercisePrice = `ClassOfWarrantOrRightExercisePriceOfWarrantsOrRights1, ${P}`;
const called = `ClassOfWarrantOrRightNumberOfSecuritiesCalledByWarrantsOrRights, ${P}`;

describe('warrants (M18.45)', () => {
  const expired: TermFact = {
    concept: 'us-gaap:WarrantsAndRightsOutstandingMaturityDate',
    contextId: 'c409',
    value: '2025-07-25',
    start: null,
    end: P,
    dimensions: [
      {
        axis: 'us-gaap:ClassOfWarrantOrRightAxis',
        member: 'btbt:PrivatePlacementWarrantsMember',
        typed: false,
      },
    ],
  };
  const btbt = `CommonStockSharesOutstanding, ${P}, 322124795
    ${outstandingWarrants}, 10118046, shares, warrant=btbt:PrivatePlacementWarrantsMember
    ${exercisePrice}, 7.91, USD/shares, warrant=btbt:PrivatePlacementWarrantsMember`;

  it('count zero once they have expired (BTBT 0001213900-25-110383)', () => {
    const shares = sharesOf(btbt, { terms: [expired] });
    const [warrant] = shares.warrants;
    expect(warrant && [warrant.filed, warrant.count].map(textOf)).toEqual(['10118046 stated', '0 stated']);
    expect(textOf(shares.fullyDiluted)).toBe('322124795 partial');
    expect(shares.notes).toContain('warrants_expired:PrivatePlacementWarrants 2025-07-25');
  });

  it('count in full while they run', () => {
    expect(textOf(sharesOf(btbt, { terms: [{ ...expired, value: '2025-10-01' }] }).fullyDiluted)).toBe(
      '332242841 partial',
    );
  });

  it('are proven by nine classes that add up, two of them prefunded (LITS 0001193125-25-283111)', () => {
    const classes: readonly [string, string, string][] = [
      ['Pre-FundedWarrantsIssuedInPIPE', '1130290', '0.0001'],
      ['Pre-FundedWarrantsIssuedForServices', '546348', '0.0001'],
      ['GSROneWarrats', '584795', '3.42'],
      ['GSRTwoWarrants', '292398', '3.93'],
      ['GSRThreeWarrants', '292398', '4.62'],
      ['GSRFourWarrants', '292398', '5.13'],
      ['StrategicAdvisorWarrants', '438597', '4.1'],
      ['PlacementAgentWarrants', '1169591', '4.1'],
      ['OtherWarrants', '102513', '6.8'],
    ];
    const lines = classes.map(
      ([name, count, price]) => `${outstandingWarrants}, ${count}, shares, warrant=lits:${name}Member
        ${exercisePrice}, ${price}, USD/shares, warrant=lits:${name}Member`,
    );
    const shares = sharesOf(`${lines.join('\n')}
      ${outstandingWarrants}, 4849328
      ${called}, 1676638, shares, warrant=lits:Pre-FundedWarrantsMember
      CommonStockSharesOutstanding, ${P}, 35655000~-3`);
    expect([shares.prefunded, shares.warrantsTotal, shares.basicPlusPrefunded].map(textOf)).toEqual([
      '1676638 proven',
      '3172690 proven',
      '37331638 stated',
    ]);
  });

  it('are proven by what is antidilutive, notes and mergers among their members (FLD 2025-09-30)', () => {
    const shares =
      sharesOf(`${outstandingWarrants}, 925590, shares, debt=fld:MarchTwoThousandTwentyFiveInvestorNoteMember
      ${called}, 12434658, shares, acquisition=fld:FTACEmeraldMember
      ${called}, 12434658, shares, antidilutive=fld:FTACEmeraldMember
      ${called}, 869565, shares, debt=fld:JuneNoteMember, us-gaap:SeriesAxis=SeriesAMember
      ${called}, 869565, shares, debt=fld:JuneNoteMember, us-gaap:SeriesAxis=fld:SeriesCMember
      ${antidilutive}, 15099378, shares, class=WarrantMember`);
    expect([textOf(shares.warrantsTotal), shares.warrants.length]).toEqual(['15099378 proven', 4]);
  });

  it('are not what a sentence about an issue says they call (NXTT 0001213900-25-041307)', () => {
    const shares = sharesOf(`CommonStockSharesOutstanding, ${P}, 436265135
      ${called}, 294117647, shares, warrant=WarrantMember
      WarrantsAndRightsOutstanding, ${P}, 158080000~-4, USD, warrant=WarrantMember`);
    expect([shares.warrantsTotal, shares.fullyDiluted].map(textOf)).toEqual([
      'null not_filed',
      'null missing:warrants',
    ]);
  });

  it('stand in the table of awards, and prefunded ones beside them are not counted (FG Nexus 2025-09-30)', () => {
    const shares = sharesOf(`CommonStockSharesOutstanding, ${P}, 39834188
      ${unitCount}, ${P}, 4382580, shares, award=WarrantMember
      ${called}, 3000000~-5, shares, arrangement=FGF:PlacementAgencyAgreementMember
      ${called}, 700000~-5
      ${antidilutive}, 4382580, shares, antidilutive=FGF:WarrantsMember
      ${antidilutive}, 3473189, shares, antidilutive=FGF:PreFundedWarrantsMember`);
    expect([shares.warrantsTotal, shares.restrictedUnits].map(textOf)).toEqual([
      '4382580 proven',
      'null not_filed',
    ]);
    expect([shares.basicPlusPrefunded, shares.fullyDiluted].map(textOf)).toEqual([
      'null missing:prefunded',
      'null missing:prefunded',
    ]);
  });

  it('are one class and not its prices beside it (KULR 0001104659-25-113662)', () => {
    const shares = sharesOf(`${outstandingWarrants}, 88905
      ${outstandingWarrants}, 88905, shares, warrant=WarrantMember
      ${outstandingWarrants}, 66667, shares, warrant=WarrantMember, price=kutg:ExercisePrice8.00Member
      ${outstandingWarrants}, 22238, shares, warrant=WarrantMember, price=kutg:ExercisePrice10.00Member
      ${exercisePrice}, 8, USD/shares, warrant=WarrantMember, price=kutg:ExercisePrice8.00Member
      ${exercisePrice}, 10, USD/shares, warrant=WarrantMember, price=kutg:ExercisePrice10.00Member`);
    expect(textOf(shares.warrantsTotal)).toBe('88905 proven');
    expect(
      shares.warrants.map(({ count, exercisePrice: price }) => `${textOf(count)} at ${textOf(price)}`),
    ).toEqual(['22238 stated at 10 stated', '66667 stated at 8 stated']);
  });

  it('follow the total where classes do not add up to it, and none where the antidilutive amount is far off (CLSK)', () => {
    const text = `${outstandingWarrants}, 10000
      ${outstandingWarrants}, 7560, shares, equity=WarrantMember`;
    const shares = sharesOf(text);
    expect([textOf(shares.warrantsTotal), ...shares.notes]).toEqual([
      '10000 stated',
      'warrants_unallocated:2440',
    ]);
    const far = sharesOf(`${outstandingWarrants}, 22813726
      ${outstandingWarrants}, 7560, shares, equity=WarrantMember
      ${antidilutive}, 1586999, shares, equity=WarrantMember`);
    expect(textOf(far.warrantsTotal)).toBe('null conflict:warrants');
    expect(far.notes).toContain('warrants_differ:1586999 antidilutive');
  });

  it('of a later event or a part of a share are none (LITS, DFDV)', () => {
    const shares =
      sharesOf(`${outstandingWarrants}, 0, shares, warrant=lits:Pre-FundedWarrantsMember, subsequent=SubsequentEventMember
      ${called}, 43.2694, shares, us-gaap:LongtermDebtTypeAxis=dfdv:NotesMember`);
    expect([shares.warrants, textOf(shares.warrantsTotal)]).toEqual([[], 'null not_filed']);
  });
});
