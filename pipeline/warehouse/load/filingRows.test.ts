import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CalculationArc, InstanceFact, XbrlFiling } from '../../../calculators/filing/xbrlFiling.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import {
  type HandMadeWarehouse,
  handMadeIssuer,
  handMadeWarehouse,
} from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { selectIssuerInputs } from '../../../fixtures/rigs/selectIssuerInputs.ts';
import { readRows } from '../build/readRows.ts';
import { filingRows } from './filingRows.ts';

const cik = '0001838987';
const accession = '0001213900-25-111111';
const period = '2025-09-30';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

function fact(concept: string, value: string | null, more: Partial<InstanceFact> = {}): InstanceFact {
  return {
    concept,
    contextId: 'c1',
    unit: 'USD',
    value: value === null ? null : ExactDecimal.parse(value),
    decimals: value === null ? null : 0,
    start: null,
    end: period,
    dimensions: [],
    ...more,
  };
}

function arc(from: string, to: string, more: Partial<CalculationArc> = {}): CalculationArc {
  const weight = ExactDecimal.parse('1');
  return {
    role: 'http://fld.example/role/BalanceSheet',
    from,
    to,
    weight,
    order: 1,
    version: '1.0',
    ...more,
  };
}

function filing(more: Partial<XbrlFiling>): XbrlFiling {
  return {
    cik,
    accession,
    facts: [],
    arcs: [],
    presentations: [],
    roles: [],
    concepts: [],
    defects: [],
    ...more,
  };
}

/** Lists the filing in the instance index, so that it has a form and a filing date. */
async function list(acc: string, filed: string) {
  const text = { input: 'VARCHAR', cik: 'VARCHAR', accession: 'VARCHAR', form: 'VARCHAR', file: 'VARCHAR' };
  await warehouse.put('instance_filing', { ...text, filed: 'DATE', period: 'DATE' }, [
    ['i', cik, acc, '10-Q', 'x.xml', filed, period],
  ]);
}

async function xbrlInForce(sourceDate: string): Promise<XbrlFiling | null | undefined> {
  const [inputs] = await selectIssuerInputs(warehouse.connection, {
    sourceDate,
    issuers: [handMadeIssuer(cik)],
  });
  return inputs?.xbrl;
}

describe('the contents of a filing in the warehouse', () => {
  it('come back for the resolver as they were filed, digits, nil, dimensions and all', async () => {
    const pledged = [
      { axis: 'us-gaap:PledgedStatusAxis', member: 'us-gaap:AssetPledgedMember', typed: false },
    ];
    const filed = filing({
      facts: [
        fact('fld:ConvertibleNotesPayableRelatedPartyNoncurrent', '60750183'),
        fact('us-gaap:Assets', '9007199254740993'),
        fact('us-gaap:ConvertibleDebtCurrent', null),
        fact('us-gaap:CryptoAssetNumberOfUnits', '70.000000000000000001', {
          contextId: 'c2',
          unit: 'BTC',
          decimals: 'INF',
          dimensions: pledged,
        }),
        fact('us-gaap:InterestExpense', '12.5', { start: '2025-07-01', contextId: 'd1', decimals: 1 }),
      ],
      arcs: [
        arc('us-gaap:Assets', 'us-gaap:AssetsCurrent', { weight: ExactDecimal.parse('-1'), version: '1.1' }),
        arc('us-gaap:Assets', 'us-gaap:OtherAssets', {
          weight: ExactDecimal.parse('0.10000000000000000001'),
          order: 2.5,
        }),
      ],
      presentations: [
        {
          role: 'http://fld.example/role/BalanceSheet',
          concepts: ['us-gaap:StatementOfFinancialPositionAbstract', 'us-gaap:OtherAssets', 'us-gaap:Assets'],
        },
      ],
      roles: [
        { uri: 'http://fld.example/role/BalanceSheet', definition: '0002 - Statement - Balance Sheets' },
      ],
      concepts: [
        {
          concept: 'fld:ConvertibleNotesPayableRelatedPartyNoncurrent',
          type: 'xbrli:monetaryItemType',
          isMonetary: true,
          periodType: 'instant',
          balance: 'credit',
          isAbstract: false,
          label: 'Convertible notes payable – related party',
        },
      ],
      defects: [{ part: 'label', reason: 'there is no label linkbase' }],
    });
    const cover = {
      role: 'http://fld.example/role/Cover',
      concepts: ['dei:CoverAbstract', 'dei:DocumentType'],
    };
    const namedLines = [
      {
        concept: 'us-gaap:FinanceLeaseLiabilityCurrent',
        end: '2025-09-30',
        lines: ['us-gaap:OtherLiabilitiesCurrent', 'fld:Leases'],
      },
    ];
    const terms = [
      {
        concept: 'us-gaap:DebtInstrumentMaturityDate',
        contextId: 'd2',
        value: '2030-07-01',
        start: '2025-07-07',
        end: '2025-07-07',
        dimensions: [{ axis: 'us-gaap:DebtInstrumentAxis', member: 'fld:JulyNotesMember', typed: false }],
      },
    ];
    await warehouse.putFiling({
      ...filed,
      namedLines,
      terms,
      presentations: [...filed.presentations, cover],
    });
    await list(accession, '2025-11-13');
    await warehouse.connection.run(`INSERT INTO renewed VALUES ('${cik}')`);
    await warehouse.renewFilings();
    // the cover has no arcs, so the resolver is not asked to look at it
    expect(await xbrlInForce('2025-11-13')).toEqual({ ...filed, namedLines, terms });
    expect(await xbrlInForce('2025-11-12')).toBeUndefined();
    const shown = await readRows(
      warehouse.connection,
      `SELECT role, position, concept FROM presentations WHERE cik = '${cik}' ORDER BY role, position`,
    );
    expect(shown.map(({ role, position, concept }) => [role, position, concept])).toEqual([
      ['http://fld.example/role/BalanceSheet', 1, 'us-gaap:StatementOfFinancialPositionAbstract'],
      ['http://fld.example/role/BalanceSheet', 2, 'us-gaap:OtherAssets'],
      ['http://fld.example/role/BalanceSheet', 3, 'us-gaap:Assets'],
      ['http://fld.example/role/Cover', 1, 'dei:CoverAbstract'],
      ['http://fld.example/role/Cover', 2, 'dei:DocumentType'],
    ]);
    const view = await readRows(
      warehouse.connection,
      `SELECT concept, value, value_exact, decimals, is_nil, dimension_count FROM instance_facts
      WHERE cik = '${cik}' AND accession = '${accession}' AND start IS NULL ORDER BY concept`,
    );
    expect(view).toEqual([
      {
        concept: 'fld:ConvertibleNotesPayableRelatedPartyNoncurrent',
        value: 60_750_183,
        value_exact: null,
        decimals: '0',
        is_nil: false,
        dimension_count: 0,
      },
      {
        concept: 'us-gaap:Assets',
        value: 9_007_199_254_740_992,
        value_exact: '9007199254740993',
        decimals: '0',
        is_nil: false,
        dimension_count: 0,
      },
      {
        concept: 'us-gaap:ConvertibleDebtCurrent',
        value: null,
        value_exact: null,
        decimals: null,
        is_nil: true,
        dimension_count: 0,
      },
      {
        concept: 'us-gaap:CryptoAssetNumberOfUnits',
        value: 70,
        value_exact: '70.000000000000000001',
        decimals: 'INF',
        is_nil: false,
        dimension_count: 1,
      },
    ]);
  });

  it('leave out dimensional facts of other days, which no rule reads, but not of debt, loans and pledges (M1.37, M16.2)', async () => {
    const of = (axis: string, member: string) => [{ axis: `us-gaap:${axis}`, member, typed: false }];
    const member = of('StatementBusinessSegmentsAxis', 'fld:MiningMember');
    const loan = of('BusinessAcquisitionAxis', 'fld:CoinbaseLineOfCreditMember');
    const event = of('SubsequentEventTypeAxis', 'us-gaap:SubsequentEventMember');
    await warehouse.putFiling(
      filing({
        facts: [
          fact('us-gaap:Assets', '100'),
          fact('us-gaap:CryptoAssetFairValue', '7', { end: '2024-12-31', dimensions: member }),
          fact('us-gaap:CryptoAssetFairValue', '8', { end: '2025-10-01', dimensions: member }),
          fact('us-gaap:DebtInstrumentFaceAmount', '9', { end: '2023-01-01', dimensions: member }),
          fact('us-gaap:ProceedsFromLinesOfCredit', '10', { end: '2025-06-30', dimensions: loan }),
          fact('fld:BitcoinPledged', '11', { end: '2025-06-30', dimensions: member }),
          fact('us-gaap:Cash', '12', { end: '2025-11-10', dimensions: event }),
        ],
      }),
    );
    await list(accession, '2025-11-13');
    await warehouse.connection.run(`INSERT INTO renewed VALUES ('${cik}')`);
    await warehouse.renewFilings();
    const values = (await xbrlInForce('2025-11-13'))?.facts.map((f) => f.value?.toString());
    expect(values?.toSorted((a, b) => Number(a) - Number(b))).toEqual(['8', '9', '10', '11', '12', '100']);
  });

  it('bear out the balance sheet where companyfacts know nothing of the filing (M1.39, M1.44)', async () => {
    const later = '0001213900-25-222222';
    await list(accession, '2025-11-13');
    await list(later, '2025-11-20');
    await warehouse.putFiling(filing({ facts: [fact('us-gaap:Assets', '100')] }));
    // an amendment without a balance sheet never supersedes
    await warehouse.putFiling(filing({ accession: later, facts: [fact('us-gaap:Liabilities', '5')] }));
    expect((await xbrlInForce('2025-11-30'))?.accession).toBe(accession);
  });

  it('bear out a balance sheet whose total is a dash (M1.9, M1.39b: PURR 2025-09-30)', async () => {
    const later = '0001213900-25-222222';
    await list(accession, '2025-11-13');
    await list(later, '2025-11-20');
    await warehouse.putFiling(filing({ facts: [fact('us-gaap:Assets', null)] }));
    await warehouse.putFiling(filing({ accession: later, facts: [fact('us-gaap:Cash', null)] }));
    expect((await xbrlInForce('2025-11-30'))?.accession).toBe(accession);
  });

  it('are joined by (cik, accession): a placeholder shared by two registrants stays apart (M1.45)', async () => {
    const other = '0001829311';
    await list(accession, '2025-11-13');
    await warehouse.putFiling(filing({ cik: other, facts: [fact('us-gaap:Assets', '999')] }));
    await warehouse.putFiling(filing({ facts: [fact('us-gaap:Assets', '100')] }));
    const facts = (await xbrlInForce('2025-11-30'))?.facts ?? [];
    expect(facts.map((f) => f.value?.toString())).toEqual(['100']);
  });
});

describe('filingRows', () => {
  it('names what a table cannot hold instead of storing it', () => {
    const rows = filingRows(
      filing({
        facts: [
          fact('us-gaap:Assets', '1e400'),
          fact('us-gaap:Assets', '1', { end: '2025-02-30' }),
          fact('us-gaap:Assets', '1', { start: 'forever' }),
          fact('us-gaap:Assets', '1'),
        ],
        arcs: [arc('a:A', 'a:B', { order: Number.POSITIVE_INFINITY })],
        defects: [{ part: 'schema', reason: 'there is no schema' }],
      }),
      'edgar/filings/x',
    );
    expect(rows).toMatchObject({ factCount: 1, arcCount: 0 });
    expect(rows.defects).toEqual([
      { part: 'schema', reason: 'there is no schema' },
      { part: 'instance', reason: '1 × fact has a value beyond the range of doubles', state: 'unusable' },
      { part: 'instance', reason: '2 × fact has a period that is no civil date', state: 'unusable' },
      {
        part: 'calculation',
        reason: '1 × arc has a weight or order beyond the range of doubles',
        state: 'unusable',
      },
    ]);
  });

  it('loses no digit of any value and no character of any text', async () => {
    const value = fc
      .tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.integer({ min: 0, max: 12 }))
      .map(([units, scale]) => new ExactDecimal(units, scale));
    const word = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .map((text) => text.toWellFormed());
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, word), { minLength: 1, maxLength: 5 }), async (pairs) => {
        n += 1;
        const acc = `0000000009-25-${String(n).padStart(6, '0')}`;
        // each case is a later filing, and so the one in force
        const filed = new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10);
        await list(acc, filed);
        const facts = pairs.map(([v, text], i) => ({
          ...fact(`x:Concept${i}`, '0', { unit: text, contextId: text }),
          value: v,
          dimensions: [{ axis: 'x:Axis', member: text, typed: true }],
        }));
        const assets = fact('us-gaap:Assets', '1');
        await warehouse.putFiling(filing({ accession: acc, facts: [...facts, assets] }));
        expect((await xbrlInForce(filed))?.facts).toEqual([assets, ...facts]);
      }),
      { numRuns: 40 },
    );
  });
});
