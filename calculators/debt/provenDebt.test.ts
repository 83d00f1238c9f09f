import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { debtOfFacts } from '../../fixtures/builders/debtOfFacts.ts';
import { debtOfStatement } from '../../fixtures/builders/debtOfStatement.ts';
import { faceStatement } from '../../fixtures/builders/faceStatement.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { rowOfTables } from '../../fixtures/builders/rowOfTables.ts';
import { fact } from '../../fixtures/builders/statementFiling.ts';
import { filingOfTables } from '../../fixtures/builders/xbrlFilingOfTables.ts';
import { xbrlTablesOf } from '../../fixtures/builders/xbrlTables.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { provenDebt } from './provenDebt.ts';
import { resolveDebt } from './resolveDebt.ts';

describe('rival totals', () => {
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
      const proven = provenDebt(found, {
        coins: ExactDecimal.parse(coins),
        areCoinsProven: true,
        parameters,
      });
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
});

describe('lines without a name', () => {
  const parameters = registryParameters;
  const { resolve } = debtOfStatement(parameters);

  describe('Strategy 2025-09-30 with its convertible notes under a name that says nothing (M1.36d)', () => {
    const notes = 'us-gaap:LongTermDebtNoncurrent';
    const tables = xbrlTablesOf('MSTR', '2025-09-30');
    const renamed = async (isStated: (concept: string) => boolean): Promise<XbrlFiling> => {
      const { facts, arcs, ...filing } = filingOfTables(await tables);
      const name = (concept: string) => (concept === notes ? 'mstr:Instruments' : concept);
      return {
        ...filing,
        facts: facts
          .filter(({ concept }) => isStated(concept))
          .map((filed) => ({ ...filed, concept: name(filed.concept) })),
        arcs: arcs.map((arc) => ({ ...arc, from: name(arc.from), to: name(arc.to) })),
      };
    };

    // 316 + 8,173,587 K without a name = LongTermDebt 8,173,903 K
    it('owes at least 316 K, and the 8,173,903 K of its notes say that this is not all', async () => {
      const { stress } = rowOfTables(await tables, { xbrl: await renamed(() => true) });
      expect(String(stress.total_long_term_debt)).toBe('316000');
      expect(stress).toMatchObject({
        figures_basis: 'debt_unproven',
        debt_coverage_status: 'low_confidence_missing_debt',
        risk_tier: 'UNCLASSIFIED',
        quality_flag: 'Low',
      });
      expect(stress.data_quality_notes).toContain('debt_candidates_disagree:316000/8173903000');
    });

    // notes 8,173,587, accrued interest 29,896 and other liabilities 4,790 K beside 316 K of debt
    it('says how much has no name where nothing else states the debt', async () => {
      const found = resolve(await renamed((concept) => !/:LongTermDebt($|Maturities)/.test(concept)));
      expect(found).toMatchObject({ total: 316_000, coverage: 'resolved_nonzero' });
      expect(found.notes).toContain('unnamed_liabilities:8208273000');
    });
  });

  describe('a side that adds up, with a line of 400 whose name says nothing (M1.36d)', () => {
    const face = `
AccountsPayableCurrent 100
LoansPayableCurrent 50
x:AmountsDueToPartner 400
Liabilities 550
StockholdersEquity 450
LiabilitiesAndStockholdersEquity 1000
Assets 1000`;
    const stated = (...more: Parameters<typeof fact>[0][]) => {
      const filing = faceStatement(face);
      return resolve({
        ...filing,
        facts: [...filing.facts, ...more.map((one, i) => fact({ ...one, position: 100 + i }))],
      });
    };
    const member = (value: string, name: string) => ({
      concept: 'us-gaap:DebtInstrumentFaceAmount',
      value,
      dimensions: [{ axis: 'us-gaap:DebtInstrumentAxis', member: `x:${name}`, typed: false }],
    });

    it('proves 50 of debt and names the 400', () => {
      expect(stated()).toMatchObject({ total: 50, coverage: 'resolved_nonzero' });
      expect(stated().notes).toContain('unnamed_liabilities:400');
    });

    it.each([
      ['an amount of debt of the whole', [{ concept: 'us-gaap:LongTermDebt', value: '450' }], 450],
      ['a rounding of it', [{ concept: 'us-gaap:DebtInstrumentCarryingAmount', value: '451' }], 451],
      ['principal by instrument', [member('150', 'NoteMember'), member('300', 'LoanMember')], 450],
      [
        'maturities by year',
        ['InYearTwo', 'InYearFour'].map((year) => ({
          concept: `us-gaap:LongTermDebtMaturitiesRepaymentsOfPrincipal${year}`,
          value: '225',
        })),
        450,
      ],
      [
        'interest of 60 in the quarter, 242 a year',
        [{ concept: 'us-gaap:InterestExpense', value: '61', start: '2025-07-01' }],
        242,
      ],
    ])('proves no debt beside %s', (_, more, other) => {
      const found = stated(...more);
      expect(found).toMatchObject({
        total: 50,
        coverage: 'low_confidence_missing_debt',
        method: null,
        disagreement: true,
      });
      expect(found.notes).toContain(`debt_candidates_disagree:50/${other}`);
    });

    it.each([
      ['an amount that no line explains', [{ concept: 'us-gaap:LongTermDebt', value: '300' }]],
      ['an amount within 5 % of the debt', [{ concept: 'us-gaap:LongTermDebt', value: '52' }]],
      [
        'interest above all that is without a name',
        [{ concept: 'us-gaap:InterestExpense', value: '120', start: '2025-07-01' }],
      ],
    ])('is not contradicted by %s', (_, more) => {
      expect(stated(...more)).toMatchObject({ total: 50, coverage: 'resolved_nonzero' });
    });
  });
});
