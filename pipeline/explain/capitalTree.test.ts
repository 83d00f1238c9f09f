import { describe, expect, it } from 'vitest';
import { capitalTrail, wholeCapitalRow } from '../../calculators/capital/surface/capitalRow.ts';
import { anyCapital } from '../../fixtures/builders/anyCapital.ts';
import { capitalTree } from './capitalTree.ts';

const subject = {
  issuer: { cik: '0000000001', ticker: 'XY', entityName: 'XY INC' },
  debtCoverage: 'resolved_nonzero' as const,
  computedAt: '2026-02-07T09:30:00Z',
};
const empty = {
  found: [],
  refused: [],
  stack: { status: 'unproven', difference: null, principal: null },
  currency: null,
  notes: [],
} as const;
const treeOf = (
  capital = anyCapital(),
  debtCoverage: 'resolved_nonzero' | 'resolved_zero' = 'resolved_nonzero',
) => capitalTree(wholeCapitalRow(capital, { ...subject, debtCoverage }), capitalTrail(capital));
const unfolded = (text: string) => text.replace(/\n[│ ]*(?![├└│ ])/g, ' ').replace(/ +/g, ' ');

describe('the tree of a capital structure (M18.87)', () => {
  it('says how each figure is proven, and its facts', () => {
    const text = unfolded(treeOf());
    expect(text).toContain('instruments: 2 found, 2 outstanding, the principal of 1 proven');
    expect(text).toContain('principal 40,000,000, proven (gross)');
    expect(text).toContain(
      'us-gaap:DebtInstrumentFaceAmount 40,000,000 USD at 2025-09-30, xy:ConvertibleNotesDue2030Member',
    );
    expect(text).toContain('principal 20,000,000, stated by one tag (face)');
    expect(text).toContain('carrying amount: not filed as a fact');
    expect(text).toContain('fully diluted: a part is missing: restricted units');
    expect(text).toContain('OfficeLeaseMember: no amount owed');
  });

  it('shows each identity with its residual', () => {
    const capital = anyCapital();
    const [note, loan] = capital.instruments.found;
    if (note === undefined || loan === undefined) throw new Error('the made-up issuer has two instruments');
    const { principal } = loan;
    const joined = {
      ...note,
      unamortizedCost: {
        ...note.carryingAmount,
        value: principal.value?.minus(principal.value),
      } as typeof principal,
      members: ['A', 'B'],
      joins: ['b'],
    };
    const text = unfolded(
      treeOf({ ...capital, instruments: { ...capital.instruments, found: [joined, loan] } }),
    );
    // 40,000,000 less 39,000,000 and nothing spread
    expect(text).toContain('identity: principal − carrying amount − unamortized cost = 1,000,000');
    expect(text).toContain('joined by b: A + B');
    expect(text).toContain(
      'BTC, units, 2025-07-01 to 2025-09-30: proven; identity: opening 900 + rows = closing 1,000, residual 0',
    );
  });

  it('says none of instruments only where the balance sheet proves that there is no debt (M18.81)', () => {
    const capital = anyCapital({ instruments: empty });
    expect(unfolded(treeOf(capital))).toContain('instruments: not filed as a fact');
    expect(unfolded(treeOf(capital, 'resolved_zero'))).toContain(
      'instruments: none: the balance sheet proves that there is no debt',
    );
    expect(unfolded(treeOf(anyCapital({ absent: 'no_instance' })))).toContain(
      'the facts of the filing are not available',
    );
  });
});
