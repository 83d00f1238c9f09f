import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { fact, statementFiling } from '../../fixtures/builders/statementFiling.ts';
import { chooseDuplicate } from './chooseDuplicate.ts';
import { factSheet } from './factSheet.ts';
import type { InstanceFact } from './xbrlFiling.ts';

type Stated = readonly [value: string | number, decimals: number | 'INF' | null];

function choose(first: Stated, ...others: readonly Stated[]) {
  const one = ([value, decimals]: Stated): InstanceFact => fact({ concept: 'Assets', value, decimals });
  const chosen = chooseDuplicate([one(first), ...others.map(one)]);
  if (chosen.kind === 'blocked') return chosen.values.map(String).join('|');
  return chosen.kind === 'nil' ? 'nil' : chosen.value.toString();
}

describe('EDGAR duplicate rule (M1.8, M1.9)', () => {
  it.each<[string, string, readonly [Stated, ...Stated[]]]>([
    [
      'keeps the finer figure whatever comes first (PFE)',
      '171797000000',
      [
        [172_000_000_000, -9],
        [171_797_000_000, -6],
      ],
    ],
    [
      'keeps an exact figure before any rounding (FLD)',
      '6663463',
      [
        [6_700_000, -5],
        [6_663_463, 0],
        [6_663_463, 'INF'],
      ],
    ],
    [
      'takes equal figures of equal decimals as one',
      '5',
      [
        [5, 0],
        [5, 0],
      ],
    ],
    [
      'blocks different figures of equal decimals',
      '5|6',
      [
        [5, 0],
        [6, 0],
      ],
    ],
    [
      'lets closed intervals touch',
      '5',
      [
        [5, 'INF'],
        [10, -1],
      ],
    ],
    [
      'blocks intervals that do not meet',
      '4|10',
      [
        [4, 'INF'],
        [10, -1],
      ],
    ],
    [
      'blocks three of which only neighbours meet',
      '0|50|99',
      [
        [0, -1],
        [50, -2],
        [99, 'INF'],
      ],
    ],
    [
      'takes decimals that are no integer as exact',
      '1|2',
      [
        [1, 0.5],
        [2, -1.5],
      ],
    ],
    ['takes a figure without decimals as exact', '7', [[7, null]]],
    [
      'reads nil as reported without an amount',
      'nil',
      [
        ['nil', null],
        ['nil', null],
      ],
    ],
    [
      'blocks nil beside a value (M1.18)',
      '5',
      [
        ['nil', null],
        [5, 0],
      ],
    ],
    [
      'takes absurd decimals as exact',
      '1|2',
      [
        [1, 400],
        [2, -400],
      ],
    ],
  ])('%s', (_, expected, facts) => {
    expect(choose(...facts)).toBe(expected);
  });

  it('never gives a value that was not filed, in whatever order (M15.9)', () => {
    const stated = fc.tuple(fc.nat({ max: 30 }), fc.constantFrom<number | 'INF'>(-1, 0, 'INF'));
    fc.assert(
      fc.property(stated, fc.array(stated, { maxLength: 4 }), (first, others) => {
        const forwards = choose(first, ...others);
        const [last = first, ...rest] = [first, ...others].toReversed();
        expect(choose(last, ...rest)).toBe(forwards);
        const filed = [first, ...others].map(([value]) => String(value));
        expect(forwards.split('|').every((value) => filed.includes(value))).toBe(true);
      }),
    );
  });
});

describe('facts of the instance beside companyfacts rows (M1.10)', () => {
  const xbrl = statementFiling('Assets 171797\n  Cash nil', { arcs: [] });
  const sheet = factSheet(
    issuerInputs({ balance: { Assets: 172_000, Cash: 5, Liabilities: 9 }, xbrl }),
    '2026-02-07',
  );

  it('precede them, nil included; rows fill what the instance lacks', () => {
    expect(sheet.amount('us-gaap:Assets')?.toString()).toBe('171797');
    expect([sheet.amount('us-gaap:Cash'), sheet.isNil('us-gaap:Cash')]).toEqual([null, true]);
    expect(sheet.amount('us-gaap:Liabilities')?.toString()).toBe('9');
    expect(sheet.facts.map((found) => `${found.concept} ${found.value}`)).toEqual([
      'Assets 171797',
      'Liabilities 9',
    ]);
  });

  it('are not known before the filing is filed (M10.2)', () => {
    expect(factSheet(issuerInputs({ xbrl }), '2025-11-02').amount('us-gaap:Assets')).toBeNull();
  });
});
