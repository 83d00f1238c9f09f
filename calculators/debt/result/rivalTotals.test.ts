import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { debtOfFacts } from '../../../fixtures/builders/debtOfFacts.ts';
import { debtOfStatement } from '../../../fixtures/builders/debtOfStatement.ts';
import { faceStatement } from '../../../fixtures/builders/faceStatement.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { provenDebt } from '../provenDebt.ts';
import { resolveDebt } from '../resolveDebt.ts';

const parameters = registryParameters;
const { inputsOf } = debtOfStatement(parameters);

describe('one amount at two depths (M1.34b)', () => {
  const face = { ConvertibleLongTermNotesPayable: 100_000, Liabilities: 900_000 };

  it.each([
    // issuance cost or rounding: half a percent at most
    ['a note total half a percent above its face line', { ConvertibleNotesPayable: 100_500 }],
    ['a note total half a percent below its face line', { ConvertibleNotesPayable: 99_500 }],
  ])('%s is the face line', (_, note) => {
    const found = debtOfFacts({ ...face, ...note });
    expect(found).toMatchObject({ coverage: 'resolved_nonzero', disagreement: false });
    expect(found.total.toString()).toBe('100000');
  });

  it('a deeper amount that is larger never replaces what holds it, and is a rival (M1.29a, M1.36)', () => {
    const deep = (SeniorLongTermNotes: number) =>
      debtOfFacts({ LongTermDebtNoncurrent: 100_000, Liabilities: 900_000, SeniorLongTermNotes });
    expect(deep(100_500)).toMatchObject({ disagreement: false, rivals: [], notes: [] });
    const found = deep(106_000);
    expect(found.total.toString()).toBe('100000');
    expect(found.rivals.map(String)).toEqual(['106000']);
    expect(found.notes).toContain('debt_candidates_disagree:100000/106000');
  });
});

describe('lines stated for related parties where no total is at hand to place them (M1.7b, M1.36b)', () => {
  // FLD 2024-12-31 without its total: notes of 550,000 and loans of 5,191,767 with a member
  const filing = faceStatement(`
ConvertibleNotesPayableCurrent 550000
LoansPayableCurrent 5191767 [RelatedPartyMember]`);
  const found = resolveDebt(inputsOf(filing));

  it('are candidates, never summands (FLD 2024-12-31)', () => {
    expect(found.total.toString()).toBe('550000');
    expect(found.rivals.map(String)).toContain('5741767');
    expect(found.notes.filter((note) => note.startsWith('related_party_line'))).toEqual([]);
  });

  it.each([
    // 0.11 and 1.15 of the coins after a halving
    ['10000000', 'low_confidence_missing_debt', ['tier_depends_on_candidate:LOW/CRITICAL']],
    // LOW with either
    ['900000000', 'resolved_nonzero', []],
  ])('decide about the proof by the bands they lead to: coins of %s', (coins, coverage, notes) => {
    const proven = provenDebt(found, { coins: ExactDecimal.parse(coins), areCoinsProven: true, parameters });
    expect(proven.coverage).toBe(coverage);
    expect(proven.notes.filter((note) => note.startsWith('tier_'))).toEqual(notes);
    expect(proven.total.toString()).toBe('550000');
  });

  it('are noted as lines where the side closes with them alone (FLD 2024-12-31)', () => {
    const closing = faceStatement(`
AccountsPayableCurrent 100000
ConvertibleNotesPayableCurrent 550000
LoansPayableCurrent 5191767 [RelatedPartyMember]
LiabilitiesCurrent 5841767
Liabilities 5841767`);
    const placed = resolveDebt(inputsOf(closing));
    expect(placed.total.toString()).toBe('5741767');
    expect(placed.notes).toContain('related_party_line:us-gaap:LoansPayableCurrent');
    expect(placed.rivals).toEqual([]);
  });
});
