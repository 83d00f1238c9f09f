import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { figure, instrument, instruments, preferredStock } from '../../../fixtures/builders/capitalParts.ts';
import type { ClaimLens, Claims, Instrument, Stack } from '../parts.ts';
import { claimShocks, claimsAbsent, claimsAt } from './claimsAt.ts';
import type { ClaimBase } from './resolveClaimBase.ts';

const decimal = (text: string) => ExactDecimal.parse(text);

type Amounts = Exclude<keyof ClaimBase, 'collateral' | 'isLowerBound'>;

function base(
  part: Partial<Record<Amounts, string>> & { readonly collateral?: ClaimBase['collateral'] },
): ClaimBase {
  const amount = (name: Amounts, absent = '0') => decimal(part[name] ?? absent);
  return {
    coins: amount('coins'),
    carried: amount('carried', part.coins ?? '0'),
    isLowerBound: false,
    pledgedReceivable: amount('pledgedReceivable'),
    debt: amount('debt'),
    assets: part.assets === undefined ? null : amount('assets'),
    goodwill: amount('goodwill'),
    intangibles: amount('intangibles'),
    liabilities: part.liabilities === undefined ? null : amount('liabilities'),
    deferredTax: amount('deferredTax'),
    shareSettled: amount('shareSettled'),
    collateral: part.collateral ?? [],
  };
}

function inputOf({
  base: from,
  found,
  stack = {},
  preferred = null,
  outstanding = '1000',
}: {
  base: ClaimBase;
  found: readonly Instrument[];
  stack?: Partial<Stack>;
  preferred?: string | null;
  outstanding?: string | null;
}) {
  return {
    base: from,
    instruments: instruments(found, stack),
    preferred: preferredStock(preferred),
    outstanding: figure(outstanding),
  };
}

const coins = (instrumentId: string, value: string) => ({
  instrumentId,
  value: decimal(value),
  basis: 'share_of_coins' as const,
});

const convertible = (id: string, principal: string) =>
  instrument({ id, principal, kind: 'convertible_note' });

const lines = (claims: Claims | null) =>
  claims?.lines.map(
    (line) => `${line.rank ?? '-'} ${line.class} ${line.claim} ${line.paid ?? '-'} ${line.recovery ?? '-'}`,
  );

/** MSTR 0000950170-24-051230: 5,074,152 K of coins at cost, 38,557 of 214,278 BTC pledged to the notes of 2028. */
const mstr = inputOf({
  base: base({
    coins: '5074152000',
    debt: '3559293000',
    collateral: [coins('s28', '913038569.820514')],
  }),
  found: [
    convertible('n25', '650000000'),
    convertible('n27', '1050000000'),
    convertible('n30', '800000000'),
    convertible('n31', '603750000'),
    instrument({ id: 's28', principal: '500000000', rank: 'secured_by_coins' }),
    instrument({ id: 'other', principal: '10209000', rank: 'secured_by_other_assets' }),
  ],
});

describe('claims on the coins alone (M18.51)', () => {
  it('pays a secured note from its own coins, and what these lack with the unsecured (MSTR 2024 at −50 %)', () => {
    const claims = claimsAt(mstr, { lens: 'coins_only', shock: 0.5 });
    expect(claims?.lines.map((line) => [line.class, line.rank, line.recovery])).toEqual([
      ['secured_by_coins', 1, 0.970527],
      ['secured_by_other_assets', null, null],
      ['unsecured_convertible', 3, 0.661075],
      ['common', 6, null],
    ]);
  });

  it('counts debt that no instrument explains in rank three (DFDV 2025-09-30 at −70 %)', () => {
    const dfdv = inputOf({
      base: base({ coins: '453719000', debt: '202042000', collateral: [coins('financing', '152248000')] }),
      found: [
        convertible('april', '17847000'),
        convertible('july', '122500000'),
        instrument({ id: 'financing', principal: '70331000', rank: 'secured_by_coins' }),
      ],
      stack: { status: 'debt_not_itemised', difference: decimal('267000') },
    });
    expect(lines(claimsAt(dfdv, { lens: 'coins_only', shock: 0.7 }))).toEqual([
      '1 secured_by_coins 70331000 59167271.433758 0.841269',
      '3 unsecured_convertible 140347000 76802317.720756 0.547232',
      '3 debt_not_itemised 267000 146110.845486 0.547232',
      '6 common 0 0 -',
    ]);
  });

  it('shares the pool among several secured notes however their coins are split (FLD 2025-09-30 at −70 %)', () => {
    const fld = (march: string, june: string) =>
      inputOf({
        base: base({
          coins: '179688082',
          debt: '82394322',
          collateral: [coins('march', march), coins('june', june)],
        }),
        found: [
          instrument({ id: 'march', principal: '46279500', rank: 'secured_by_coins' }),
          instrument({ id: 'june', principal: '20000000', rank: 'secured_by_coins' }),
        ],
      });
    for (const [march, june] of [
      ['57000000', '34000000'],
      ['34000000', '57000000'],
    ] as const) {
      expect(claimsAt(fld(march, june), { lens: 'coins_only', shock: 0.7 })?.lines[0]?.recovery).toBe(
        0.81332,
      );
    }
  });

  it('adds pledged coins that stand as a receivable, and pays a secured loan of unknown coins first', () => {
    const clsk = inputOf({
      base: base({ coins: '100', pledgedReceivable: '60', debt: '90', collateral: [coins('line', '60')] }),
      found: [
        instrument({ id: 'line', principal: '20', rank: 'secured_by_coins' }),
        instrument({ id: 'unknown', principal: '10', rank: 'secured_by_coins' }),
        convertible('note', '60'),
      ],
    });
    const claims = claimsAt(clsk, { lens: 'coins_only', shock: 0.5 });
    expect(lines(claims)).toEqual([
      '1 secured_by_coins 30 30 1',
      '3 unsecured_convertible 60 50 0.833333',
      '6 common 0 0 -',
    ]);
    expect(claims?.notes).toEqual(['collateral_unknown:unknown']);
  });

  it('pays preferred before common, and common by the share', () => {
    const claims = claimsAt(
      inputOf({ base: base({ coins: '1000' }), found: [], preferred: '100', outstanding: '80' }),
      { lens: 'coins_only', shock: 0.3 },
    );
    expect([lines(claims), String(claims?.commonPerShare)]).toEqual([
      ['5 preferred 100 100 1', '6 common 600 600 -'],
      '7.5',
    ]);
  });

  it('takes the carrying amount where the principal is not proven', () => {
    const stated = instrument({ id: 'note', carrying: '80' });
    const note = { ...stated, principal: figure('100', 'stated') };
    const claims = claimsAt(inputOf({ base: base({ coins: '100', debt: '80' }), found: [note] }), {
      lens: 'coins_only',
      shock: 0.5,
    });
    expect(lines(claims)?.[0]).toBe('3 unsecured 80 50 0.625');
  });

  it('are none without coins, without a proven D, and where instruments exceed it', () => {
    const without = { base: base({ coins: '5' }), found: [] };
    expect(claimsAbsent(inputOf({ ...without, base: { ...without.base, coins: null } }), 'coins_only')).toBe(
      'not_applicable',
    );
    expect(claimsAbsent(inputOf({ ...without, base: { ...without.base, debt: null } }), 'coins_only')).toBe(
      'status_unproven',
    );
    expect(claimsAbsent(inputOf({ ...without, stack: { status: 'exceeds' } }), 'all_assets')).toBe(
      'status_unproven',
    );
    expect(claimsAt(inputOf(without), { lens: 'all_assets', shock: 0.5 })).toBe(null);
  });
});

describe('claims on all assets (M18.52)', () => {
  it('pays rank by rank from book assets less the fall, goodwill and other intangibles', () => {
    const claims = claimsAt(
      inputOf({
        base: base({
          coins: '400',
          debt: '300',
          assets: '1000',
          goodwill: '50',
          intangibles: '30',
          liabilities: '500',
          deferredTax: '20',
          shareSettled: '10',
          collateral: [coins('line', '50')],
        }),
        found: [
          instrument({ id: 'line', principal: '100', rank: 'secured_by_coins' }),
          instrument({ id: 'mortgage', principal: '60', rank: 'secured_by_other_assets' }),
          convertible('note', '140'),
          instrument({ id: 'junior', principal: '40', rank: 'subordinated' }),
        ],
        preferred: '500',
      }),
      { lens: 'all_assets', shock: 0.5 },
    );
    // 1000 − 50 − 30 − 200 = 720; other liabilities 500 − 300 − 20 − 10 = 170
    expect(lines(claims)).toEqual([
      '1 secured_by_coins 100 100 1',
      '2 secured_by_other_assets 60 60 1',
      '3 unsecured_convertible 140 140 1',
      '3 other_liabilities 170 170 1',
      '4 subordinated 40 40 1',
      '5 preferred 500 210 0.42',
      '6 common 0 0 -',
    ]);
    expect(claims?.notes).toEqual(['book_values_no_costs_no_order_by_court']);
  });
});

describe('preferred stock that one tag states (M18.50)', () => {
  const noted = (basis: string, shares: string | null) => {
    const input = inputOf({ base: base({ coins: '1000', debt: '0' }), found: [], preferred: '100' });
    const classes = input.preferred.classes.map((one) => ({
      ...one,
      claim: { ...figure('100'), basis },
      shares: shares === null ? one.shares : figure(shares),
    }));
    const claims = claimsAt(
      { ...input, preferred: { ...input.preferred, classes } },
      { lens: 'coins_only', shock: 0.5 },
    );
    return claims?.notes;
  };

  it('is said to be beside the claims: carried, without shares, par or preference (KULR: 100 dollars)', () => {
    expect(noted('carrying_amount', null)).toEqual(['preferred_stated_by_one_tag']);
    expect(noted('carrying_amount', '1000000')).toEqual([]);
    expect(noted('liquidation_preference', '100')).toEqual([]);
  });
});

describe('laws of claims (M18.91)', () => {
  const amount = fc.integer({ min: 0, max: 1_000_000 });
  const ranks = ['secured_by_coins', 'secured_by_other_assets', 'unsecured', 'subordinated'] as const;
  const some = fc.record({
    coins: amount,
    other: amount,
    receivable: amount,
    rest: amount,
    preferred: amount,
    notes: fc.array(fc.record({ claim: amount, own: fc.option(amount), rank: fc.constantFrom(...ranks) }), {
      maxLength: 6,
    }),
  });
  type Some = typeof some extends fc.Arbitrary<infer T> ? T : never;
  const ofSome = ({ coins: held, other, receivable, rest, preferred, notes }: Some, scale = 1) => {
    const times = (n: number) => decimal(String(n)).times(decimal(String(scale)));
    const debt = notes.reduce((sum, { claim }) => sum + claim, rest);
    return inputOf({
      base: {
        ...base({}),
        coins: times(held),
        carried: times(held),
        pledgedReceivable: times(receivable),
        debt: times(debt),
        assets: times(held + receivable + other),
        liabilities: times(debt + Math.floor(other / 3)),
        collateral: notes.flatMap(({ own }, i) => (own === null ? [] : [coins(`i${i}`, String(times(own)))])),
      },
      found: notes.map(({ claim, rank }, i) =>
        instrument({ id: `i${i}`, principal: String(times(claim)), rank }),
      ),
      stack: { status: 'debt_not_itemised', difference: times(rest) },
      preferred: String(times(preferred)),
    });
  };
  const lenses: readonly ClaimLens[] = ['coins_only', 'all_assets'];
  const all = (from: Some, scale = 1) =>
    lenses.flatMap((lens) =>
      claimShocks.flatMap((shock) => claimsAt(ofSome(from, scale), { lens, shock }) ?? []),
    );
  /** A sum of amounts rounded at six decimals. */
  const slack = 0.00001;

  it('what is paid and what is left to common are the pool', () => {
    fc.assert(
      fc.property(some, (from) => {
        for (const { pool, lines: paid } of all(from)) {
          const sum = paid.reduce((total, line) => total + (line.paid?.toNumber() ?? 0), 0);
          expect(Math.abs(sum - pool.toNumber())).toBeLessThan(slack);
        }
      }),
    );
  });

  it('recoveries lie within 0 and 1 and fall with the coins and with the rank', () => {
    fc.assert(
      fc.property(some, (from) => {
        for (const lens of lenses) {
          const falls = all(from).filter((claims) => claims.lens === lens);
          for (const claims of falls) {
            const ranked = claims.lines.filter(({ rank, recovery }) => rank !== null && recovery !== null);
            const rates = ranked.map(({ recovery }) => recovery ?? 0);
            expect(rates.every((rate) => rate >= 0 && rate <= 1)).toBe(true);
            expect(rates).toEqual(rates.toSorted((a, b) => b - a));
          }
          for (const kind of new Set(falls.flatMap(({ lines: paid }) => paid.map((line) => line.class)))) {
            const rates = falls.flatMap(
              ({ lines: paid }) => paid.find((line) => line.class === kind)?.recovery ?? [],
            );
            expect(rates).toEqual(rates.toSorted((a, b) => b - a));
          }
        }
      }),
    );
  });

  it('money times k pays k times as much, at the same recoveries; the order of instruments changes nothing', () => {
    fc.assert(
      fc.property(some, (from) => {
        const rates = (claims: readonly Claims[]) =>
          claims.map(({ lines: paid }) => paid.map((line) => `${line.class} ${line.recovery}`));
        expect(rates(all(from, 1000))).toEqual(rates(all(from)));
        const input = ofSome(from);
        const reversed = {
          ...input,
          instruments: { ...input.instruments, found: input.instruments.found.toReversed() },
        };
        for (const lens of lenses) {
          const shock = { lens, shock: 0.5 };
          expect(lines(claimsAt(reversed, shock))?.toSorted()).toEqual(
            lines(claimsAt(input, shock))?.toSorted(),
          );
        }
      }),
    );
  });
});
