import { describe, expect, it } from 'vitest';
import { debtOfStatement } from '../../fixtures/builders/debtOfStatement.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { arc, declaration, fact, statementFiling } from '../../fixtures/builders/statementFiling.ts';
import { factSheet } from '../filing/factSheet.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { debtWalk } from './debtWalk.ts';
import { linkbaseSide } from './liabilitiesSide.ts';

const { inputsOf, resolve } = debtOfStatement(registryParameters);

const plain = `
LiabilitiesAndStockholdersEquity 900
  Liabilities 500
    LiabilitiesCurrent 200
      NotesPayableCurrent 50
      x:BridgeLoans 20
    LongTermDebtNoncurrent 100`;

/** What the standard concepts alone give: the next rung. */
const direct = { total: 150, dataSource: 'direct_facts_fallback', method: 'direct_precedence' };

describe('bad input degrades to the next rung and says why', () => {
  const sound = statementFiling(plain);
  const broken: readonly (readonly [string, Partial<XbrlFiling>, string])[] = [
    ['a missing linkbase', { arcs: [] }, 'the filing has no calculation arcs'],
    [
      'a directed cycle',
      { arcs: [...sound.arcs, arc({ from: 'us-gaap:NotesPayableCurrent', to: 'us-gaap:Liabilities' })] },
      'no usable balance-sheet network (BalanceSheet: cycle)',
    ],
    [
      'a weight other than one',
      {
        arcs: [
          ...sound.arcs,
          arc({ from: 'us-gaap:Liabilities', to: 'us-gaap:OtherLiabilities', weight: '0.5' }),
        ],
      },
      'no usable balance-sheet network (BalanceSheet: weight)',
    ],
    [
      'an arc that contradicts another',
      {
        arcs: [
          ...sound.arcs,
          arc({ from: 'us-gaap:LiabilitiesCurrent', to: 'us-gaap:NotesPayableCurrent', weight: '-1' }),
        ],
      },
      'no usable balance-sheet network (BalanceSheet: contradicting_arcs)',
    ],
    [
      'a liabilities total that is a leaf (DQC_0213)',
      { arcs: sound.arcs.filter(({ from }) => from === 'us-gaap:LiabilitiesAndStockholdersEquity') },
      'no debt above zero under us-gaap:LiabilitiesAndStockholdersEquity in BalanceSheet',
    ],
    [
      'a parenthetical role',
      {
        roles: [
          {
            uri: 'http://example.com/role/BalanceSheet',
            definition: '3 - Statement - Balance Sheets (Parenthetical)',
          },
        ],
      },
      'no usable balance-sheet network',
    ],
    [
      'the condensed statement of the parent',
      {
        roles: [
          { uri: 'http://example.com/role/BalanceSheet', definition: '99 - Schedule I - Parent Company' },
        ],
      },
      'no usable balance-sheet network',
    ],
  ];

  it.each(broken)('%s', (_, change, reason) => {
    const found = resolve({ ...sound, ...change });
    expect(found).toMatchObject({
      ...direct,
      notes: ['debt_candidates_disagree:150/170'],
      disagreement: true,
    });
    expect(found.rungs[0]).toEqual({ rung: 'liabilities_walk', taken: false, reason });
  });

  it('an extension that is not declared credit, or not declared at all, is not accepted (M1.22)', () => {
    const debit = [declaration('x:BridgeLoans', { balance: 'debit' })];
    for (const concepts of [[], debit]) expect(resolve({ ...sound, concepts }).total).toBe(150);
    const label = [declaration('x:Obligation', { label: 'Bridge loans, net of discount' })];
    const renamed = statementFiling(plain.replace('x:BridgeLoans', 'x:Obligation'));
    expect(resolve({ ...renamed, concepts: label }).total).toBe(170);
    expect(
      resolve({ ...renamed, concepts: [declaration('x:Obligation', { label: 'Loan interest' })] }).total,
    ).toBe(150);
  });

  it('a concept with two parents counts once, current as soon as one of them is', () => {
    const arcs = [
      ...sound.arcs,
      arc({ from: 'us-gaap:Liabilities', to: 'us-gaap:NotesPayableCurrent', order: 99 }),
    ];
    expect(resolve({ ...sound, arcs })).toMatchObject({ total: 170, current: 70 });
  });

  it('a match below another match is part of it, whatever other arc leads there (M15.7)', () => {
    const arcs = [
      ...sound.arcs,
      arc({ from: 'us-gaap:LongTermDebtNoncurrent', to: 'x:BridgeLoans', order: 99 }),
    ];
    expect(resolve({ ...sound, arcs })).toMatchObject({ total: 150, dataSource: 'linkbase_rooted_facts' });
  });

  it('two unreported roots that share a fact count it once', () => {
    const found = resolve(
      statementFiling(`
LiabilitiesAndStockholdersEquity 900
  Liabilities 500
    x:BankLoans
      NotesPayable 70
    x:OtherLoans
      NotesPayable
      SecuredDebt 5`),
    );
    expect(found.total).toBe(75);
  });

  it('several roots and a note of the same totals do not change the balance sheet', () => {
    const role = 'http://example.com/role/VariableInterestEntity';
    const arcs = [...sound.arcs, arc({ role, from: 'us-gaap:Assets', to: 'us-gaap:NotesPayableCurrent' })];
    expect(resolve({ ...sound, arcs })).toMatchObject({ total: 170, dataSource: 'linkbase_rollup' });
  });

  it('a locator to an unknown concept adds nothing', () => {
    const arcs = [...sound.arcs, arc({ from: 'us-gaap:Liabilities', to: 'x:NotDeclaredNotesPayable' })];
    expect(resolve({ ...sound, arcs }).total).toBe(170);
  });

  it('a root with contradicting facts is blocked: no lower total stands in, the lines stay as a lower bound (M1.8, M3.3c)', () => {
    const facts = [...sound.facts, fact({ concept: 'LongTermDebtNoncurrent', value: 101 })];
    const found = resolve({ ...sound, facts });
    expect(found).toMatchObject({ total: 170, coverage: 'low_confidence_missing_debt', method: null });
    expect(found.rungs.map(({ reason }) => reason)).toEqual([
      'contradicting facts of us-gaap:LongTermDebtNoncurrent',
      'the order of its facts is not known',
      '50 is below the 170 the network shows at least',
    ]);
  });

  it('a line that no schema declares proves nothing; the lines beside it are the lower bound (M3.3c)', () => {
    const arcs = [...sound.arcs, arc({ from: 'us-gaap:Liabilities', to: 'x:UndeclaredLoans' })];
    const facts = [
      ...sound.facts.filter(({ concept }) => !/NotesPayable|LongTermDebt/.test(concept)),
      fact({ concept: 'x:UndeclaredLoans', value: 10 }),
    ];
    const found = resolve({ ...sound, arcs, facts });
    expect(found.rungs[0]?.reason).toBe('x:UndeclaredLoans reads as debt and no schema declares it');
    expect(found).toMatchObject({ total: 20, coverage: 'low_confidence_missing_debt', method: null });
  });

  it('consistent duplicates keep the figure with most decimals (M1.8, M15.9)', () => {
    const facts = [...sound.facts, fact({ concept: 'LongTermDebtNoncurrent', value: 0, decimals: -3 })];
    expect(resolve({ ...sound, facts }).total).toBe(170);
  });

  it('a root that would lower the total refuses the walk', () => {
    const facts = sound.facts.map((given) =>
      given.concept === 'us-gaap:NotesPayableCurrent' ? fact({ concept: given.concept, value: -50 }) : given,
    );
    const found = resolve({ ...sound, facts });
    expect(found).toMatchObject({ total: 100, dataSource: 'direct_facts_fallback', disagreement: true });
    expect(found.rungs[0]?.reason).toBe('us-gaap:NotesPayableCurrent would lower the total');
  });

  it('a network that shows more debt than liabilities is passed over and noted (M1.35)', () => {
    const facts = sound.facts.map((given) =>
      given.concept === 'x:BridgeLoans' ? fact({ concept: given.concept, value: 400 }) : given,
    );
    expect(resolve({ ...sound, facts })).toMatchObject({ total: 150, notes: ['debt_exceeds_liabilities'] });
  });

  it('lines the network lacks show up as a larger candidate (M1.16, M1.36)', () => {
    const arcs = sound.arcs.filter(({ to }) => to !== 'us-gaap:LongTermDebtNoncurrent');
    expect(resolve({ ...sound, arcs })).toMatchObject({
      total: 70,
      disagreement: true,
      coverage: 'low_confidence_missing_debt',
      notes: ['debt_candidates_disagree:70/150', 'liabilities_residual:300'],
    });
  });

  it('facts of other dates, units and dimensions are not read (M1.7)', () => {
    const member = { axis: 'us-gaap:DebtInstrumentAxis', member: 'x:NoteMember', typed: false };
    const facts = [
      ...sound.facts,
      fact({ concept: 'SecuredDebt', value: 9, end: '2024-12-31' }),
      fact({ concept: 'SecuredDebt', value: 9, unit: 'CNY' }),
      fact({ concept: 'SecuredDebt', value: 9, dimensions: [member] }),
    ];
    const arcs = [...sound.arcs, arc({ from: 'us-gaap:Liabilities', to: 'us-gaap:SecuredDebt' })];
    expect(resolve({ ...sound, facts, arcs }).total).toBe(170);
  });

  it('an instance of another company or accession is not read at all', () => {
    const balance = { LongTermDebtNoncurrent: 7 };
    const own = { dataSource: 'direct_facts_fallback', total: 7 };
    for (const other of [{ cik: '0000827876' }, { accession: '0001193125-25-999999' }]) {
      const inputs = issuerInputs({ balance, xbrl: { ...sound, ...other } });
      const sheet = factSheet(inputs, '2026-02-07');
      expect(sheet.amount('us-gaap:NotesPayableCurrent')).toBeNull();
      expect(sheet.amount('us-gaap:LongTermDebtNoncurrent')?.toNumber()).toBe(own.total);
    }
  });

  it('a chain of a hundred thousand arcs and a lattice of diamonds end after one visit each', () => {
    const chain = Array.from({ length: 100_000 }, (_, i) => arc({ from: `x:N${i}`, to: `x:N${i + 1}` }));
    expect(resolve({ ...sound, arcs: [...sound.arcs, ...chain] }).total).toBe(150);
    const lattice = Array.from({ length: 90 }, (_, i) => [
      arc({ from: `x:L${i}`, to: `x:A${i}` }),
      arc({ from: `x:L${i}`, to: `x:B${i}` }),
      arc({ from: `x:A${i}`, to: `x:L${i + 1}` }),
      arc({ from: `x:B${i}`, to: `x:L${i + 1}` }),
    ]).flat();
    const arcs = [...sound.arcs, arc({ from: 'us-gaap:Liabilities', to: 'x:L0' }), ...lattice];
    const inputs = inputsOf({ ...sound, arcs });
    const side = linkbaseSide(inputs);
    if ('reason' in side) throw new Error(side.reason);
    const walk = debtWalk(side, inputs);
    // 271 concepts of the lattice and five of the liabilities side
    expect(walk.kind === 'walked' ? walk.visited : null).toBe(276);
  });
});
