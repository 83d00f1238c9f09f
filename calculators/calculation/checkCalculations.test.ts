import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { CalculationArc } from '../filing/xbrlFiling.ts';
import type { CalculationCheck, CalculationFact, CalculationMode } from './calculationVerdicts.ts';
import { checkCalculations } from './checkCalculations.ts';

function fact(concept: string, value: string | null, over: Partial<CalculationFact> = {}): CalculationFact {
  return {
    concept,
    contextId: 'c',
    unit: 'USD',
    value: value === null ? null : ExactDecimal.parse(value),
    decimals: value === null ? null : 0,
    start: null,
    end: '2025-09-30',
    dimensions: [],
    ...over,
  };
}

function arc(from: string, to: string, weight = '1', role = 'r'): CalculationArc {
  return { role, from, to, weight: ExactDecimal.parse(weight), order: 1, version: '1.1' };
}

function outcomes(
  facts: readonly CalculationFact[],
  arcs: readonly CalculationArc[],
  mode: CalculationMode = '1.1-round',
): string[] {
  return checkCalculations({ facts, arcs, mode }).map((check) =>
    'reason' in check ? `${check.outcome} ${check.reason}` : check.outcome,
  );
}

const twoItems = [arc('a:T', 'a:X'), arc('a:T', 'a:Y')];

describe('binding of a total (M1.17)', () => {
  it('binds when one item is reported and ignores the others', () => {
    expect(outcomes([fact('a:T', '5'), fact('a:X', '5')], twoItems)).toEqual(['pass']);
  });

  it('does not bind without a reported item, and not at all without the total', () => {
    expect(outcomes([fact('a:T', '5')], twoItems)).toEqual(['unbound no_item_reported']);
    expect(outcomes([fact('a:X', '5')], twoItems)).toEqual([]);
  });

  it('does not bind an item of another unit, date or dimension', () => {
    const dimensions = [{ axis: 'a:Axis', member: 'a:RelatedParty', typed: false }];
    for (const over of [{ unit: 'EUR' }, { end: '2024-12-31' }, { start: '2025-01-01' }, { dimensions }]) {
      expect(outcomes([fact('a:T', '5'), fact('a:X', '7', over)], twoItems)).toEqual([
        'unbound no_item_reported',
      ]);
    }
  });

  it('binds equal contexts under two ids (XBRL 2.1 §4.10 c-equal)', () => {
    expect(outcomes([fact('a:T', '5'), fact('a:X', '5', { contextId: 'd' })], twoItems)).toEqual(['pass']);
  });

  it('never counts a nil item, nor binds a nil total (M1.9)', () => {
    expect(outcomes([fact('a:T', '5'), fact('a:X', '5'), fact('a:Y', null)], twoItems)).toEqual(['pass']);
    expect(outcomes([fact('a:T', '5'), fact('a:Y', null)], twoItems)).toEqual(['unbound no_item_reported']);
    expect(outcomes([fact('a:T', null), fact('a:X', '5')], twoItems)).toEqual(['unbound total_nil']);
  });
});

describe('Calculations 1.1, round to nearest (M1.18)', () => {
  const rounded = { decimals: -3 };

  it('passes thousands that miss by rounding only, where 1.0 fails', () => {
    // 1,000 ± 500 + 2,000 ± 500 = [2,000, 4,000] meets 4,000 ± 500; 1.0 compares 3,000 with 4,000
    const facts = [fact('a:T', '4000', rounded), fact('a:X', '1000', rounded), fact('a:Y', '2000', rounded)];
    expect(outcomes(facts, twoItems)).toEqual(['pass']);
    expect(outcomes(facts, twoItems, '1.0')).toEqual(['fail']);
  });

  it('fails as soon as the intervals are disjoint, and passes where they touch', () => {
    const items = [fact('a:X', '10'), fact('a:Y', '20')];
    // 30 ± 1 reaches 31; 31 ± ½ starts at 30.5, 32 ± ½ at 31.5
    expect(outcomes([fact('a:T', '31'), ...items], twoItems)).toEqual(['pass']);
    expect(outcomes([fact('a:T', '32'), ...items], twoItems)).toEqual(['fail']);
    // 31.5 ± 0.5 written as decimals 0 would be 31 or 32; at tenths 31.1 ± 0.05 starts at 31.05
    expect(outcomes([fact('a:T', '31.1', { decimals: 1 }), ...items], twoItems)).toEqual(['fail']);
  });

  it('takes what all consistent duplicates allow', () => {
    // 99,400,000 ± 50,000 and 99,369,000 ± 500 (LITS): the finer one lies inside
    const duplicates = [fact('a:X', '99400000', { decimals: -5 }), fact('a:X', '99369000', { decimals: -3 })];
    expect(outcomes([fact('a:T', '99369400'), ...duplicates], [arc('a:T', 'a:X')])).toEqual(['pass']);
    expect(outcomes([fact('a:T', '99400000'), ...duplicates], [arc('a:T', 'a:X')])).toEqual(['fail']);
  });

  it('stops on inconsistent duplicates, nil beside a value, excess digits and unknown accuracy', () => {
    const total = fact('a:T', '5');
    const x = fact('a:X', '5');
    expect(outcomes([total, x, fact('a:X', '7')], twoItems)).toEqual(['stopped inconsistent_duplicates']);
    expect(outcomes([total, x, fact('a:X', null)], twoItems)).toEqual(['stopped nil_and_value']);
    expect(outcomes([total, fact('a:X', '5.2')], twoItems)).toEqual(['stopped excess_digits']);
    expect(outcomes([total, fact('a:X', '5', { decimals: null })], twoItems)).toEqual([
      'stopped no_known_digit',
    ]);
    expect(outcomes([total, fact('a:T', '9'), x], twoItems)).toEqual(['stopped inconsistent_duplicates']);
  });

  it('stops when a role states an item of a total twice with different weights', () => {
    const arcs = [arc('a:T', 'a:X', '1'), arc('a:T', 'a:X', '-1'), arc('a:T', 'a:Y')];
    expect(outcomes([fact('a:T', '5'), fact('a:Y', '5')], arcs)).toEqual(['stopped duplicate_relationship']);
  });

  it('subtracts an item of weight -1 with its interval turned round', () => {
    const [check] = checkCalculations({
      facts: [fact('a:T', '7'), fact('a:X', '10'), fact('a:Y', '3', { decimals: 'INF' })],
      arcs: [arc('a:T', 'a:X'), arc('a:T', 'a:Y', '-1')],
      mode: '1.1-round',
    });
    if (check?.outcome !== 'pass') throw new Error('expected a pass');
    expect([String(check.sum.low), String(check.sum.high)]).toEqual(['6.5', '7.5']);
  });
});

describe('XBRL 2.1 §5.2.5.2', () => {
  it('rounds an item before it is weighted and the sum after, ties to even', () => {
    // 2.85 at one decimal is 2.8; | 2.85 - 2.8 | is exactly one half of the last digit
    expect(
      outcomes([fact('a:T', '2.8', { decimals: 1 }), fact('a:X', '2.85', { decimals: 1 })], twoItems, '1.0'),
    ).toEqual(['pass']);
    expect(
      outcomes([fact('a:T', '2.9', { decimals: 1 }), fact('a:X', '2.85', { decimals: 1 })], twoItems, '1.0'),
    ).toEqual(['fail']);
  });

  it('does not bind duplicates, equal or not', () => {
    const facts = [fact('a:T', '5'), fact('a:X', '5'), fact('a:X', '5')];
    expect(outcomes(facts, twoItems, '1.0')).toEqual(['unbound duplicate_facts']);
    expect(outcomes([...facts, fact('a:T', '5')], twoItems, '1.0')).toEqual(['unbound duplicate_facts']);
  });
});

describe('work', () => {
  it('stops at the limit and says so once', () => {
    const facts = Array.from({ length: 50 }, (_, n) => {
      const end = `2025-01-${String((n % 25) + 1).padStart(2, '0')}`;
      return fact(n < 25 ? 'a:T' : 'a:X', '1', { end });
    });
    const arcs = [arc('a:T', 'a:X', '1', 'r1'), arc('a:T', 'a:X', '1', 'r2'), arc('a:T', 'a:X', '1', 'r3')];
    const checks = checkCalculations({ facts, arcs, mode: '1.1-round', workLimit: 60 });
    expect(checks.filter((check) => check.outcome === 'pass').length).toBe(25);
    expect(checks.filter((check) => check.outcome === 'stopped')).toMatchObject([
      { role: 'r2', reason: 'work_limit' },
    ]);
  });
});

const concepts = ['a:T', 'a:X', 'a:Y', 'a:Z'];
const anyFact = fc
  .record({
    concept: fc.constantFrom(...concepts),
    value: fc.option(fc.integer({ min: -50, max: 50 }), { freq: 10 }),
    decimals: fc.constantFrom(0, -1, 1, 'INF' as const),
    end: fc.constantFrom('2025-09-30', '2024-12-31'),
    unit: fc.constantFrom('USD', 'shares'),
  })
  .map(({ concept, value, decimals, end, unit }) =>
    fact(concept, value === null ? null : String(value), {
      end,
      unit,
      contextId: end,
      decimals: value === null ? null : decimals,
    }),
  );
const anyArc = fc
  .tuple(
    fc.constantFrom(...concepts),
    fc.constantFrom(...concepts),
    fc.constantFrom('1', '-1'),
    fc.constantFrom('r', 's'),
  )
  .map(([from, to, weight, role]) => arc(from, to, weight, role));
const anyInput = fc.record({
  facts: fc.array(anyFact, { maxLength: 25 }),
  arcs: fc.uniqueArray(anyArc, { maxLength: 8, selector: (a) => `${a.role} ${a.from} ${a.to} ${a.weight}` }),
  mode: fc.constantFrom('1.0' as const, '1.1-round' as const),
});

function shown(checks: readonly CalculationCheck[]): string {
  return JSON.stringify(checks, (_, value) =>
    value instanceof ExactDecimal ? value.toString() : typeof value === 'bigint' ? String(value) : value,
  );
}

describe('laws', () => {
  it('the order of facts and arcs never matters', () => {
    fc.assert(
      fc.property(anyInput, fc.integer(), ({ facts, arcs, mode }, seed) => {
        const turn = <T>(list: readonly T[]): T[] => {
          const at = list.length === 0 ? 0 : Math.abs(seed) % list.length;
          return [...list.slice(at), ...list.slice(0, at)].reverse();
        };
        expect(shown(checkCalculations({ facts: turn(facts), arcs: turn(arcs), mode }))).toBe(
          shown(checkCalculations({ facts, arcs, mode })),
        );
      }),
    );
  });

  it('scaling every amount by a thousand changes no outcome', () => {
    fc.assert(
      fc.property(anyInput, ({ facts, arcs, mode }) => {
        const thousand = ExactDecimal.parse('1000');
        const scaled = facts.map((f) => ({
          ...f,
          value: f.value?.times(thousand) ?? null,
          decimals: typeof f.decimals === 'number' ? f.decimals - 3 : f.decimals,
        }));
        expect(outcomes(scaled, arcs, mode)).toEqual(outcomes(facts, arcs, mode));
      }),
    );
  });

  it('names digits beyond the decimals before a contradiction, whatever the order of duplicates', () => {
    const duplicates = [fact('a:T', '-49'), fact('a:T', '-10'), { ...fact('a:T', '-49'), decimals: -1 }];
    for (const facts of [duplicates, [...duplicates].reverse()]) {
      expect(outcomes([...facts, fact('a:X', '1')], twoItems)).toEqual(['stopped excess_digits']);
    }
  });

  it('figures that add up exactly pass in both modes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 30 }),
        (values) => {
          const items = values.map((value, n) => fact(`a:I${n}`, String(value)));
          const total = fact('a:T', String(values.reduce((sum, value) => sum + value, 0)));
          const arcs = items.map((item) => arc('a:T', item.concept));
          expect(outcomes([total, ...items], arcs)).toEqual(['pass']);
          expect(outcomes([total, ...items], arcs, '1.0')).toEqual(['pass']);
        },
      ),
    );
  });
});
