import { describe, expect, it } from 'vitest';
import { debtOfFacts } from '../../fixtures/builders/debtOfFacts.ts';
import { debtOfStatement } from '../../fixtures/builders/debtOfStatement.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { fact, statementFiling } from '../../fixtures/builders/statementFiling.ts';
import type { NamedLines } from '../filing/xbrlFiling.ts';

const { resolve } = debtOfStatement(registryParameters);

const lease = 'us-gaap:FinanceLeaseLiability';

/** 30 of current and 100 of noncurrent debt under the names given, leases by the notes, lines they are said to be in. */
function debtOf({
  current = 'LongTermDebtAndCapitalLeaseObligationsCurrent',
  noncurrent = 'LongTermDebtAndCapitalLeaseObligations',
  leases,
  lists = {},
}: {
  current?: string;
  noncurrent?: string;
  leases: Readonly<Record<string, number>>;
  lists?: Readonly<Record<string, readonly string[]>>;
}) {
  const filing = statementFiling(`
LiabilitiesAndStockholdersEquity 900
  Liabilities 500
    LiabilitiesCurrent 200
      ${current} 30
      AccruedLiabilitiesCurrent 170
    ${noncurrent} 100
    DeferredTaxLiabilitiesNoncurrent 200`);
  const facts = Object.entries(leases).map(([concept, value]) =>
    fact({ concept: `${lease}${concept}`, value }),
  );
  const namedLines = Object.entries(lists).map(
    ([concept, lines]): NamedLines => ({ concept: `${lease}${concept}`, end: '2025-09-30', lines }),
  );
  const { total, notes } = resolve({ ...filing, facts: [...filing.facts, ...facts], namedLines });
  return { total, isNoted: notes.includes('includes_finance_lease') };
}

describe('finance leases inside debt (M1.20b)', () => {
  it('are taken off undivided where both buckets include leases', () => {
    expect(debtOf({ leases: { '': 12 } })).toEqual({ total: 118, isNoted: false });
    // the part that is filed is in it
    expect(debtOf({ leases: { '': 12, Current: 5 } })).toEqual({ total: 118, isNoted: false });
  });

  it('are taken off part by part where both are filed, whatever the undivided balance is', () => {
    expect(debtOf({ leases: { '': 13, Current: 5, Noncurrent: 7 } })).toEqual({ total: 118, isNoted: false });
  });

  it('stay inside, and say so, where one bucket alone includes leases', () => {
    expect(debtOf({ current: 'LongTermDebtCurrent', leases: { '': 12 } })).toEqual({
      total: 130,
      isNoted: true,
    });
    expect(debtOf({ leases: {} })).toEqual({ total: 130, isNoted: true });
  });

  it('are off the line that the filing names, whatever its own name says', () => {
    const names = { current: 'LongTermDebtCurrent', noncurrent: 'LongTermDebtNoncurrent' };
    const leases = { Current: 5, Noncurrent: 7 };
    const lists = {
      Current: ['us-gaap:LongTermDebtCurrent'],
      Noncurrent: ['us-gaap:LongTermDebtNoncurrent'],
    };
    expect(debtOf({ ...names, leases, lists })).toEqual({ total: 118, isNoted: false });
    expect(debtOf({ ...names, leases })).toEqual({ total: 130, isNoted: false });
  });

  it('are not in a debt that is lease-inclusive by name where the filing names another line', () => {
    const leases = { Current: 5, Noncurrent: 7 };
    const lists = {
      Current: ['us-gaap:AccruedLiabilitiesCurrent'],
      Noncurrent: ['us-gaap:OtherLiabilitiesNoncurrent'],
    };
    expect(debtOf({ leases, lists })).toEqual({ total: 130, isNoted: false });
    expect(debtOf({ leases: { '': 12 }, lists })).toEqual({ total: 130, isNoted: false });
    // the other bucket is still by name
    expect(debtOf({ leases, lists: { Current: lists.Current } })).toEqual({ total: 123, isNoted: false });
  });

  it('are taken off single facts by the same rule', () => {
    const facts = {
      LongTermDebtAndCapitalLeaseObligations: 100,
      LongTermDebtAndCapitalLeaseObligationsCurrent: 30,
      Liabilities: 500,
    };
    const undivided = debtOfFacts({ ...facts, FinanceLeaseLiability: 12 });
    expect(undivided).toMatchObject({ notes: [] });
    expect(undivided.total.toString()).toBe('118');
    expect(debtOfFacts(facts).notes).toEqual(['includes_finance_lease']);
  });
});
