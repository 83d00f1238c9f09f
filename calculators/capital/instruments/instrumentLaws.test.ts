import { assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { debtFilings, instrumentsOf } from '../../../fixtures/builders/debtTables.ts';
import type { Instruments } from '../parts.ts';

const filings = debtFilings();

describe('laws of instruments', () => {
  const stems = constantFrom(...filings.map(({ stem }) => stem));
  const filingOf = (stem: string) => {
    const found = filings.find((each) => each.stem === stem);
    if (found === undefined) throw new Error(stem);
    return found;
  };

  it('the order of facts changes nothing', () => {
    assert(
      property(stems, constantFrom(1, 2, 3), (stem, seed) => {
        const filing = filingOf(stem);
        const { facts, terms } = filing.xbrl;
        const mixed = { facts: shuffled(facts, seed), terms: shuffled(terms, seed) };
        expect(texts(instrumentsOf(filing, mixed))).toEqual(texts(instrumentsOf(filing, filing.xbrl)));
      }),
      { numRuns: 20 },
    );
  });

  it('money times 1,000 is principal times 1,000, and every rate and state stays', () => {
    const thousand = ExactDecimal.parse('1000');
    const isMoney = (unit: string) => /^[A-Z]{3}(\/shares)?$/.test(unit);
    assert(
      property(stems, (stem) => {
        const filing = filingOf(stem);
        const scaled = filing.xbrl.facts.map((each) => {
          const { value, unit, decimals } = each;
          if (value === null || !isMoney(unit)) return each;
          const shifted = typeof decimals === 'number' ? decimals - 3 : decimals;
          return { ...each, value: value.times(thousand), decimals: shifted };
        });
        const { total, roots, method } = filing.debt;
        const debt = {
          method,
          total: total.times(thousand),
          roots: roots.map((root) => ({ ...root, value: root.value.times(thousand) })),
        };
        const before = instrumentsOf(filing, filing.xbrl);
        const after = instrumentsOf({ ...filing, debt }, { ...filing.xbrl, facts: scaled });
        const owed = ({ found }: Instruments, by: ExactDecimal) =>
          found.map(({ id, state, principal, couponRate }) =>
            [id, state, principal.value?.times(by), couponRate.value].join(' '),
          );
        expect(owed(after, ExactDecimal.parse('1'))).toEqual(owed(before, thousand));
      }),
      { numRuns: 15 },
    );
  });

  it('what is outstanding and proven adds up to no more than D and its cost, in every filing', () => {
    const exceeding = filings.filter(
      (filing) => instrumentsOf(filing, filing.xbrl).stack.status === 'exceeds',
    );
    expect(exceeding.map(({ stem }) => stem)).toEqual([]);
  });
});

function texts({ found, stack, refused }: Instruments): readonly string[] {
  return [...found, stack, ...refused].map((each) =>
    JSON.stringify(each, (_, value) => (value instanceof ExactDecimal ? value.toString() : value)),
  );
}

/** The same items in another order, the same for the same seed. */
function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  let state = seed * 2_654_435_761;
  return items
    .map((item) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return { item, key: state };
    })
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
