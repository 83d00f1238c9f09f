import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { costlyRuns } from '../../../fixtures/rigs/costlyRuns.ts';
import {
  type HandMadeFact,
  type HandMadeWarehouse,
  handMadeIssuer,
  handMadeWarehouse,
} from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { selectIssuerInputs } from '../../../fixtures/rigs/selectIssuerInputs.ts';
import { dropVintages, selectVintages, type Vintage } from './selectVintages.ts';
import { openVintageInputs, type VintageContents } from './vintageInputs.ts';

const A = '0000000001';
const B = '0000000002';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

type Range = { readonly from: string; readonly to: string };

/** Vintages of a range with their contents and hashes. */
async function rangeOf(range: Range) {
  const { connection } = warehouse;
  const vintages = await selectVintages(connection, { ...range, ciks: [A, B] });
  const opened = await openVintageInputs(connection, vintages);
  const hashes = await opened.hashes();
  const contents = new Map((await Array.fromAsync(opened.read(new Set()))).flatMap((some) => [...some]));
  await dropVintages(connection);
  return { vintages, hashes, contents };
}

async function emptied(): Promise<void> {
  for (const table of ['fact', 'fact_exact', 'periodic_filing'])
    await warehouse.connection.run(`DELETE FROM ${table}`);
}

const on = (vintages: readonly Vintage[], cik: string, day: string) =>
  vintages.find((v) => v.filing.cik === cik && v.since <= day && (v.until === null || day < v.until));

const filing = ({
  n,
  filed,
  period,
  cik,
}: {
  n: number;
  filed: string;
  period: string;
  cik?: string;
}): HandMadeFact => ({
  cik: cik ?? A,
  form: '10-Q',
  filed,
  end: period,
  accession: `0000000009-25-${String(n).padStart(6, '0')}`,
  concept: 'Assets',
  value: `${n}`,
});

describe('openVintageInputs', () => {
  it('hands the contents of 40 filings over in their order, some at a time, each with its own facts', async () => {
    const day = (n: number) => new Date(Date.UTC(2015, 3 * n, 1)).toISOString().slice(0, 10);
    const filings = Array.from({ length: 40 }, (_, n) => filing({ n, filed: day(n + 1), period: day(n) }));
    await warehouse.putFacts(filings);
    const { connection } = warehouse;
    const range = { from: day(1), to: day(50), ciks: [A] };
    const vintages = await selectVintages(connection, range);
    const opened = await openVintageInputs(connection, vintages);
    const parts = await Array.fromAsync(opened.read(new Set([vintages[0]?.id ?? -1])));
    await dropVintages(connection);
    expect(parts.length).toBeGreaterThan(1);
    const read = parts.flatMap((part) => [...part]);
    expect(read.map(([id]) => id)).toEqual(vintages.slice(1).map(({ id }) => id));
    for (const [i, [, { facts }]] of read.entries())
      expect(facts.map(({ accession }) => accession)).toEqual([vintages[i + 1]?.filing.accession]);
    const left = await connection.runAndReadAll('SELECT table_name FROM duckdb_tables() WHERE temporary');
    // of the warehouse made by hand
    expect(left.getRows()).toEqual([['renewed']]);
  });
});

describe('selectVintages', () => {
  it('splits a filing where a supporting fact of another filing became known (M2.6a, M1.37)', async () => {
    await warehouse.putFacts([
      filing({ n: 1, filed: '2025-02-18', period: '2024-12-31' }),
      // dated the day after the period, filed with a report that has no balance sheet of its own
      {
        ...filing({ n: 2, filed: '2025-03-10', period: '2025-01-01' }),
        form: '8-K',
        concept: 'CryptoAssetFairValue',
      },
      // a flow that ends within the year before the period
      {
        ...filing({ n: 3, filed: '2025-03-20', period: '2024-06-30' }),
        form: '8-K',
        concept: 'RepaymentsOfDebt',
        start: '2024-04-01',
      },
      // no resolver looks at this one
      {
        ...filing({ n: 4, filed: '2025-03-25', period: '2024-12-31' }),
        form: '8-K',
        concept: 'Revenues',
      },
      filing({ n: 5, filed: '2025-05-05', period: '2025-03-31' }),
    ]);
    const { vintages, contents } = await rangeOf({ from: '2025-01-01', to: '2025-12-31' });
    expect(vintages.map(({ filing: f, since, until }) => [f.accession.slice(-1), since, until])).toEqual([
      ['1', '2025-02-18', '2025-03-10'],
      ['1', '2025-03-10', '2025-03-20'],
      ['1', '2025-03-20', '2025-05-05'],
      ['5', '2025-05-05', null],
    ]);
    const supporting = vintages.map(({ id }) => contents.get(id)?.supporting.map((fact) => fact.concept));
    expect(supporting).toEqual([
      [],
      ['CryptoAssetFairValue'],
      ['CryptoAssetFairValue', 'RepaymentsOfDebt'],
      // 2024-06-30 lies within the year before 2025-03-31, too
      ['RepaymentsOfDebt'],
    ]);
  });

  it('begins a range with what was in force before it', async () => {
    await warehouse.putFacts([
      filing({ n: 1, filed: '2024-05-05', period: '2024-03-31' }),
      filing({ n: 2, filed: '2024-08-05', period: '2024-06-30' }),
    ]);
    const { vintages } = await rangeOf({ from: '2025-01-01', to: '2025-01-31' });
    expect(vintages.map(({ filing: f, since, until }) => [f.accession.slice(-1), since, until])).toEqual([
      ['2', '2025-01-01', null],
    ]);
  });

  it('reads two values that one filing gives for one fact in the same order however they are stored', async () => {
    const twice = ['8', '2', '5'].map((value) => ({
      ...filing({ n: 1, filed: '2025-05-05', period: '2025-03-31' }),
      value,
    }));
    const read = async (facts: readonly HandMadeFact[]) => {
      await emptied();
      for (const fact of facts) await warehouse.putFacts([fact]);
      const { vintages, contents } = await rangeOf({ from: '2025-05-05', to: '2025-05-05' });
      return vintages.flatMap(({ id }) => contents.get(id)?.facts.map(({ value }) => value.toString()) ?? []);
    };
    expect(await read(twice)).toEqual(['2', '5', '8']);
    expect(await read(twice.toReversed())).toEqual(['2', '5', '8']);
  });

  it('says for every day of a range what a look-up of that day alone says (M10.3, M15.55)', async () => {
    const day = fc.integer({ min: 0, max: 40 }).map((n) => new Date(Date.UTC(2025, 3, 1 + n)).toISOString());
    const anyFact = fc.record({
      cik: fc.constantFrom(A, B),
      n: fc.integer({ min: 1, max: 6 }),
      filed: day.map((text) => text.slice(0, 10)),
      concept: fc.constantFrom('Assets', 'Assets', 'CryptoAssetFairValue', 'InterestExpense'),
      end: fc.constantFrom('2025-03-31', '2025-04-01', '2025-01-31'),
      value: fc.integer({ min: 1, max: 9 }).map(String),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyFact, { minLength: 1, maxLength: 14 }), async (facts) => {
        const { connection } = warehouse;
        await emptied();
        await warehouse.putFacts(
          facts.map(({ n, ...fact }) => ({
            ...fact,
            form: '10-Q',
            accession: `0000000009-25-${String(n).padStart(6, '0')}`,
          })),
        );
        const { vintages, hashes, contents } = await rangeOf({ from: '2025-04-10', to: '2025-05-05' });
        const byHash = new Map<string, VintageContents>();
        for (const { id } of vintages) {
          const found = contents.get(id);
          const hash = hashes.get(id) ?? '';
          if (found === undefined) throw new Error('a vintage without contents');
          // equal hashes are equal contents
          expect(byHash.get(hash) ?? found).toEqual(found);
          byHash.set(hash, found);
        }
        for (let n = 10; n <= 35; n += 5) {
          const asked = new Date(Date.UTC(2025, 3, n)).toISOString().slice(0, 10);
          const issuers = [handMadeIssuer(A), handMadeIssuer(B)];
          const alone = await selectIssuerInputs(connection, { sourceDate: asked, issuers });
          for (const issuer of issuers) {
            const vintage = on(vintages, issuer.cik, asked);
            const expected = alone.find((inputs) => inputs.issuer.cik === issuer.cik);
            expect(vintage?.filing).toEqual(expected?.filing);
            if (vintage === undefined || expected === undefined) continue;
            const { facts: own, supporting, xbrl } = expected;
            expect(contents.get(vintage.id)).toEqual({ facts: own, supporting, xbrl });
          }
        }
      }),
      costlyRuns(15),
    );
  });

  it('hashes what is known of a filing alike whatever was filed or restated later (M15.55, M15.56)', async () => {
    await warehouse.putFacts([
      filing({ n: 1, filed: '2025-02-18', period: '2024-12-31' }),
      filing({ n: 2, filed: '2025-05-05', period: '2025-03-31' }),
      filing({ n: 3, cik: B, filed: '2025-03-01', period: '2024-12-31' }),
    ]);
    const range = { from: '2025-02-01', to: '2025-06-30' };
    const told = async () => {
      const { vintages, hashes } = await rangeOf(range);
      return vintages.map(({ id, filing: { accession }, since }) => [accession, since, hashes.get(id)]);
    };
    const before = await told();
    let n = 10;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          cik: fc.constantFrom(A, B),
          late: fc.integer({ min: 1, max: 300 }),
          end: fc.constantFrom('2024-12-31', '2025-01-01', '2025-03-31', '2025-06-30'),
          concept: fc.constantFrom('Assets', 'CryptoAssetFairValue', 'InterestExpense', 'Liabilities'),
        }),
        async ({ late, ...fact }) => {
          n += 1;
          const filed = new Date(Date.parse(range.to) + late * 86_400_000).toISOString().slice(0, 10);
          await warehouse.putFacts([{ ...filing({ n, filed, period: fact.end }), ...fact }]);
          expect(await told()).toEqual(before);
        },
      ),
      costlyRuns(12),
    );
  });
});
