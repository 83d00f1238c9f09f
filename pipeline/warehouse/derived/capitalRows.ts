import type { DuckDBConnection } from '@duckdb/node-api';
import { capitalTrail, wholeCapitalRow } from '../../../calculators/capital/surface/capitalRow.ts';
import type { IssuerResult, Slice } from '../../../calculators/composeSlice.ts';
import type { CapitalPayload } from '../../../data/contract/payloads/issuer/capital.ts';
import { type CanonicalValue, canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { type Cell, insertRows } from '../build/insertRows.ts';
import { type CapitalTable, capitalTableList } from './capitalTables.ts';

/** Tables behind the capital views, and the whole of it with its facts (M18.84). */
export const capitalTables: readonly string[] = [
  'capital_row',
  ...capitalTableList.map(({ table }) => table),
];

const keyColumns = { source_date: 'DATE', method_version: 'VARCHAR', cik: 'VARCHAR' };

type Night = { readonly sourceDate: string; readonly methodVersion: string; readonly slice: Slice };

/**
 * Writes the capital structures of nights; the caller has removed earlier rows of each.
 *
 * @param withFacts also what was published of each with its facts, which past dates do without
 */
export async function putCapitalRows(
  connection: DuckDBConnection,
  { nights, withFacts }: { readonly nights: readonly Night[]; readonly withFacts: boolean },
): Promise<void> {
  const made = nights.flatMap((night) =>
    night.slice.issuers.flatMap((one) => {
      const row = rowOf(one);
      return row === null ? [] : [{ ...night, cik: one.issuer.cik, row, one }];
    }),
  );
  for (const table of capitalTableList) await putTable(connection, { table, made });
  if (!withFacts) return;
  await insertRows(connection, {
    table: 'capital_row',
    columns: { ...keyColumns, payload: 'VARCHAR', trail: 'VARCHAR' },
    rows: made.flatMap(({ sourceDate, methodVersion, cik, row, one: { capital } }) =>
      capital.capital === null
        ? []
        : [[sourceDate, methodVersion, cik, textOf(row), textOf(capitalTrail(capital.capital))]],
    ),
  });
}

type MadeRow = {
  readonly sourceDate: string;
  readonly methodVersion: string;
  readonly cik: string;
  readonly row: CapitalPayload;
};

async function putTable(
  connection: DuckDBConnection,
  { table: { table, columns, rowsOf }, made }: { table: CapitalTable; made: readonly MadeRow[] },
): Promise<void> {
  await insertRows(connection, {
    table,
    columns: { ...keyColumns, ...columns },
    rows: made.flatMap(({ sourceDate, methodVersion, cik, row }) =>
      rowsOf(row).map((cells): Cell[] => [sourceDate, methodVersion, cik, ...cells]),
    ),
  });
}

function rowOf({ issuer, stress, capital: { capital } }: IssuerResult): CapitalPayload | null {
  if (capital === null) return null;
  const { debt_coverage_status: debtCoverage, computed_at_utc: computedAt = '' } = stress;
  return wholeCapitalRow(capital, { issuer, debtCoverage, computedAt });
}

function textOf(value: object): string {
  return canonicalJson(value as CanonicalValue);
}
