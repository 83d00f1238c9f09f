import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { handMadeTrail } from '../../fixtures/builders/handMadeTrail.ts';
import type { TrailFact } from '../trail/resolutionTrail.ts';
import { factKey, factsBehind, type LaterReading, recordedFigure } from './recordedFigure.ts';

const d = ExactDecimal.parse;

function fact(value: string): TrailFact {
  return {
    kind: 'fact',
    concept: 'us-gaap:NotesPayableCurrent',
    value: d(value),
    weight: 1,
    unit: 'USD',
    start: null,
    end: '2024-12-31',
    context: null,
    dimensions: [],
    decimals: 0,
    accession: '0000000000-25-016693',
    origin: 'instance',
  };
}

function later(amount: string, members: Partial<LaterReading> = {}): LaterReading {
  return {
    amount: d(amount),
    carried: d(amount),
    isAtCost: false,
    isProven: true,
    assets: d('1000'),
    ...members,
  };
}

const published = (amount: string, isAtCost = false) => ({
  amount: d(amount),
  isAtCost,
  isEstimate: false,
  assets: d('1000'),
});

describe('the record (M12.18)', () => {
  it('confirms a figure whose facts stand and whose comparatives add up to it', () => {
    const facts = [{ fact: fact('527513'), later: [d('527513.0')] }];
    expect(
      recordedFigure({ published: published('527513'), later: later('527513'), facts, tolerance: 0 }),
    ).toEqual({
      verdict: 'confirmed',
      compared: 1,
      changed: 0,
      absent: 0,
      finding: '1 of 1 facts filed again unchanged, and the comparatives add up to the same',
    });
  });

  it('calls KULR 2024-12-31 restated: its notes payable are 494,796 from its next filing on', () => {
    const facts = [{ fact: fact('516547'), later: [d('494796'), d('494796')] }];
    const row = recordedFigure({
      published: published('527513'),
      later: later('494796'),
      facts,
      tolerance: 0,
    });
    expect(row.verdict).toBe('restated');
    expect(row.finding).toBe('us-gaap:NotesPayableCurrent was 516,547, the later filing has 494,796');
  });

  it('calls a balance sheet of another entity restated (FLD 2024-12-31, the shell before the merger), proven or not', () => {
    const other = { assets: d('125655036') };
    const shell = { ...published('0'), assets: d('52216095') };
    const coins = recordedFigure({
      published: shell,
      later: later('102138351', other),
      facts: [],
      tolerance: 0,
    });
    expect([coins.verdict, coins.finding]).toEqual([
      'restated',
      'total assets were 52,216,095, the later filing has 125,655,036',
    ]);
    const debt = recordedFigure({
      published: shell,
      later: later('0', { ...other, isProven: false }),
      facts: [],
      tolerance: 0,
    });
    expect(debt.verdict).toBe('restated');
    // a reclassified total of assets restates no debt that stayed as it was
    expect(
      recordedFigure({ published: shell, later: later('0', other), facts: [], tolerance: 0 }).verdict,
    ).toBe('confirmed');
  });

  it('says contradicted only where the filer changed nothing and the comparatives prove another amount', () => {
    const facts = [
      { fact: fact('100'), later: [d('100')] },
      { fact: { ...fact('7'), concept: 'us-gaap:LoansPayable' }, later: [] },
    ];
    expect(
      recordedFigure({ published: published('107'), later: later('250'), facts, tolerance: 0 }),
    ).toMatchObject({
      verdict: 'contradicted',
      absent: 1,
      finding: '107 was published, the comparatives give 250; not shown again: us-gaap:LoansPayable',
    });
    const unproven = later('250', { isProven: false });
    expect(
      recordedFigure({ published: published('107'), later: unproven, facts, tolerance: 0 }).verdict,
    ).toBe('open');
  });

  it('compares coins at cost at cost, though their value has become known (MSTR 2024-12-31)', () => {
    const valued = later('41790421000', { carried: d('23909373000') });
    const facts = [{ fact: fact('23909373000'), later: [d('23909373000')] }];
    expect(
      recordedFigure({ published: published('23909373000', true), later: valued, facts, tolerance: 0 })
        .verdict,
    ).toBe('confirmed');
    // the other way round nothing can be said
    const atCost = later('23909373000', { isAtCost: true });
    expect(
      recordedFigure({ published: published('41790421000'), later: atCost, facts, tolerance: 0 }).verdict,
    ).toBe('open');
  });

  it('confirms units × close that the value filed later bears out within the price check, and no other (MSTR 2024-12-31)', () => {
    const estimate = { ...published('41790109291'), isEstimate: true };
    const verdict = (amount: string) =>
      recordedFigure({ published: estimate, later: later(amount), facts: [], tolerance: 0.03 }).verdict;
    expect([verdict('41790421000'), verdict('43900000000')]).toEqual(['confirmed', 'contradicted']);
  });

  it('confirms a proven absence, and an amount that the later filing shows by other facts', () => {
    expect(
      recordedFigure({ published: published('0'), later: later('0'), facts: [], tolerance: 0 }).finding,
    ).toBe('the comparatives prove none either');
    const moved = recordedFigure({
      published: published('5'),
      later: later('5'),
      facts: [{ fact: fact('5'), later: [] }],
      tolerance: 0,
    });
    expect([moved.verdict, moved.finding]).toEqual([
      'confirmed',
      'shown by other facts, and the comparatives add up to the same',
    ]);
  });
});

describe('facts behind a total', () => {
  it('are those of the trail dated on the balance sheet, each once', () => {
    const [debt] = handMadeTrail().ratio.children;
    expect(new Set(factsBehind(debt, '2025-09-30').map(({ end }) => end))).toEqual(new Set(['2025-09-30']));
    expect(factsBehind(debt, '2024-12-31')).toEqual([]);
    const keys = factsBehind(debt, '2025-09-30').map(factKey);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are one fact by concept, unit and members in any order', () => {
    const member = (axis: string) => ({ axis, member: 'x:M', typed: false });
    expect(factKey({ concept: 'a:B', unit: 'USD', dimensions: [member('a:Z'), member('a:A')] })).toBe(
      'a:B USD a:A=x:M a:Z=x:M',
    );
  });
});
