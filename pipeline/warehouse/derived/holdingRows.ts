import type { DuckDBConnection } from '@duckdb/node-api';
import type { IssuerResult, Slice } from '../../../calculators/composeSlice.ts';
import { doubleOf } from '../../../calculators/exact/fraction.ts';
import { weightsOf } from '../../../calculators/prices/coinMix.ts';
import { fundamentalKeys } from '../../../data/contract/payloads/issuer/companyFundamentals.ts';
import { type Cell, insertRows } from '../build/insertRows.ts';
import { inTransaction } from '../build/inTransaction.ts';
import { capitalTables, putCapitalRows } from './capitalRows.ts';
import { putFacilityRows } from './facilityRows.ts';

const money = 'DECIMAL(38,6)';
const fundamentalColumns = {
  source_date: 'DATE',
  method_version: 'VARCHAR',
  cik: 'VARCHAR',
  ticker: 'VARCHAR',
  entity_name: 'VARCHAR',
  accession: 'VARCHAR',
  filing_form: 'VARCHAR',
  period: 'DATE',
  currency: 'VARCHAR',
  flow_start: 'DATE',
  flow_end: 'DATE',
  cash_flow_start: 'DATE',
  ...Object.fromEntries(fundamentalKeys.map((key) => [key, money])),
};
const coinColumns = {
  source_date: 'DATE',
  method_version: 'VARCHAR',
  cik: 'VARCHAR',
  asset: 'VARCHAR',
  share: 'DOUBLE',
  units: 'DOUBLE',
  is_reported: 'BOOLEAN',
};

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
    columns: fundamentalColumns,
    rows: rows((one) => [fundamentalRow(one)]),
  });
  await insertRows(connection, { table: 'coin_row', columns: coinColumns, rows: rows(coinRows) });
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
