import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { covenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { readRows } from '../build/readRows.ts';
import { writeStressRows } from './stressRows.ts';

const cik = '0001050446';
let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

describe('fact_vintages', () => {
  it('shows the equity MSTR filed for 2020-12-31 four times, as it alternated (T21)', async () => {
    const filed = [
      ['0001564590-21-005783', '10-K', '2021-02-12', '553045000'],
      ['0001564590-22-005287', '10-K', '2022-02-16', '553045000'],
      ['0001564590-22-017437', '10-Q', '2022-05-03', '446192000'],
      ['0001564590-23-002012', '10-K', '2023-02-16', '553045000'],
      ['0000950170-24-015847', '10-K', '2024-02-15', '446192000'],
    ] as const;
    await warehouse.putFacts(
      filed.map(([accession, form, day, value]) => ({
        cik,
        accession,
        form,
        filed: day,
        value,
        concept: 'StockholdersEquity',
        end: '2020-12-31',
      })),
    );
    const rows = await readRows(
      warehouse.connection,
      `SELECT vintage, filed::VARCHAR AS filed, accession, value, is_restated, superseded_on::VARCHAR AS next
      FROM fact_vintages WHERE concept = 'StockholdersEquity' ORDER BY vintage`,
    );
    expect(
      rows.map((row) => [row['vintage'], row['filed'], row['value'], row['is_restated'], row['next']]),
    ).toEqual([
      [1, '2021-02-12', 553045000, false, '2022-02-16'],
      [2, '2022-02-16', 553045000, false, '2022-05-03'],
      [3, '2022-05-03', 446192000, true, '2023-02-16'],
      [4, '2023-02-16', 553045000, true, '2024-02-15'],
      [5, '2024-02-15', 446192000, true, null],
    ]);
    expect(rows.map((row) => row['accession'])).toEqual(filed.map(([accession]) => accession));
  });
});

describe('stress_as_of', () => {
  it('answers with the newest slice up to the day and names both dates (M10.6)', async () => {
    for (const [sourceDate, methodVersion, stress] of [
      ['2025-11-13', 'params-1.2', 0.1],
      ['2025-11-14', 'params-1.9', 0.2],
      ['2025-11-14', 'params-1.10', 0.3],
    ] as const) {
      const row = { ...covenantStress.example, source_date: sourceDate, stress_50pct: stress };
      await writeStressRows(warehouse.connection, [row as never], { sourceDate, methodVersion });
    }
    const on = async (day: string) =>
      (
        await readRows(
          warehouse.connection,
          `SELECT asked_date::VARCHAR AS asked, source_date::VARCHAR AS found, stress_50pct FROM stress_as_of('${day}')`,
        )
      ).map((row) => [row['asked'], row['found'], row['stress_50pct']]);
    expect(await on('2025-11-12')).toEqual([]);
    expect(await on('2025-11-13')).toEqual([['2025-11-13', '2025-11-13', 0.1]]);
    expect(await on('2025-12-31')).toEqual([['2025-12-31', '2025-11-14', 0.3]]);
  });
});
