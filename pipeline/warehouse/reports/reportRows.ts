import type { Place, RefusedStatement, Statement } from '../../../calculators/currentReports/statement.ts';
import type { Cell } from '../build/insertRows.ts';
import type { ReadReport } from './readReport.ts';

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
