import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters, registryTables } from '../../fixtures/builders/registryParameters.ts';
import { directPrecedence } from '../debt/directDebt.ts';
import { factSheet } from '../filing/factSheet.ts';
import { conceptTable, type TableRow } from './concepts.ts';

const parameters = registryParameters;

describe('what concepts are parts of (M1.29a)', () => {
  it('knows parts of parts', () => {
    const above = parameters.concepts.ancestorsOf('us-gaap:ConvertibleNotesPayableCurrent');
    expect(above).toContain('us-gaap:NotesPayableCurrent');
    expect(above).toContain('us-gaap:DebtLongtermAndShorttermCombinedAmount');
    expect(parameters.concepts.ancestorsOf('us-gaap:CommercialPaper')).not.toContain(
      'us-gaap:LongTermDebtCurrent',
    );
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
    const concepts = parameters.concepts.debt.map(({ concept }) => concept.replace('us-gaap:', ''));
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
          expect(names.isDisjointFrom(parameters.concepts.ancestorsOf(name)), [...names].join(' ')).toBe(
            true,
          );
        }
      }),
    );
  });
});

describe('the table of concepts', () => {
  it('has a concept once, in the taxonomy and file it was found in', () => {
    expect(parameters.concepts.debt).toHaveLength(89);
    expect(parameters.concepts.debtConcept('us-gaap:LongTermDebtAndCapitalLeaseObligations')).toMatchObject({
      bucket: 'N',
      level: 1,
      leasePart: 'us-gaap:FinanceLeaseLiabilityNoncurrent',
    });
    expect(parameters.concepts.debtConcept('us-gaap:FinanceLeaseLiability')).toBeUndefined();
  });

  it.each([
    [
      'a concept that is a part of itself',
      ['us-gaap:Aa,debt,C,1,us-gaap:Aa,,us-gaap-2025,a.xml'],
      2,
      /parents that are no parts of it/,
    ],
    [
      'a cycle of three',
      [
        'us-gaap:Aa,debt,C,1,us-gaap:Ba,,us-gaap-2025,a.xml',
        'us-gaap:Ba,debt,C,1,us-gaap:Ca,,us-gaap-2025,a.xml',
        'us-gaap:Ca,debt,C,1,us-gaap:Aa,,us-gaap-2025,a.xml',
      ],
      2,
      /parents that are no parts of it/,
    ],
    [
      'a parent without a line',
      ['us-gaap:Aa,debt,C,1,us-gaap:Ba,,us-gaap-2025,a.xml'],
      2,
      /parents that have lines/,
    ],
    [
      'a concept twice',
      ['us-gaap:Aa,part,,,,,us-gaap-2025,a.xml', 'us-gaap:Aa,part,,,,,us-gaap-2025,a.xml'],
      3,
      /a concept once/,
    ],
    ['another role', ['us-gaap:Aa,dept,C,1,,,us-gaap-2025,a.xml'], 2, /a role: debt, coins/],
    ['debt without a level', ['us-gaap:Aa,debt,C,,,,us-gaap-2025,a.xml'], 2, /a bucket .* and a level/],
    [
      'a doubt that its role does not have',
      ['us-gaap:Aa,coins,,,,unnamed,us-gaap-2025,a.xml'],
      2,
      /a certainty that coins has/,
    ],
    ['a taxonomy without a year', ['us-gaap:Aa,part,,,,,us-gaap,a.xml'], 2, /the taxonomy of us-gaap:Aa/],
    [
      'the taxonomy of another prefix',
      ['us-gaap:Aa,part,,,,,srt-2025,a.xml'],
      2,
      /the taxonomy of us-gaap:Aa/,
    ],
    ['no file', ['us-gaap:Aa,part,,,,,us-gaap-2025,'], 2, /the file of it/],
    ['no prefix', ['Aa,part,,,,,us-gaap-2025,a.xml'], 2, /with its prefix/],
    ['a cell too few', ['us-gaap:Aa,part,,,,,us-gaap-2025'], 2, /as many cells/],
  ])('refuses %s with the number of the line', (_, lines, line, wanted) => {
    expect(() => conceptTable({ concepts: rowsOf(lines), words: [] })).toThrow(wanted);
    expect(() => conceptTable({ concepts: rowsOf(lines), words: [] })).toThrow(
      new RegExp(`^Line ${line} of`),
    );
  });

  it.each([
    ['another role', { role: 'dept', pattern: 'loan', meaning: 'loans' }, /a role: debt/],
    ['a pattern that does not compile', { role: 'debt', pattern: '(loan', meaning: 'loans' }, /a pattern/],
    ['capitals, which no text has', { role: 'debt', pattern: 'Loan', meaning: 'loans' }, /a pattern/],
    ['no meaning', { role: 'debt', pattern: 'loan', meaning: '' }, /a meaning/],
  ])('refuses a word with %s', (_, cells, wanted) => {
    const { concepts } = registryTables;
    expect(() => conceptTable({ concepts, words: [{ line: 7, cells }] })).toThrow(wanted);
  });
});

const columns = ['concept', 'role', 'bucket', 'level', 'parents', 'certainty', 'taxonomy', 'file'];

function rowsOf(lines: readonly string[]): TableRow[] {
  return lines.map((text, i) => {
    const cells = text.split(',');
    const isWhole = cells.length === columns.length;
    return {
      line: i + 2,
      cells: isWhole ? Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])) : null,
    };
  });
}
