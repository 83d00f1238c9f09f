import type { Place, RefusedStatement, Statement } from '../../../calculators/currentReports/statement.ts';
import type { Cell } from '../build/insertRows.ts';
import type { ReadReport } from './readReport.ts';

/** What rows of a report have in common. */
const shared = {
  input: 'VARCHAR',
  cik: 'VARCHAR',
  accession: 'VARCHAR',
  form: 'VARCHAR',
  items: ['VARCHAR'],
  filed: 'DATE',
  accepted_at: 'TIMESTAMP',
  known_from: 'DATE',
  position: 'INTEGER',
} as const;
const place = {
  type: 'VARCHAR',
  document: 'VARCHAR',
  block: 'INTEGER',
  table_row: 'INTEGER',
  table_column: 'INTEGER',
} as const;

/** Columns of `coin_statement`: every member of a statement. */
export const statementColumns = {
  ...shared,
  kind: 'VARCHAR',
  asset: 'VARCHAR',
  units: 'VARCHAR',
  period_from: 'DATE',
  as_of: 'DATE',
  usd: 'VARCHAR',
  avg_price: 'VARCHAR',
  net_proceeds: 'VARCHAR',
  capacity_left: 'VARCHAR',
  security: 'VARCHAR',
  confidence: 'VARCHAR',
  date_basis: 'VARCHAR',
  from_table: 'BOOLEAN',
  is_approximate: 'BOOLEAN',
  furnished: 'BOOLEAN',
  ...place,
  also_at: 'VARCHAR',
  quote: 'VARCHAR',
  notes: ['VARCHAR'],
};

/** Columns of `refused_statement`. */
export const refusedColumns = {
  ...shared,
  reason: 'VARCHAR',
  asset: 'VARCHAR',
  units: 'VARCHAR',
  ...place,
  quote: 'VARCHAR',
};

/** Columns of `report_document`. */
export const documentColumns = {
  ...shared,
  type: 'VARCHAR',
  document: 'VARCHAR',
  status: 'VARCHAR',
  is_whole: 'BOOLEAN',
};

type Named = { readonly input: string; readonly cik: string; readonly accession: string };

/** The rows of one report, in the order of the columns. */
export function reportRows({ input, cik, accession }: Named, report: ReadReport) {
  const { form, items, filed, acceptedAt, knownFrom } = report;
  const head = (position: number): Cell[] => [
    ...[input, cik, accession, form, items, filed, acceptedAt, knownFrom, position],
  ];
  return {
    statements: report.statements.map((one, at) => [...head(at), ...statementCells(one)]),
    refused: report.refused.map((one, at) => [...head(at), ...refusedCells(one)]),
    documents: report.documents.map(({ type, document, status }, at): Cell[] => [
      ...head(at),
      ...[type, document, status, report.isWhole],
    ]),
  };
}

function statementCells(one: Statement): Cell[] {
  return [
    ...[one.kind, one.asset, one.units?.toString() ?? null, one.periodFrom, one.asOf],
    ...[one.usd?.toString() ?? null, one.avgPrice?.toString() ?? null],
    ...[one.netProceeds?.toString() ?? null, one.capacityLeft?.toString() ?? null, one.security],
    ...[one.confidence, one.dateBasis, one.fromTable, one.isApproximate, one.furnished],
    ...placeCells(one.place),
    ...[JSON.stringify(one.alsoAt), one.quote, one.notes],
  ];
}

function refusedCells({ reason, asset, units, place: at, quote }: RefusedStatement): Cell[] {
  return [reason, asset, units?.toString() ?? null, ...placeCells(at), quote];
}

function placeCells({ type, document, block, row, column }: Place): Cell[] {
  return [type, document, block, row, column];
}
