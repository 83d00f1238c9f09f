import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addDays } from '../../../calculators/exact/civilDate.ts';
import { costlyRuns } from '../../../fixtures/rigs/costlyRuns.ts';
import {
  type HandMadeWarehouse,
  handMadeIssuer,
  handMadeWarehouse,
} from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { selectIssuerInputs } from '../../../fixtures/rigs/selectIssuerInputs.ts';
import { easternOfUtc } from '../../source/easternTime.ts';
import { insertRows } from '../build/insertRows.ts';
import { readRows } from '../build/readRows.ts';
import { parseSubmissions } from '../load/parseSubmissions.ts';
import { dropVintages, selectVintages } from './selectVintages.ts';

const cik = '0000000001';
const quarters = ['2025-03-31', '2025-06-30', '2025-09-30'];

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

type Filed = { readonly period: string; readonly filed: string; readonly accepted: string };

/** A list of the filings as EDGAR serves it, or as a copy that writes New York time. */
async function submit(filings: readonly Filed[], { isEastern }: { isEastern: boolean }) {
  // the evidence for the zone: as UTC 8 am would be the night, and 1 am UTC is the evening
  const evidence = Array.from({ length: 4 }, (_, i) => `2024-01-0${i + 2} ${isEastern ? '08' : '01'}:00:00`);
  const rows = [
    ...filings.map(({ period, filed, accepted }) => ({
      form: '10-Q',
      period,
      filed,
      stated: isEastern ? easternOfUtc(accepted) : accepted,
    })),
    ...evidence.map((stated) => ({ form: '8-K', period: '', filed: '2024-01-02', stated })),
  ];
  const column = <T>(value: (row: (typeof rows)[number], i: number) => T) => rows.map(value);
  const text = JSON.stringify({
    cik,
    name: 'Issuer 1',
    filings: {
      recent: {
        accessionNumber: column((_, i) => accession(i)),
        filingDate: column(({ filed }) => filed),
        reportDate: column(({ period }) => period),
        acceptanceDateTime: column(({ stated }) => `${stated.replace(' ', 'T')}.000Z`),
        form: column(({ form }) => form),
        items: column(() => ''),
        isXBRL: column(() => 1),
        primaryDocument: column(() => 'q.htm'),
      },
    },
  });
  const parsed = parseSubmissions({ name: `CIK${cik}.json`, input: 's', text });
  const { connection } = warehouse;
  for (const table of ['fact', 'fact_exact', 'submission_filing', 'periodic_filing'])
    await connection.run(`DELETE FROM ${table}`);
  await insertRows(connection, { table: 'submission_filing', rows: parsed.filings });
  await warehouse.putFacts(
    filings.flatMap(({ period, filed }, i) => {
      const base = { cik, accession: accession(i), form: '10-Q', filed };
      return [
        { ...base, concept: 'Assets', end: period, value: `${i + 1}000` },
        // what a later filing says of the quarters before it supports theirs
        ...quarters.map((end) => ({ ...base, concept: 'DebtInstrumentFaceAmount', end, value: `${i + 1}` })),
      ];
    }),
  );
}

const accession = (i: number) => `0000000009-25-${String(i + 1).padStart(6, '0')}`;

const filing = (period: string) =>
  fc
    .record({
      day: fc.integer({ min: 20, max: 60 }),
      // 6:00 to 21:59 in New York, on the day EDGAR dates the filing or the evening before
      minutes: fc.integer({ min: 0, max: 16 * 60 - 1 }),
      isDatedNext: fc.boolean(),
    })
    .map(({ day, minutes, isDatedNext }): Filed => {
      const on = addDays(period, day);
      const winter = on >= '2025-11-02' ? 11 : 10;
      const accepted = new Date(Date.parse(`${on}T00:00:00Z`) + (winter * 60 + minutes) * 60_000);
      return {
        period,
        filed: isDatedNext ? addDays(on, 1) : on,
        accepted: accepted.toISOString().slice(0, 19).replace('T', ' '),
      };
    });

it('no row of a day rests on a filing that is accepted after it, in whichever zone the list is (M10.2)', async () => {
  const { connection } = warehouse;
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(...quarters.map(filing)),
      fc.boolean(),
      fc.integer({ min: 20, max: 250 }),
      async (filings, isEastern, after) => {
        await submit(filings, { isEastern });
        const day = addDays('2025-03-31', after);
        const knownOn = filings.map(({ filed, accepted }) => {
          const on = accepted.slice(0, 10);
          return on > filed ? on : filed;
        });
        const isKnown = (name: string) => (knownOn[Number(name.slice(-6)) - 1] ?? '') <= day;
        const [inputs] = await selectIssuerInputs(connection, {
          sourceDate: day,
          issuers: [handMadeIssuer(cik)],
        });
        const newest = knownOn.findLastIndex((on) => on <= day);
        expect(inputs?.filing.accession).toBe(newest < 0 ? undefined : accession(newest));
        const read = [...(inputs?.facts ?? []), ...(inputs?.supporting ?? [])];
        for (const fact of read) expect(isKnown(fact.accession)).toBe(true);
        if (inputs !== undefined) {
          expect(inputs.filing.acceptedAt.slice(0, 10) <= day).toBe(true);
          expect(inputs.filing.acceptedAt).toBe(`${filings[newest]?.accepted.replace(' ', 'T')}Z`);
        }
        // the analyst's question of the same day has the same balance sheet
        const asOf = await readRows(
          connection,
          `SELECT accession, value FROM facts_as_of('${day}') WHERE concept = 'Assets' ORDER BY "end"`,
        );
        expect(asOf.every((row) => isKnown(String(row['accession'])))).toBe(true);
        expect(asOf.at(-1)?.['accession']).toBe(inputs?.filing.accession);
        // and what holds on a day of a range is what holds on it alone
        const range = await selectVintages(connection, { from: '2025-04-01', to: '2025-12-31', ciks: [cik] });
        await dropVintages(connection);
        const held = range.find(({ since, until }) => since <= day && (until === null || day < until));
        expect(held?.filing.accession).toBe(inputs?.filing.accession);
      },
    ),
    costlyRuns(25),
  );
});

it('a filing of the evening is known on the next day in UTC, by facts and rows alike', async () => {
  const evening = { period: '2025-03-31', filed: '2025-05-05', accepted: '2025-05-06 01:30:00' };
  for (const isEastern of [true, false]) {
    await submit([evening], { isEastern });
    const known = async (day: string) => {
      const { connection } = warehouse;
      const issuers = [handMadeIssuer(cik)];
      const rows = await selectIssuerInputs(connection, { sourceDate: day, issuers });
      const facts = await readRows(
        connection,
        `SELECT 1 FROM facts_as_of('${day}') WHERE concept = 'Assets'`,
      );
      return [rows.length, facts.length];
    };
    expect(await known('2025-05-05')).toEqual([0, 0]);
    expect(await known('2025-05-06')).toEqual([1, 1]);
  }
});
