import { describe, expect, it } from 'vitest';
import { debtOfStatement } from '../../fixtures/builders/debtOfStatement.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { arc, declaration, fact, statementFiling } from '../../fixtures/builders/statementFiling.ts';

const { resolve } = debtOfStatement(registryParameters);

describe('debt by the calculation network', () => {
  it('takes one reported line for each bucket (M1.27, T03: MSTR 2025-09-30)', () => {
    const found = resolve(`
LiabilitiesAndStockholdersEquity 73619038000
  Liabilities 15501990000
    LiabilitiesCurrent 324090000
      LongTermDebtCurrent 316000
      ContractWithCustomerLiabilityCurrent 323774000
    LongTermDebtNoncurrent 8173587000
    DeferredIncomeTaxLiabilitiesNet 6934206000
    OtherLiabilitiesNoncurrent 70107000
  TemporaryEquityCarryingAmountAttributableToParent 5786330000`);
    expect(found).toMatchObject({
      current: 316_000,
      noncurrent: 8_173_587_000,
      dataSource: 'linkbase_rooted_facts',
      method: 'bs_liabilities_walk',
      coverage: 'resolved_nonzero',
      extensionRoots: [],
      details: [
        'C us-gaap:LongTermDebtCurrent = 316000 via us-gaap:LiabilitiesCurrent w=+1 role=BalanceSheet',
        'N us-gaap:LongTermDebtNoncurrent = 8173587000 via us-gaap:Liabilities w=+1 role=BalanceSheet',
        'residual us-gaap:Liabilities = 0',
        'residual us-gaap:LiabilitiesCurrent = 0',
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
      total: 82_394_322,
      current: 0,
      dataSource: 'linkbase_rollup',
      method: 'extension_root_rollup',
      notes: [],
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
      'residual us-gaap:Liabilities = 0',
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
LiabilitiesAndStockholdersEquity 843
  LiabilitiesCurrent 100
    ShortTermBorrowings 50
    AccountsPayableCurrent 50
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
      AccountsPayableCurrent 25465000000
    tsla:LongTermDebtAndFinanceLeasesNoncurrent 5481000000
    OtherLiabilitiesNoncurrent 12359000000`);
    const leases = [
      fact({ concept: 'FinanceLeaseLiabilityCurrent', value: 240_000_000 }),
      fact({ concept: 'FinanceLeaseLiabilityNoncurrent', value: 143_000_000 }),
    ];
    const found = resolve({ ...filing, facts: [...filing.facts, ...leases] });
    const other = 'unnamed_liabilities:12359000000';
    expect(found).toMatchObject({ current: 2_024_000_000, noncurrent: 5_338_000_000, notes: [other] });
    const notes = ['includes_finance_lease', other];
    expect(resolve(filing)).toMatchObject({ total: 7_745_000_000, notes });
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
      AccountsPayableCurrent 110
    x:DebtAndOperatingLeasesNoncurrent 300`);
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
      total: 60,
      current: 60,
      method: 'debt_note_network',
      dataSource: 'linkbase_rooted_facts',
      details: [
        `C us-gaap:SecuredDebtCurrent = 60 via ${line} w=+1 role=DebtDetails`,
        'residual us-gaap:Liabilities = 0',
        'residual us-gaap:LiabilitiesCurrent = 0',
      ],
    });
    // a note that does not add up proves nothing; the line stays what its name does not say
    const short = note.facts.map((given) =>
      given.concept === 'us-gaap:OperatingLeaseLiabilityCurrent' ? fact({ ...given, value: 20 }) : given,
    );
    expect(resolve({ ...note, facts: short })).toMatchObject({ total: 0 });
  });

  it('counts a line that some filers use for other payables, and says so (M1.20 §: NXTT 2025-03-31)', () => {
    const filing = statementFiling(`
Assets 483825640
LiabilitiesAndStockholdersEquity 483825640
  Liabilities 62798986
    LiabilitiesCurrent 3143610
      AccountsPayableCurrent 730000
      TaxesPayableCurrent 130415
      OtherNotesPayableCurrent 2062195
      OtherLiabilitiesCurrent
    DeferredIncomeTaxLiabilitiesNet 59655376`);
    // 221,000 of the current liabilities is in no whole-entity fact
    expect(resolve(filing)).toMatchObject({
      total: 2_062_195,
      coverage: 'low_confidence_missing_debt',
      method: null,
      notes: ['debt_line_unconfirmed:us-gaap:OtherNotesPayableCurrent', 'liabilities_residual:221000'],
    });
    const related = fact({
      concept: 'OtherLiabilitiesCurrent',
      value: 221_000,
      dimensions: [
        {
          axis: 'us-gaap:RelatedPartyTransactionsByRelatedPartyAxis',
          member: 'us-gaap:RelatedPartyMember',
          typed: false,
        },
      ],
    });
    expect(resolve({ ...filing, facts: [...filing.facts, related] })).toMatchObject({
      total: 2_062_195,
      coverage: 'resolved_nonzero',
      notes: ['debt_line_unconfirmed:us-gaap:OtherNotesPayableCurrent'],
    });
  });

  it('does not count an own line that the filing itself breaks down into fees', () => {
    const filing = statementFiling(`
LiabilitiesAndStockholdersEquity 1000
  Liabilities 500
    AccountsPayableCurrent 300
    x:OtherNotesPayable 200`);
    expect(resolve(filing).total).toBe(200);
    const role = 'http://example.com/role/OtherPayables';
    const from = 'x:OtherNotesPayable';
    const note = {
      ...filing,
      arcs: [
        ...filing.arcs,
        arc({ role, from, to: 'us-gaap:AccruedProfessionalFeesCurrentAndNoncurrent' }),
        arc({ role, from, to: 'us-gaap:OtherLiabilities' }),
      ],
      facts: [
        ...filing.facts,
        fact({ concept: 'AccruedProfessionalFeesCurrentAndNoncurrent', value: 40 }),
        fact({ concept: 'OtherLiabilities', value: 160 }),
      ],
    };
    expect(resolve(note)).toMatchObject({ total: 0, coverage: 'legitimate_zero_debt' });
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
      AccruedLiabilitiesCurrent 21977077
    OperatingLeaseLiabilityNoncurrent 2072332
    ConvertibleDebtNoncurrent nil`);
    expect(found).toMatchObject({
      total: 0,
      coverage: 'resolved_zero',
      method: 'explicit_zero',
      dataSource: 'linkbase_rooted_facts',
      details: [
        'C us-gaap:ConvertibleDebtCurrent = 0 via us-gaap:LiabilitiesCurrent w=+1 role=BalanceSheet',
        'N us-gaap:ConvertibleDebtNoncurrent = 0 via us-gaap:Liabilities w=+1 role=BalanceSheet',
      ],
    });
  });

  it('is no zero while a part of the liabilities is in no line (M1.18b)', () => {
    const found = resolve(`
LiabilitiesAndStockholdersEquity 900
  Liabilities 500
    AccountsPayableCurrent 480
    ConvertibleDebtNoncurrent nil`);
    expect(found).toMatchObject({
      total: 0,
      coverage: 'low_confidence_missing_debt',
      notes: ['liabilities_residual:20'],
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
