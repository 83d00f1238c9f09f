import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { XbrlFiling } from '../../../calculators/filing/xbrlFiling.ts';
import { loanFact } from '../../../fixtures/builders/facilityTables.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { dropVintages, selectVintages } from './selectVintages.ts';
import { openVintageInputs } from './vintageInputs.ts';

const cik = '0000000001';
const note = 'us-gaap:LongtermDebtTypeAxis=own:NotesDueTwentyThirtyMember';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

const accessionOf = (n: number) => `0000000009-25-${String(n).padStart(6, '0')}`;

/** A filing with its balance-sheet total, a conversion price of a note and a maturity in words. */
async function put({ n, filed, period, price }: { n: number; filed: string; period: string; price: string }) {
  const accession = accessionOf(n);
  await warehouse.putFacts([
    { cik, form: '10-Q', filed, end: period, accession, concept: 'Assets', value: String(n) },
  ]);
  const facts = [
    loanFact({ concept: 'us-gaap:Assets', value: String(n), end: period, position: 0 }),
    loanFact({ concept: 'us-gaap:Liabilities', value: '1', end: period, position: 1 }),
    loanFact({
      concept: 'us-gaap:DebtInstrumentConvertibleConversionPrice1',
      value: price,
      unit: 'USD/shares',
      end: period,
      members: [note],
      position: 2,
    }),
  ];
  const [axis = '', member = ''] = note.split('=');
  const filing: XbrlFiling = {
    ...{ cik, accession, facts, arcs: [], presentations: [], roles: [], concepts: [], defects: [] },
    terms: [
      {
        concept: 'us-gaap:DebtInstrumentMaturityDate',
        contextId: 'c',
        value: '2030-03-15',
        start: null,
        end: period,
        dimensions: [{ axis, member, typed: false }],
      },
    ],
  };
  await warehouse.putFiling(filing);
}

async function earlierOn(day: string) {
  const { connection } = warehouse;
  const vintages = await selectVintages(connection, { from: day, to: day, ciks: [cik] });
  const opened = await openVintageInputs(connection, vintages);
  const contents = new Map((await Array.fromAsync(opened.read(new Set()))).flatMap((some) => [...some]));
  await dropVintages(connection);
  const [{ earlier = [] } = {}] = [...contents.values()];
  return earlier.map(({ period, facts, terms }) => [
    period,
    facts.map(({ concept, value }) => `${concept.split(':')[1]} ${value}`),
    terms.map(({ value }) => value),
  ]);
}

const seen = (period: string, total: number, price: string) => [
  period,
  [`Assets ${total}`, `DebtInstrumentConvertibleConversionPrice1 ${price}`],
  ['2030-03-15'],
];

describe('earlier filings of an issuer (M18.90)', () => {
  it('are those of earlier periods known with the filing in force, newest first, with what they state of notes', async () => {
    await put({ n: 1, filed: '2025-02-18', period: '2024-12-31', price: '10' });
    await put({ n: 2, filed: '2025-05-12', period: '2025-03-31', price: '11' });
    await put({ n: 3, filed: '2025-08-12', period: '2025-06-30', price: '12' });
    expect(await earlierOn('2025-08-20')).toEqual([seen('2025-03-31', 2, '11'), seen('2024-12-31', 1, '10')]);
    expect(await earlierOn('2025-06-20')).toEqual([seen('2024-12-31', 1, '10')]);
    expect(await earlierOn('2025-03-01')).toEqual([]);
  });

  it('hold none that was filed after it: a late report of an older period changes no row', async () => {
    await put({ n: 2, filed: '2025-05-12', period: '2025-03-31', price: '11' });
    await put({ n: 1, filed: '2025-06-18', period: '2024-12-31', price: '10' });
    expect(await earlierOn('2025-06-20')).toEqual([]);
  });
});
