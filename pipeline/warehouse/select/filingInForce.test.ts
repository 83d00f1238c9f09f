import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IssuerInputs } from '../../../calculators/filing/rows.ts';
import { costlyRuns } from '../../../fixtures/rigs/costlyRuns.ts';
import {
  type HandMadeFact,
  type HandMadeWarehouse,
  handMadeIssuer,
  handMadeWarehouse,
} from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { selectIssuerInputs } from '../../../fixtures/rigs/selectIssuerInputs.ts';
import { selectPrices } from './selectPrices.ts';

const A = '0000000001';
const B = '0000000002';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

/** A filing with total assets at its period and one other fact. */
function filed(input: {
  cik?: string;
  n: number;
  form?: string;
  filed: string;
  period: string;
}): HandMadeFact[] {
  const year = input.filed.slice(2, 4);
  const base = {
    cik: input.cik ?? A,
    accession: `0000000009-${year}-${String(input.n).padStart(6, '0')}`,
    form: input.form ?? '10-Q',
    filed: input.filed,
  };
  return [
    { ...base, concept: 'Assets', end: input.period, value: `${input.n}000` },
    { ...base, concept: 'NetIncomeLoss', start: '2025-01-01', end: input.period, value: `${input.n}` },
  ];
}

const select = (sourceDate: string, ciks: readonly string[] = [A, B]): Promise<IssuerInputs[]> =>
  selectIssuerInputs(warehouse.connection, { sourceDate, issuers: ciks.map((cik) => handMadeIssuer(cik)) });

const inForce = async (sourceDate: string) =>
  (await select(sourceDate)).map((inputs) => inputs.filing.accession);

describe('selectIssuerInputs', () => {
  it('takes the filing accepted last on or before the day, and none before the first (M10.3)', async () => {
    await warehouse.putFacts([
      ...filed({ n: 1, filed: '2025-05-05', period: '2025-03-31' }),
      ...filed({ n: 2, filed: '2025-08-05', period: '2025-06-30' }),
      ...filed({ cik: B, n: 3, filed: '2025-08-06', period: '2025-06-30' }),
    ]);
    expect(await inForce('2025-05-04')).toEqual([]);
    expect(await inForce('2025-05-05')).toEqual(['0000000009-25-000001']);
    expect(await inForce('2025-08-05')).toEqual(['0000000009-25-000002']);
    expect(await inForce('2025-08-06')).toEqual(['0000000009-25-000002', '0000000009-25-000003']);
  });

  it('takes no day after the filing for its balance sheet where only companyfacts know it (M1.44b)', async () => {
    const [assets, income] = filed({ n: 1, filed: '2025-08-05', period: '2025-06-30' });
    if (assets === undefined || income === undefined) throw new Error('no facts');
    await warehouse.putFacts([
      assets,
      income,
      { ...assets, end: '2026-06-30' },
      { ...assets, end: '2024-12-31' },
    ]);
    expect((await select('2025-08-05')).map(({ filing }) => filing.period)).toEqual(['2025-06-30']);
  });

  it('estimates acceptance as the last second of the filing day and says so (M1.44)', async () => {
    await warehouse.putFacts(filed({ n: 1, filed: '2025-05-05', period: '2025-03-31' }));
    const [inputs] = await select('2025-05-05');
    expect(inputs?.filing).toEqual({
      cik: A,
      accession: '0000000009-25-000001',
      accessionStatus: 'filed',
      form: '10-Q',
      filed: '2025-05-05',
      acceptedAt: '2025-05-05T23:59:59Z',
      acceptanceEstimated: true,
      period: '2025-03-31',
    });
  });

  it('lets acceptance from submissions decide, ties by accession', async () => {
    await warehouse.putFacts([
      ...filed({ n: 1, filed: '2025-05-05', period: '2025-03-31' }),
      ...filed({ n: 2, form: '10-Q/A', filed: '2025-05-05', period: '2025-03-31' }),
      ...filed({ n: 3, form: '10-Q/A', filed: '2025-05-05', period: '2025-03-31' }),
    ]);
    expect(await inForce('2025-05-05')).toEqual(['0000000009-25-000003']);
    await warehouse.put(
      'submission_filing',
      {
        input: 'VARCHAR',
        cik: 'VARCHAR',
        accession: 'VARCHAR',
        form: 'VARCHAR',
        filed: 'DATE',
        accepted_at: 'TIMESTAMP',
        report_date: 'DATE',
      },
      [
        ['s', A, '0000000009-25-000001', '10-Q', '2025-05-05', '2025-05-05 20:00:00', '2025-03-31'],
        ['s', A, '0000000009-25-000002', '10-Q/A', '2025-05-05', '2025-05-05 20:00:01', '2025-03-31'],
        ['s', A, '0000000009-25-000003', '10-Q/A', '2025-05-05', '2025-05-06 01:00:00', '2025-03-31'],
      ],
    );
    await warehouse.put('renewed', { cik: 'VARCHAR' }, [[A]]);
    await warehouse.renewFilings();
    const [inputs] = await select('2025-05-05');
    expect(inputs?.filing).toMatchObject({
      accession: '0000000009-25-000002',
      acceptedAt: '2025-05-05T20:00:01Z',
      acceptanceEstimated: false,
    });
  });

  it('never lets an amendment without a balance sheet supersede (GAME 10-K/A, M1.39)', async () => {
    await warehouse.putFacts([
      ...filed({ n: 1, form: '10-K', filed: '2025-03-01', period: '2024-12-31' }),
      ...filed({ n: 2, form: '10-K/A', filed: '2025-04-01', period: '2024-12-31' }).slice(1),
      ...filed({ n: 3, form: '8-K', filed: '2025-04-02', period: '2025-03-31' }),
    ]);
    expect(await inForce('2025-12-31')).toEqual(['0000000009-25-000001']);
  });

  it('marks an accession with the placeholder prefix, and keeps two issuers that share one apart (M1.45)', async () => {
    const share = (cik: string) =>
      filed({ cik, n: 1, filed: '2025-05-05', period: '2025-03-31' }).map((fact) => ({
        ...fact,
        accession: '0000000000-25-018440',
        value: `${Number(cik)}`,
      }));
    await warehouse.putFacts([...share(A), ...share(B)]);
    const inputs = await select('2025-05-05');
    expect(inputs.map((i) => i.filing.accessionStatus)).toEqual(['placeholder', 'placeholder']);
    expect(inputs.map((i) => i.facts.map((fact) => fact.value.toString()))).toEqual([
      ['1', '1'],
      ['2', '2'],
    ]);
  });

  it('returns every fact of the filing with all filed digits, comparatives included', async () => {
    const base = { cik: A, accession: '0000000009-25-000001', form: '10-K', filed: '2025-03-01' };
    await warehouse.putFacts([
      { ...base, concept: 'Assets', end: '2024-12-31', value: '9007199254740993' },
      { ...base, concept: 'Assets', end: '2023-12-31', value: '100.5' },
      {
        ...base,
        concept: 'EntityCommonStockSharesOutstanding',
        taxonomy: 'dei',
        unit: 'shares',
        end: '2025-02-20',
        value: '7',
      },
    ]);
    const [inputs] = await select('2025-03-01');
    expect(
      inputs?.facts.map((f) => [f.taxonomy, f.concept, f.unit, f.start, f.end, f.value.toString()]),
    ).toEqual([
      ['dei', 'EntityCommonStockSharesOutstanding', 'shares', null, '2025-02-20', '7'],
      ['us-gaap', 'Assets', 'USD', null, '2023-12-31', '100.5'],
      ['us-gaap', 'Assets', 'USD', null, '2024-12-31', '9007199254740993'],
    ]);
    expect(inputs?.facts.every((f) => f.accession === '0000000009-25-000001' && f.form === '10-K')).toBe(
      true,
    );
    expect(inputs?.filing.period).toBe('2024-12-31');
    expect(inputs?.supporting).toEqual([]);
  });

  it('supports the filing with adoption-date crypto facts and a year of debt activity, known on the day only', async () => {
    const other = { cik: A, accession: '0000000009-25-000002', form: '10-Q', filed: '2025-05-05' };
    await warehouse.putFacts([
      ...filed({ n: 1, form: '10-K', filed: '2025-02-18', period: '2024-12-31' }),
      // a 10-Q without a balance sheet of its own keeps the 10-K in force
      {
        ...other,
        concept: 'IndefiniteLivedIntangibleAssetsExcludingGoodwill',
        end: '2025-01-01',
        value: '41790421000',
      },
      {
        ...other,
        concept: 'IndefiniteLivedIntangibleAssetsExcludingGoodwill',
        end: '2025-03-31',
        value: '1',
      },
      { ...other, concept: 'Goodwill', end: '2025-01-01', value: '2' },
      { ...other, concept: 'InterestExpense', start: '2024-01-01', end: '2024-12-31', value: '3' },
      {
        ...other,
        concept: 'ProceedsFromConvertibleNotesPayable',
        start: '2024-01-01',
        end: '2024-03-31',
        value: '4',
      },
      { ...other, concept: 'RepaymentsOfNotesPayable', start: '2023-01-01', end: '2023-12-31', value: '5' },
      {
        ...other,
        concept: 'ProceedsFromIssuanceOfCommonStock',
        start: '2024-01-01',
        end: '2024-12-31',
        value: '6',
      },
      { ...other, concept: 'DebtInstrumentFaceAmount', end: '2024-12-31', value: '7' },
    ]);
    expect((await select('2025-05-04'))[0]?.supporting).toEqual([]);
    const [inputs] = await select('2025-05-05');
    expect(inputs?.filing.accession).toBe('0000000009-25-000001');
    expect(inputs?.supporting.map((f) => [f.concept, f.end, f.value.toString(), f.filed])).toEqual([
      ['DebtInstrumentFaceAmount', '2024-12-31', '7', '2025-05-05'],
      ['IndefiniteLivedIntangibleAssetsExcludingGoodwill', '2025-01-01', '41790421000', '2025-05-05'],
      ['InterestExpense', '2024-12-31', '3', '2025-05-05'],
      ['ProceedsFromConvertibleNotesPayable', '2024-03-31', '4', '2025-05-05'],
    ]);
  });

  it('gives the same rows for a day whatever is filed or priced after it (M10.2, M15.55)', async () => {
    const day = '2025-06-30';
    await warehouse.putFacts([
      ...filed({ n: 1, filed: '2025-05-05', period: '2025-03-31' }),
      ...filed({ cik: B, n: 2, form: '10-K', filed: '2025-03-05', period: '2024-12-31' }),
    ]);
    const priceColumns = {
      input: 'VARCHAR',
      date: 'DATE',
      asset: 'VARCHAR',
      close: 'DOUBLE',
      source: 'VARCHAR',
    };
    await warehouse.put('price_close', priceColumns, [['p', day, 'BTC', 100, 'yahoo']]);
    const rows = await select(day);
    const prices = await selectPrices(warehouse.connection, { upTo: day });
    expect(rows).toHaveLength(2);
    let n = 10;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          cik: fc.constantFrom(A, B),
          form: fc.constantFrom('10-K', '10-Q/A', '8-K', '6-K'),
          late: fc.integer({ min: 1, max: 400 }),
          period: fc.constantFrom('2025-03-31', '2024-12-31', '2025-06-30', '2025-04-01'),
          concept: fc.constantFrom(
            'Assets',
            'CryptoAssetFairValue',
            'InterestExpense',
            'DebtInstrumentFaceAmount',
          ),
        }),
        async (later) => {
          n += 1;
          const filedOn = new Date(Date.parse(day) + later.late * 86_400_000).toISOString().slice(0, 10);
          const facts = filed({ ...later, n, filed: filedOn });
          await warehouse.putFacts([
            ...facts,
            { ...(facts[0] as HandMadeFact), concept: later.concept, value: '77' },
          ]);
          await warehouse.put('price_close', priceColumns, [['p', filedOn, 'BTC', n, 'yahoo']]);
          expect(await select(day)).toEqual(rows);
          expect(await selectPrices(warehouse.connection, { upTo: day })).toEqual(prices);
        },
      ),
      costlyRuns(15),
    );
  });
});
