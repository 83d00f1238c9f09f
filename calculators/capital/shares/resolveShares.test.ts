import fc from 'fast-check';
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

describe('shares outstanding (M18.42)', () => {
  it('are the classes of the balance sheet, not what is issued or sold under an agreement (MSTR 0000950170-24-051230)', () => {
    const shares = sharesOf(
      `dei:EntityCommonStockSharesOutstanding, 2024-04-24, 15773406, shares, class=CommonClassAMember
      dei:EntityCommonStockSharesOutstanding, 2024-04-24, 1964025, shares, class=CommonClassBMember
      CommonStockSharesIssued, 2024-03-31, 24367000~-3, shares, class=CommonClassAMember
      CommonStockSharesIssued, 2024-03-31, 1964000~-3, shares, class=CommonClassBMember
      CommonStockSharesOutstanding, 2024-03-31, 15683000~-3, shares, class=CommonClassAMember
      CommonStockSharesOutstanding, 2024-03-31, 1964000~-3, shares, class=CommonClassBMember
      TreasuryStockCommonShares, 2024-03-31, 8684000~-3
      CommonStockSharesIssued, 2024-03-31, 1272077, shares, arrangement=mstr:November2023SalesAgreementMember`,
      { period: '2024-03-31' },
    );
    expect(textOf(shares.outstanding)).toBe('17647000 proven');
    expect(shares.byClass.map(({ id, count }) => `${id} ${textOf(count)}`)).toEqual([
      'CommonClassAMember 15683000 stated',
      'CommonClassBMember 1964000 stated',
    ]);
    expect([textOf(shares.cover), shares.coverDate]).toEqual(['17737431 stated', '2024-04-24']);
    expect(shares.notes).toEqual([]);
  });

  it('are of finer decimals where a sentence rounds them, and never of a merger (FLD 2025-09-30)', () => {
    const shares = sharesOf(`CommonStockSharesOutstanding, ${P}, 48018545
      CommonStockSharesOutstanding, ${P}, 48000000~-5
      CommonStockSharesOutstanding, ${P}, 48720405, shares, equity=CommonStockMember
      CommonStockSharesOutstanding, ${P}, 14237038, shares, acquisition=fld:FTACEmeraldMember`);
    expect(textOf(shares.outstanding)).toBe('48018545 stated');
  });

  it('are not those of notes or of the transfer agent (BTCS 0001493152-25-022359)', () => {
    const shares = sharesOf(`CommonStockSharesOutstanding, ${P}, 47075189
      CommonStockSharesOutstanding, ${P}, 2107757, shares, us-gaap:ShortTermDebtTypeAxis=ConvertibleNotesPayableMember
      CommonStockSharesIssued, ${P}, 3858000, shares, product=TransferAgentMember`);
    expect(textOf(shares.outstanding)).toBe('47075189 stated');
    expect(
      textOf(
        sharesOf(`CommonStockSharesIssued, ${P}, 3858000, shares, product=TransferAgentMember`).outstanding,
      ),
    ).toBe('null not_filed');
  });

  it('are null where two counts contradict each other', () => {
    const shares = sharesOf(`CommonStockSharesOutstanding, ${P}, 48018545
      CommonStockSharesOutstanding, ${P}, 48018546`);
    expect(textOf(shares.outstanding)).toBe('null conflict');
  });

  it.each([
    [
      'the equity statement less treasury',
      `SharesOutstanding, ${P}, 1000, shares, equity=CommonStockMember`,
      '990 stated',
    ],
    ['issued less treasury', `CommonStockSharesIssued, ${P}, 1000`, '990 stated'],
  ])('are %s where the balance sheet has no count', (_, line, expected) => {
    expect(textOf(sharesOf(`${line}\nTreasuryStockCommonShares, ${P}, -10`).outstanding)).toBe(expected);
  });

  it('are less those of the treasury column of the equity statement where no other count is filed', () => {
    const columns = `SharesOutstanding, ${P}, 1000, shares, equity=CommonStockMember
      SharesOutstanding, ${P}, -40, shares, equity=TreasuryStockCommonMember`;
    expect(textOf(sharesOf(columns).outstanding)).toBe('960 stated');
    const own = `${columns}\nTreasuryStockCommonShares, ${P}, 10`;
    expect(textOf(sharesOf(own).outstanding)).toBe('990 stated');
  });

  it('drop a total on the cover beside its classes', () => {
    const shares =
      sharesOf(`dei:EntityCommonStockSharesOutstanding, 2025-11-01, 70, shares, class=CommonClassAMember
      dei:EntityCommonStockSharesOutstanding, 2025-11-01, 30, shares, class=CommonClassBMember
      dei:EntityCommonStockSharesOutstanding, 2025-11-01, 1000`);
    expect(textOf(shares.cover)).toBe('100 stated');
  });
});

describe('the count against the cover (M18.43)', () => {
  const pair = (count: string, cover: string, more = '') =>
    sharesOf(`CommonStockSharesOutstanding, ${P}, ${count}
      dei:EntityCommonStockSharesOutstanding, 2025-12-05, ${cover}${more}`);

  it('is a placeholder of 100 shares (PURR 0001193125-25-311400): figures per share take the cover', () => {
    const shares = pair(
      '100',
      '127025563',
      `\nWeightedAverageNumberOfSharesOutstandingBasic, 2025-07-02/${P}, 92`,
    );
    expect([shares.outstanding, shares.perShare].map(textOf)).toEqual([
      'null unconfirmed',
      '127025563 stated',
    ]);
    expect([shares.perShareDate, ...shares.notes]).toEqual(['2025-12-05', 'placeholder:100']);
    expect(textOf(shares.fullyDiluted)).toBe('null missing:outstanding');
  });

  it.each([
    ['LITS 2025-06-30', '6663000', '35655155', 'count_moved:5.35'],
    ['BTCS 2025-06-30', '21968566', '48052778', 'count_moved:2.19'],
    ['FLD 2024-12-31', '9591222', '46888876', 'count_moved:4.89'],
    ['GAME 2025-06-30', '39123968', '98998596', 'count_moved:2.53'],
  ])('has moved and both stand: %s', (_, count, cover, note) => {
    const shares = pair(count, cover);
    expect([textOf(shares.perShare), textOf(shares.cover), ...shares.notes]).toEqual([
      `${count} stated`,
      `${cover} stated`,
      note,
    ]);
  });

  it.each([
    ['a count of 500 shares beside a cover of 40,000', '500', '40000', 'count_moved:80'],
    ['a count of 1,001 beside a cover above a hundred times it', '1001', '200000', 'count_moved:199.8'],
  ])('is no placeholder: %s', (_, count, cover, note) => {
    expect(pair(count, cover).notes).toEqual([note]);
  });

  it.each(['0.8', '1', '1.25'])('is steady at %s of the cover', (ratio) => {
    expect(pair('1000000', String(1_000_000 * Number(ratio))).notes).toEqual([]);
  });

  it('has slipped in scale, and the weighted average says which of the two has', () => {
    const average = `\nWeightedAverageNumberOfSharesOutstandingBasic, 2025-07-01/${P}, `;
    const slipped = pair('40000', '41000000', `${average}39000000`);
    expect([textOf(slipped.outstanding), textOf(slipped.perShare)]).toEqual([
      'null unconfirmed',
      '41000000 stated',
    ]);
    expect(slipped.notes).toEqual(['scale_error:40000']);
    const cover = pair('40000000', '41000', `${average}39000000`);
    expect([textOf(cover.perShare), ...cover.notes]).toEqual(['40000000 stated', 'scale_error:cover 41000']);
    expect(textOf(pair('40000', '41000000').perShare)).toBe('null conflict:scale');
  });

  it('has split between the two days', () => {
    const split = '\nStockholdersEquityNoteStockSplitConversionRatio1, 2025-11-10, 0.1, pure';
    expect(pair('50000000', '5100000', split).notes).toEqual(['count_split:0.1']);
    expect(pair('50000000', '51000000', split).notes).toEqual([]);
  });
});

const antidilutive = `AntidilutiveSecuritiesExcludedFromComputationOfEarningsPerShareAmount, 2025-07-01/${P}`;
const optionCount = 'ShareBasedCompensationArrangementByShareBasedPaymentAwardOptionsOutstandingNumber';
const unitCount =
  'ShareBasedCompensationArrangementByShareBasedPaymentAwardEquityInstrumentsOtherThanOptionsNonvestedNumber';

const outstandingWarrants = `ClassOfWarrantOrRightOutstanding, ${P}`;
const exercisePrice = `ClassOfWarrantOrRightExercisePriceOfWarrantsOrRights1, ${P}`;

describe('the diluted count (M18.46)', () => {
  const base = `CommonStockSharesOutstanding, ${P}, 1000000`;

  it('takes the incremental shares of the quarter and never an antidilutive average (RIOT)', () => {
    const incremental = 'IncrementalCommonSharesAttributableToConversionOfDebtSecurities';
    const shares = sharesOf(`${base}
      ${incremental}, 2025-07-01/${P}, 39988
      ${incremental}, 2025-01-01/${P}, 20000
      ${antidilutive}, 141000, shares, us-gaap:LongtermDebtTypeAxis=mstr:TwoThousandAndThirtyConvertibleNotesMember`);
    expect(textOf(shares.convertibleShares)).toBe('39988 stated');
  });

  it('is null with the part that is hinted at and not counted', () => {
    const hint = `${antidilutive}, 736000, shares, antidilutive=EmployeeStockOptionMember`;
    expect(textOf(sharesOf(`${base}\n${hint}`).fullyDiluted)).toBe('null missing:options');
    expect(
      textOf(sharesOf(`${base}\n${exercisePrice}, 5.4, USD/shares, equity=CommonStockMember`).fullyDiluted),
    ).toBe('null missing:warrants');
  });

  it('is null, not the outstanding count, where no part is filed', () => {
    expect(textOf(sharesOf(base).fullyDiluted)).toBe('null not_filed');
  });

  const counts = fc.record({
    outstanding: fc.integer({ min: 1, max: 1_000_000_000 }),
    options: fc.integer({ min: 0, max: 10_000_000 }),
    units: fc.integer({ min: 0, max: 10_000_000 }),
    warrants: fc.integer({ min: 0, max: 10_000_000 }),
  });
  const text = ({
    outstanding,
    options,
    units,
    warrants,
  }: {
    outstanding: number;
    options: number;
    units: number;
    warrants: number;
  }) =>
    `CommonStockSharesOutstanding, ${P}, ${outstanding}
      ${optionCount}, ${P}, ${options}, shares, award=EmployeeStockOptionMember
      ${unitCount}, ${P}, ${units}, shares, award=RestrictedStockUnitsRSUMember
      ${outstandingWarrants}, ${warrants}, shares, warrant=own:PublicWarrantsMember`;

  it('is never below what is outstanding', () => {
    fc.assert(
      fc.property(counts, (one) => {
        const { outstanding, fullyDiluted } = sharesOf(text(one));
        if (fullyDiluted.value === null || outstanding.value === null) return;
        expect(fullyDiluted.value.compare(outstanding.value)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('is the same in any order of the facts', () => {
    fc.assert(
      fc.property(
        counts.chain((one) =>
          fc
            .shuffledSubarray(text(one).split('\n'), { minLength: 4, maxLength: 4 })
            .map((lines) => [text(one), lines.join('\n')]),
        ),
        ([ordered = '', shuffled = '']) => {
          expect(sharesOf(shuffled)).toEqual(sharesOf(ordered));
        },
      ),
    );
  });
});
