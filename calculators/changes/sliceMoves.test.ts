import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type SliceStanding, sliceMoves } from './sliceMoves.ts';

function standing(
  ticker: string,
  input: Partial<SliceStanding> & { debt?: string | null } = {},
): SliceStanding {
  const amount = (text: string | null) => (text === null ? null : ExactDecimal.parse(text));
  return {
    cik: ticker.padStart(10, '0'),
    ticker,
    entityName: `${ticker} Inc.`,
    accession: '0000000001-25-000001',
    period: '2025-06-30',
    filingForm: '10-Q',
    method: 'core-ltv-1.0 cls-1.2',
    evidence: { debt: 'document_order', coins: 'fair_value' },
    riskTier: 'LOW',
    stress50: 0.2,
    alphaScore: 50,
    facilities: [],
    capital: null,
    figures: {
      total_long_term_debt: amount(input.debt === undefined ? '100' : input.debt),
      total_crypto_fair_value: amount('1000'),
      cash_and_equivalents: null,
      total_equity: amount('-5'),
    },
    ...input,
  };
}

const refiled = { accession: '0000000001-25-000009', period: '2025-09-30' };

describe('sliceMoves (I2.24)', () => {
  it('is empty between equal slices', () => {
    const slice = [standing('A'), standing('B')];
    const moves = sliceMoves({ before: slice, now: slice });
    expect(Object.values(moves).flat()).toEqual([]);
  });

  it('tells a change of method from a change of the issuer', () => {
    const before = [
      standing('FLD', { method: 'core-ltv-1.0 cls-1.1', riskTier: 'LOW', debt: '21644139' }),
      standing('NEW', { method: 'core-ltv-1.0 cls-1.1', riskTier: 'LOW' }),
      standing('SAME', { method: 'core-ltv-1.0 cls-1.1' }),
    ];
    const now = [
      standing('FLD', { riskTier: 'HIGH', stress50: 0.917082, debt: '82394322' }),
      standing('NEW', { ...refiled, riskTier: 'HIGH' }),
      standing('SAME'),
    ];
    const moves = sliceMoves({ before, now });
    expect(moves.methodChanged.map((row) => row.now.ticker)).toEqual(['FLD']);
    // a new filing is the issuer's own, whatever the method
    expect(moves.tierMoves.map((row) => row.ticker)).toEqual(['NEW']);
    expect(moves.stressLeaders).toEqual([]);
  });

  it('tells a filing that is read from other evidence, one way and back (FLD: facts of its instance at hand or not)', () => {
    const direct = standing('FLD', {
      evidence: { debt: 'single_facts', coins: 'fair_value' },
      debt: '21644139',
      stress50: 0.240908,
    });
    const whole = standing('FLD', { riskTier: 'HIGH', stress50: 0.917082, debt: '82394322' });
    for (const [before, now] of [
      [direct, whole],
      [whole, direct],
    ] as const) {
      const moves = sliceMoves({ before: [before], now: [now] });
      expect(moves.methodChanged).toEqual([{ before, now }]);
      expect([moves.tierMoves, moves.stressLeaders, moves.alphaLeaders, moves.movedFigures]).toEqual([
        [],
        [],
        [],
        [],
      ]);
    }
    // the same evidence: what moved is the issuer's
    const reread = sliceMoves({ before: [whole], now: [{ ...whole, riskTier: 'LOW' }] });
    expect(reread.methodChanged).toEqual([]);
    expect(reread.tierMoves).toHaveLength(1);
  });

  it('keeps the moves of a new filing and says that its evidence is another one (BTCS: one quarter to the next)', () => {
    const before = standing('BTCS', { evidence: { debt: 'single_facts', coins: 'fair_value' }, debt: '500' });
    const now = standing('BTCS', { ...refiled, riskTier: 'HIGH', debt: '900' });
    const moves = sliceMoves({ before: [before], now: [now] });
    expect(moves.methodChanged).toEqual([{ before, now }]);
    expect(moves.tierMoves).toHaveLength(1);
    expect(moves.movedFigures).toMatchObject([{ field: 'total_long_term_debt', method_changed: true }]);
    const same = sliceMoves({ before: [{ ...before, evidence: now.evidence }], now: [now] });
    expect(same.methodChanged).toEqual([]);
    expect(same.movedFigures[0]).not.toHaveProperty('method_changed');
    // no debt before is no method
    const none = { ...before, evidence: { debt: null, coins: 'fair_value' as const } };
    expect(sliceMoves({ before: [none], now: [now] }).methodChanged).toEqual([]);
  });

  it('ranks leaders by the size of the move; a value a slice does not hold is null and last', () => {
    const moves = sliceMoves({
      before: [standing('A'), standing('B'), standing('C', { alphaScore: null })],
      now: [
        standing('A', { stress50: 0.25, alphaScore: 48 }),
        standing('B', { stress50: 0.1, alphaScore: 90 }),
        standing('C', { stress50: 0.2, alphaScore: 77 }),
        standing('D', { stress50: 0.9, alphaScore: 10 }),
      ],
    });
    expect(moves.stressLeaders.map((row) => [row.ticker, row.prior_value, row.new_value, row.delta])).toEqual(
      [
        ['B', 0.2, 0.1, -0.1],
        ['A', 0.2, 0.25, 0.05],
        ['D', null, 0.9, null],
      ],
    );
    expect(moves.alphaLeaders.map((row) => [row.ticker, row.prior_value, row.new_value, row.delta])).toEqual([
      ['B', 50, 90, 40],
      ['A', 50, 48, -2],
      ['C', null, 77, null],
      ['D', null, 10, null],
    ]);
    expect(moves.entered.map((row) => row.ticker)).toEqual(['D']);
  });

  it('names tier moves, up towards CRITICAL, into and out of UNCLASSIFIED neither, and who left', () => {
    const moves = sliceMoves({
      before: [
        standing('A'),
        standing('B', { riskTier: 'HIGH' }),
        standing('C', { riskTier: 'UNCLASSIFIED' }),
        standing('D'),
      ],
      now: [standing('A', { riskTier: 'CRITICAL' }), standing('B', { riskTier: 'MODERATE' }), standing('C')],
    });
    expect(
      moves.tierMoves.map((row) => `${row.ticker} ${row.prior_tier} ${row.new_tier} ${row.direction}`),
    ).toEqual(['A LOW CRITICAL up', 'B HIGH MODERATE down', 'C UNCLASSIFIED LOW null']);
    expect(moves.left.map((row) => row.ticker)).toEqual(['D']);
  });

  it('tells tracked figures that moved with another filing, and only with another filing', () => {
    const moves = sliceMoves({
      before: [standing('A'), standing('B'), standing('C', { debt: null })],
      now: [
        standing('A', { ...refiled, debt: '250' }),
        standing('B', { debt: '999' }),
        standing('C', { ...refiled, debt: '7' }),
      ],
    });
    expect(
      moves.movedFigures.map((row) => [
        row.ticker,
        row.field,
        String(row.prior_value),
        String(row.new_value),
      ]),
    ).toEqual([
      ['A', 'total_long_term_debt', '100', '250'],
      ['C', 'total_long_term_debt', 'null', '7'],
    ]);
    expect(moves.movedFigures[0]).toMatchObject({
      accession_number: '0000000001-25-000009',
      prior_accession_number: '0000000001-25-000001',
    });
  });

  it('does not depend on the order of the rows', () => {
    const before = [standing('A'), standing('B')];
    const now = [
      standing('A', { stress50: 0.3, riskTier: 'HIGH' }),
      standing('B', { stress50: 0.3 }),
      standing('C'),
    ];
    expect(sliceMoves({ before: before.toReversed(), now: now.toReversed() })).toEqual(
      sliceMoves({ before, now }),
    );
  });
});
