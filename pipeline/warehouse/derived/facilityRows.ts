import type { DuckDBConnection } from '@duckdb/node-api';
import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import type { CovenantFacility } from '../../../data/contract/payloads/issuer/facility.ts';
import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { type Cell, insertRows } from '../build/insertRows.ts';

const money = 'DECIMAL(38,6)';
const texts = [
  'facility_id',
  'name',
  'drawn_basis',
  'collateral_asset',
  'collateral_basis',
  'trigger_kind',
  'confidence',
] as const;
const numbers = [
  'collateral_units',
  'ltv',
  'trigger_ltv',
  'margin_call_price',
  'price_fall_to_call',
  'live_ltv',
  'live_price_fall_to_call',
] as const;
const amounts = ['drawn', 'limit', 'collateral_value'] as const;
const days = ['price_date', 'as_of'] as const;
const typeOf = (names: readonly (keyof CovenantFacility)[], type: string) =>
  Object.fromEntries(names.map((name) => [name, type]));
const columns = {
  source_date: 'DATE',
  method_version: 'VARCHAR',
  cik: 'VARCHAR',
  ...typeOf(texts, 'VARCHAR'),
  ...typeOf(numbers, 'DOUBLE'),
  ...typeOf(amounts, money),
  ...typeOf(days, 'DATE'),
  is_subsequent: 'BOOLEAN',
  notes: ['VARCHAR'],
  fact_refs: 'VARCHAR',
};

/** Writes the facilities of covenant rows behind view `facilities`; the caller has removed earlier rows of the night. */
export async function putFacilityRows(
  connection: DuckDBConnection,
  nights: readonly { readonly methodVersion: string; readonly stress: readonly CovenantStress[] }[],
): Promise<void> {
  const rows = nights.flatMap(({ methodVersion, stress }) =>
    stress.flatMap(({ source_date: day, cik, facilities = [] }) =>
      facilities.map((facility) => [day, methodVersion, cik, ...cellsOf(facility)]),
    ),
  );
  await insertRows(connection, { table: 'facility_row', columns, rows });
}

function cellsOf(facility: CovenantFacility): Cell[] {
  return [
    ...texts.map((name) => facility[name]),
    ...numbers.map((name) => facility[name]),
    ...amounts.map((name) => amountCell(facility[name])),
    ...days.map((name) => facility[name]),
    facility.is_subsequent,
    facility.notes,
    JSON.stringify(facility.fact_refs),
  ];
}

/** An absurd amount stays in the payload; the typed column is null rather than the end of the night. */
function amountCell(value: ExactDecimal | number | null): Cell {
  return value === null || Math.abs(Number(value)) >= 1e31 ? null : value.toString();
}
