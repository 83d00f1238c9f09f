import { describe, expect, it } from 'vitest';
import registry from '../../data/registry/parameters.json' with { type: 'json' };
import { factSheet } from '../factSheet.ts';
import { type InputsOf, issuerInputs } from '../golden/issuerInputs.ts';
import { arc, declaration, fact, statementFiling } from '../golden/statementFiling.ts';
import { filingNetworks } from '../network/filingNetworks.ts';
import { parseParameters } from '../parameters.ts';
import type { XbrlFiling } from '../xbrlFiling.ts';
import { debtWalk } from './debtWalk.ts';
import { resolveDebt } from './resolveDebt.ts';

const parameters = parseParameters(registry);

function inputsOf(filing: XbrlFiling | string, more: InputsOf = {}) {
  const xbrl = typeof filing === 'string' ? statementFiling(filing) : filing;
  const inputs = issuerInputs({ ...more, xbrl });
  const sheet = factSheet(inputs, '2026-02-07');
  return { sheet, filing: xbrl, networks: filingNetworks(xbrl, sheet), activity: [], parameters };
}

function resolve(filing: XbrlFiling | string, more: InputsOf = {}) {
  const { current, noncurrent, total, ...rest } = resolveDebt(inputsOf(filing, more));
  return { ...rest, current: current.toNumber(), noncurrent: noncurrent.toNumber(), total: total.toNumber() };
}

describe('debt by the calculation network', () => {
  it('takes one reported line for each bucket (M1.27, T03: MSTR 2025-09-30)', () => {
    const found = resolve(`
LiabilitiesAndStockholdersEquity 73619038000
  Liabilities 15501990000
    LiabilitiesCurrent 324090000
      LongTermDebtCurrent 316000
    LongTermDebtNoncurrent 8173587000
    DeferredIncomeTaxLiabilitiesNet 6934206000
  TemporaryEquityCarryingAmountAttributableToParent 5786330000`);
    expect(found).toMatchObject({
      ...{ current: 316_000, noncurrent: 8_173_587_000, dataSource: 'linkbase_rooted_facts' },
      ...{ method: 'bs_liabilities_walk', coverage: 'resolved_nonzero', extensionRoots: [] },
      details: [
        'C us-gaap:LongTermDebtCurrent = 316000 via us-gaap:LiabilitiesCurrent w=+1 role=BalanceSheet',
        'N us-gaap:LongTermDebtNoncurrent = 8173587000 via us-gaap:Liabilities w=+1 role=BalanceSheet',
      ],
    });
  });

  it('counts an accepted extension beside the standard line (T12: FLD 2025-09-30)', () => {
    const found = resolve(`
LiabilitiesAndStockholdersEquity 190966112
  Liabilities 96276871
    LiabilitiesCurrent 12951139
      ConvertibleNotesPayableCurrent 0
      fld:CustomerRewardsLiability 9295587
    ConvertibleLongTermNotesPayable 21644139
    fld:ConvertibleNotesPayableRelatedPartyNoncurrent 60750183
    srt:SafeguardingLiabilityPlatformOperatorCryptoAsset 0`);
    expect(found).toMatchObject({
      ...{ total: 82_394_322, current: 0, dataSource: 'linkbase_rollup' },
      ...{ method: 'extension_root_rollup', notes: [] },
      extensionRoots: ['fld:ConvertibleNotesPayableRelatedPartyNoncurrent'],
      rootedConcepts: [
        'us-gaap:ConvertibleLongTermNotesPayable',
        'fld:ConvertibleNotesPayableRelatedPartyNoncurrent',
      ],
    });
  });

  it('leaves a reconciling line outside liabilities alone (M1.23: clsk:CurrentPortionOfLongTermDebt)', () => {
    const filing = statementFiling(`
LiabilitiesAndStockholdersEquity 3101817000
  Liabilities 954929000
    LiabilitiesCurrent 276819000
      LoansPayableCurrent 176424000
    LongTermLoansPayable 643913000`);
    const found = resolve({
      ...filing,
      facts: [
        ...filing.facts,
        fact({ concept: 'clsk:CurrentPortionOfLongTermDebt', value: -176_424_000 }),
        fact({ concept: 'LongTermDebt', value: 643_913_000 }),
        fact({ concept: 'LoansPayable', value: 835_143_000 }),
        fact({ concept: 'DebtInstrumentCarryingAmount', value: 820_337_000 }),
      ],
      concepts: [declaration('clsk:CurrentPortionOfLongTermDebt')],
    });
    expect(found).toMatchObject({ total: 820_337_000, identitiesConsistent: true, disagreement: false });
  });

  it('adds up an unreported parent whose reported parts are all debt (M1.25 iii)', () => {
    const found = resolve(`
LiabilitiesAndStockholdersEquity 900
  Liabilities 500
    x:FinancialObligations
      NotesPayable 70
      x:BankLoans 30
    AccountsPayableCurrent 400`);
    expect(found).toMatchObject({ total: 100, dataSource: 'linkbase_rollup' });
    expect(found.details).toEqual([
      'N x:FinancialObligations = 100 via us-gaap:Liabilities w=+1 role=BalanceSheet',
    ]);
    expect(found.roots[0]?.children).toMatchObject([
      { kind: 'sum', children: [{ concept: 'us-gaap:NotesPayable' }, { concept: 'x:BankLoans' }] },
    ]);
  });

  it('stops at the topmost match and counts none of its parts (M1.25)', () => {
    const found = resolve(`
LiabilitiesAndStockholdersEquity 900
  Liabilities 500
    LongTermDebtNoncurrent 100
      ConvertibleDebtNoncurrent 60
      SeniorLongTermNotes 40`);
    expect(found).toMatchObject({ total: 100, dataSource: 'linkbase_rooted_facts' });
  });

  it('starts from liabilities and equity when Liabilities is not there, past the equity (M1.25)', () => {
    const found = resolve(`
LiabilitiesAndStockholdersEquity 900
  LiabilitiesCurrent 100
    ShortTermBorrowings 50
  ConvertibleLongTermNotesPayable 143
  StockholdersEquity 600
    PreferredStockValue 10
    x:ConvertibleNotesInEquity 590`);
    expect(found).toMatchObject({ total: 193, method: 'bs_liabilities_and_equity_walk' });
  });

  it('takes finance leases off an extension that names them with debt (TSLA 2024-06-30)', () => {
    const filing = statementFiling(`
LiabilitiesAndStockholdersEquity 112832000000
  Liabilities 45569000000
    LiabilitiesCurrent 27729000000
      tsla:LongTermDebtAndFinanceLeasesCurrent 2264000000
    tsla:LongTermDebtAndFinanceLeasesNoncurrent 5481000000`);
    const leases = [
      fact({ concept: 'FinanceLeaseLiabilityCurrent', value: 240_000_000 }),
      fact({ concept: 'FinanceLeaseLiabilityNoncurrent', value: 143_000_000 }),
    ];
    const found = resolve({ ...filing, facts: [...filing.facts, ...leases] });
    expect(found).toMatchObject({ current: 2_024_000_000, noncurrent: 5_338_000_000, notes: [] });
    expect(resolve(filing)).toMatchObject({ total: 7_745_000_000, notes: ['includes_finance_lease'] });
  });

  it('does not take off leases that are a line of their own', () => {
    const found = resolve(`
LiabilitiesAndStockholdersEquity 900
  Liabilities 500
    LongTermDebtAndCapitalLeaseObligations 100
    FinanceLeaseLiabilityNoncurrent 20`);
    expect(found.total).toBe(100);
  });

  it('finds the debt inside a mixed line that a note breaks down in full (M1.28 debt_note_network)', () => {
    const filing = statementFiling(`
LiabilitiesAndStockholdersEquity 900
  Liabilities 500
    LiabilitiesCurrent 200
      x:DebtAndOperatingLeasesCurrent 90
    x:DebtAndOperatingLeasesNoncurrent 210`);
    const role = 'http://example.com/role/DebtDetails';
    const line = 'x:DebtAndOperatingLeasesCurrent';
    const note = {
      ...filing,
      arcs: [
        ...filing.arcs,
        arc({ role, from: line, to: 'us-gaap:SecuredDebtCurrent' }),
        arc({ role, from: line, to: 'us-gaap:OperatingLeaseLiabilityCurrent' }),
      ],
      facts: [
        ...filing.facts,
        fact({ concept: 'SecuredDebtCurrent', value: 60 }),
        fact({ concept: 'OperatingLeaseLiabilityCurrent', value: 30 }),
      ],
    };
    expect(resolve(note)).toMatchObject({
      ...{ total: 60, current: 60, method: 'debt_note_network', dataSource: 'linkbase_rooted_facts' },
      details: [`C us-gaap:SecuredDebtCurrent = 60 via ${line} w=+1 role=DebtDetails`],
    });
    // a note that does not add up proves nothing
    const short = note.facts.map((given) =>
      given.concept === 'us-gaap:OperatingLeaseLiabilityCurrent' ? fact({ ...given, value: 20 }) : given,
    );
    expect(resolve({ ...note, facts: short })).toMatchObject({
      total: 60,
      dataSource: 'direct_facts_fallback',
    });
  });

  it('does not count what the filing itself breaks down into fees (NXTT 2025-03-31)', () => {
    const filing = statementFiling(`
LiabilitiesAndStockholdersEquity 483825640
  Liabilities 62798986
    LiabilitiesCurrent 3143610
      AccountsPayableCurrent 730000
      TaxesPayableCurrent 130415
      OtherNotesPayableCurrent 2062195
    DeferredIncomeTaxLiabilitiesNet 59655376`);
    expect(resolve(filing).total).toBe(2_062_195);
    const role = 'http://example.com/role/OtherPayables';
    const note = {
      ...filing,
      arcs: [
        ...filing.arcs,
        arc({
          role,
          from: 'us-gaap:OtherNotesPayableCurrent',
          to: 'us-gaap:AccruedProfessionalFeesCurrentAndNoncurrent',
        }),
        arc({ role, from: 'us-gaap:OtherNotesPayableCurrent', to: 'us-gaap:OtherLiabilities' }),
      ],
      facts: [
        ...filing.facts,
        fact({ concept: 'AccruedProfessionalFeesCurrentAndNoncurrent', value: 427_574 }),
        fact({ concept: 'OtherLiabilities', value: 1_634_621 }),
        fact({ concept: 'Assets', value: 483_825_640 }),
      ],
    };
    expect(resolve(note)).toMatchObject({ total: 0, coverage: 'legitimate_zero_debt' });
    const instrument = fact({
      ...{ concept: 'DebtInstrumentConvertibleConversionPrice1', value: '4.8', unit: 'USD/shares' },
      dimensions: [
        { axis: 'us-gaap:DebtInstrumentAxis', member: 'nxtt:BTCConsultantFeeMember', typed: false },
      ],
    });
    const doubted = resolve({ ...note, facts: [...note.facts, instrument] });
    expect(doubted).toMatchObject({
      coverage: 'low_confidence_missing_debt',
      dataSource: 'direct_facts_fallback',
    });
    expect(doubted.rungs.at(-1)?.reason).toBe('us-gaap:DebtInstrumentConvertibleConversionPrice1 is filed');
  });
});

describe('zeros with a network', () => {
  it('reads nil dashes as an explicit zero (T15: GAME 2025-09-30)', () => {
    const found = resolve(`
LiabilitiesAndStockholdersEquity 121119259
  Liabilities 42375587
    LiabilitiesCurrent 40303255
      AccountsPayableCurrent 18445123
      - GAME:LinesOfCreditCurrentReceivable 118945
      ConvertibleDebtCurrent nil
    ConvertibleDebtNoncurrent nil`);
    expect(found).toMatchObject({
      ...{
        total: 0,
        coverage: 'resolved_zero',
        method: 'explicit_zero',
        dataSource: 'linkbase_rooted_facts',
      },
      details: [
        'C us-gaap:ConvertibleDebtCurrent = 0 via us-gaap:LiabilitiesCurrent w=+1 role=BalanceSheet',
        'N us-gaap:ConvertibleDebtNoncurrent = 0 via us-gaap:Liabilities w=+1 role=BalanceSheet',
      ],
    });
  });

  it("explains liabilities by the filer's own lines (BMNR 2025-11-30)", () => {
    const found = resolve(`
LiabilitiesAndStockholdersEquity 11487275
  Liabilities 235743
    LiabilitiesCurrent 137128
      AccountsPayableAndAccruedLiabilitiesCurrent 11338
      BMNR:UnsettledDigitalAssetTrades 125000
      ContractWithCustomerLiabilityCurrent 790
    BMNR:WarrantLiability 98615`);
    expect(found).toMatchObject({ coverage: 'legitimate_zero_debt', dataSource: 'linkbase_rooted_facts' });
  });
});

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

  it('a root with contradicting facts is blocked, and no lower total stands in for it (M1.8, M15.9)', () => {
    const facts = [...sound.facts, fact({ concept: 'LongTermDebtNoncurrent', value: 101 })];
    const found = resolve({ ...sound, facts });
    expect(found).toMatchObject({ total: 0, coverage: 'low_confidence_missing_debt', method: null });
    expect(found.rungs.map(({ reason }) => reason)).toEqual([
      'contradicting facts of us-gaap:LongTermDebtNoncurrent',
      '50 is below the 170 the network shows at least',
    ]);
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
      ...{ total: 70, disagreement: true, notes: ['debt_candidates_disagree:70/150'] },
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
    const walk = debtWalk(inputsOf({ ...sound, arcs }));
    // 271 concepts of the lattice and five of the liabilities side
    expect(walk.kind === 'walked' ? walk.visited : null).toBe(276);
  });
});
