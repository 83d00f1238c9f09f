import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import registry from '../../data/registry/parameters.json' with { type: 'json' };
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { debtDictionary } from '../debt/concepts/debtDictionary.ts';
import { directPrecedence } from '../debt/face/directPrecedence.ts';
import { factSheet } from '../filing/factSheet.ts';
import { conceptHierarchy, parseParameters } from './parameters.ts';

const parameters = parseParameters(registry);

describe('concept hierarchy (M1.29a)', () => {
  it('knows parts of parts', () => {
    const above = parameters.hierarchy.ancestorsOf('us-gaap:ConvertibleNotesPayableCurrent');
    expect(above).toContain('us-gaap:NotesPayableCurrent');
    expect(above).toContain('us-gaap:DebtLongtermAndShorttermCombinedAmount');
    expect(parameters.hierarchy.ancestorsOf('us-gaap:CommercialPaper')).not.toContain(
      'us-gaap:LongTermDebtCurrent',
    );
  });

  it.each([
    ['a concept that holds itself', { 'x:A': ['x:A'] }],
    ['a cycle of three', { 'x:A': ['x:B'], 'x:B': ['x:C'], 'x:C': ['x:A'] }],
    ['parts that are no list', { 'x:A': 'x:B' }],
  ])('refuses %s and names the entry', (_, children) => {
    expect(() => conceptHierarchy({ version: 'h', children })).toThrow(/concept_hierarchy\.children\.x:/);
  });

  it('counts the current part of advances within the long-term line that includes it (M1.29a)', () => {
    const balance = {
      NotesPayableCurrent: 324,
      FederalHomeLoanBankAdvancesCurrent: 534,
      FederalHomeLoanBankAdvancesLongTerm: 961,
    };
    const found = directPrecedence(factSheet(issuerInputs({ balance }), '2026-02-07'), parameters);
    expect(found?.current.toString()).toBe('324');
    expect(found?.noncurrent.toString()).toBe('961');
  });

  it('puts no concept beside its ancestor in a sum (M15.62)', () => {
    const concepts = debtDictionary.map(({ concept }) => concept.replace('us-gaap:', ''));
    const balances = fc.dictionary(fc.constantFrom(...concepts), fc.integer({ min: 1, max: 999 }), {
      maxKeys: 8,
    });
    fc.assert(
      fc.property(balances, (balance) => {
        const sheet = factSheet(issuerInputs({ balance }), '2026-02-07');
        const counted = (directPrecedence(sheet, parameters)?.roots ?? []).filter(
          ({ weight }) => weight === 1,
        );
        // a long-term total that the note shows to be the noncurrent part holds no current line (M1.33)
        const isAlias = (root: { readonly concept: string; readonly bucket: string }) =>
          root.concept === 'us-gaap:LongTermDebt' && root.bucket === 'N';
        const names = new Set(
          counted.map((root) => (isAlias(root) ? 'us-gaap:LongTermDebtNoncurrent' : root.concept)),
        );
        for (const name of names) {
          expect(names.isDisjointFrom(parameters.hierarchy.ancestorsOf(name)), [...names].join(' ')).toBe(
            true,
          );
        }
      }),
    );
  });
});
