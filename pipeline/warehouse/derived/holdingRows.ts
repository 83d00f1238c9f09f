import type { DuckDBConnection } from '@duckdb/node-api';
import { capitalTrail, wholeCapitalRow } from '../../../calculators/capital/surface/capitalRow.ts';
import type { IssuerResult, Slice } from '../../../calculators/composeSlice.ts';
import { doubleOf } from '../../../calculators/exact/fraction.ts';
import { weightsOf } from '../../../calculators/prices/coinMix.ts';
import type { CapitalPayload } from '../../../data/contract/payloads/issuer/capital.ts';
import { fundamentalKeys } from '../../../data/contract/payloads/issuer/companyFundamentals.ts';
import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { type CanonicalValue, canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { type Cell, insertRows } from '../build/insertRows.ts';
import { inTransaction } from '../build/readRows.ts';
import { capitalTableList } from './capitalTables.ts';

type Night = { readonly sourceDate: string; readonly methodVersion: string };

/**
 * Writes filed figures, coins, loans and capital structures of one night behind views `fundamentals`, `coins`, `facilities`
 * and those of M18.84, in place of earlier rows of the same source_date and method version. @throws IssuerError `store_unwritable` when the disk does not take them.
 */
export async function writeHoldingRows(
  connection: DuckDBConnection,
  slice: Slice,
  night: Night,
): Promise<void> {
  await inTransaction(connection, () =>
    putRows(connection, { nights: [{ ...night, slice }], withFacts: true }),
  );
}

type SliceNight = Night & { readonly slice: Slice };

/** As {@link writeHoldingRows}, for several past dates inside the caller's transaction, without facts of capital (M18.84). */
export async function putHoldingRows(
  connection: DuckDBConnection,
  nights: readonly SliceNight[],
): Promise<void> {
  await putRows(connection, { nights, withFacts: false });
}

async function putRows(
  connection: DuckDBConnection,
  { nights, withFacts }: { readonly nights: readonly SliceNight[]; readonly withFacts: boolean },
): Promise<void> {
  for (const { sourceDate: date, methodVersion: version } of nights) {
    for (const table of ['fundamental_row', 'coin_row', 'facility_row', ...capitalTables]) {
      await connection.run(
        `DELETE FROM ${table} WHERE source_date = $date::DATE AND method_version = $version`,
        { date, version },
      );
    }
  }
  const rows = (of: (one: IssuerResult) => readonly (readonly Cell[])[]) =>
    nights.flatMap(({ slice, sourceDate, methodVersion }) =>
      slice.issuers.flatMap(of).map((row) => [sourceDate, methodVersion, ...row]),
    );
  await insertRows(connection, {
    table: 'fundamental_row',
    rows: rows((one) => [fundamentalRow(one)]),
  });
  await insertRows(connection, { table: 'coin_row', rows: rows(coinRows) });
  await putFacilityRows(
    connection,
    nights.map(({ slice, methodVersion }) => ({ methodVersion, stress: slice.covenantRows })),
  );
  await putCapitalRows(connection, { nights, withFacts });
}

function fundamentalRow({ issuer, fundamentals: own }: IssuerResult): Cell[] {
  const context = own.fundamentals_context;
  return [
    ...[
      issuer.cik,
      own.ticker,
      own.entity_name,
      own.provenance.accession_number,
      own.filing_form,
      own.period,
    ],
    ...[context?.currency ?? null, context?.flow_start ?? null, context?.flow_end ?? null],
    own.provenance.facts.cash_flow_from_operations?.start ?? null,
    ...fundamentalKeys.map((key) => own.fundamentals[key]?.toString() ?? null),
  ];
}

function coinRows({ issuer, assessed: { position } }: IssuerResult): Cell[][] {
  const { mix, units } = position;
  const estimated: Readonly<Record<string, number | null>> = { BTC: units.bitcoin, ETH: units.ethereum };
  return weightsOf(mix).map(({ asset, weight }) => {
    const reported = units.reported[asset] ?? null;
    const held = reported ?? estimated[asset] ?? null;
    return [issuer.cik, asset, doubleOf(weight), held, reported !== null];
  });
}

/** Writes the facilities of covenant rows behind view `facilities`; the caller has removed earlier rows of the night. */
export async function putFacilityRows(
  connection: DuckDBConnection,
  nights: readonly { readonly methodVersion: string; readonly stress: readonly CovenantStress[] }[],
): Promise<void> {
  const rows = nights.flatMap(({ methodVersion, stress }) =>
    stress.flatMap(({ source_date: day, cik, facilities = [] }) =>
      facilities.map((facility) => ({
        ...{ ...facility, source_date: day, method_version: methodVersion, cik },
        ...{ drawn: amountCell(facility.drawn), limit: amountCell(facility.limit) },
        collateral_value: amountCell(facility.collateral_value),
        fact_refs: JSON.stringify(facility.fact_refs),
      })),
    ),
  );
  await insertRows(connection, { table: 'facility_row', rows });
}

/** An absurd amount stays in the payload; the typed column is null rather than the end of the night. */
function amountCell(value: ExactDecimal | number | null): Cell {
  return value === null || Math.abs(Number(value)) >= 1e31 ? null : value.toString();
}

/** Tables behind the capital views, and the whole of it with its facts (M18.84). */
export const capitalTables: readonly string[] = [
  'capital_row',
  ...capitalTableList.map(({ table }) => table),
];

/**
 * Writes the capital structures of nights; the caller has removed earlier rows of each.
 *
 * @param withFacts also what was published of each with its facts, which past dates do without
 */
export async function putCapitalRows(
  connection: DuckDBConnection,
  { nights, withFacts }: { readonly nights: readonly SliceNight[]; readonly withFacts: boolean },
): Promise<void> {
  const made = nights.flatMap((night) =>
    night.slice.issuers.flatMap((one) => {
      const row = capitalPayload(one);
      return row === null ? [] : [{ ...night, cik: one.issuer.cik, row, one }];
    }),
  );
  for (const { table, rowsOf } of capitalTableList) {
    const rows = made.flatMap(({ sourceDate, methodVersion, cik, row }) =>
      rowsOf(row).map((one) => ({ ...one, source_date: sourceDate, method_version: methodVersion, cik })),
    );
    await insertRows(connection, { table, rows });
  }
  if (!withFacts) return;
  await insertRows(connection, {
    table: 'capital_row',
    rows: made.flatMap(({ sourceDate, methodVersion, cik, row, one: { capital } }) =>
      capital.capital === null
        ? []
        : [[sourceDate, methodVersion, cik, textOf(row), textOf(capitalTrail(capital.capital))]],
    ),
  });
}

function capitalPayload({ issuer, stress, capital: { capital } }: IssuerResult): CapitalPayload | null {
  if (capital === null) return null;
  const { debt_coverage_status: debtCoverage, computed_at_utc: computedAt = '' } = stress;
  return wholeCapitalRow(capital, { issuer, debtCoverage, computedAt });
}

function textOf(value: object): string {
  return canonicalJson(value as CanonicalValue);
}
