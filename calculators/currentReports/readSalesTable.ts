import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type DocumentFrame, type Findings, stated } from './documentFrame.ts';
import { headerScaleOf, parseFigure } from './filedNumbers.ts';
import type { DataTable } from './readBlocks.ts';
import type { Statement } from './statement.ts';
import { type DataRow, dataRows, type HeadedCell, timeOf } from './tableLayout.ts';

/** At-the-market sales: a row with shares sold and net proceeds each (M17.9). */
export function readSalesTable(frame: DocumentFrame, table: DataTable): Findings {
  const { filed } = frame.context.source;
  const rows = dataRows(table.rows);
  const statements: Statement[] = [];
  let total: { amount: ExactDecimal; step: ExactDecimal } | null = null;
  for (const row of rows) {
    const proceeds = row.cells.find(({ header }) => /net proceeds/i.test(header));
    const amount = proceeds === undefined ? null : moneyIn(proceeds);
    if (/^total/i.test(row.label) && amount !== null) total = amount;
    const shares = row.cells.find(({ header }) => /shares sold/i.test(header));
    const sold = shares === undefined ? null : parseFigure(shares.text);
    if (shares === undefined || sold === null || proceeds === undefined || /^total/i.test(row.label))
      continue;
    if (sold.value.sign <= 0 || sold.isMoney) continue;
    const time = timeOf(shares.headers, filed);
    if (time === null || time.basis === 'as_of' || time.to > filed) continue;
    statements.push(
      stated(
        frame,
        { block: table.index, row: row.index, column: shares.from, quote: row.quote },
        {
          kind: 'atm',
          asset: 'shares',
          units: sold.scale === null ? sold.value.times(headerScaleOf(shares.headers)) : sold.value,
          periodFrom: time.from,
          asOf: time.to,
          usd: amount?.amount ?? null,
          capacityLeft: capacityOf(row),
          security: tickerOf(row, sold.words),
          confidence: 'High',
          dateBasis: time.basis,
          fromTable: true,
        },
      ),
    );
  }
  return { statements: checked(statements, total), refused: [] };
}

/** `Available for Issuance and Sale`: what is left of the program after the sales of the row. */
function capacityOf(row: DataRow): ExactDecimal | null {
  const cell = row.cells.find(({ header }) =>
    /available for (?:issuance|sale|future)|remaining (?:capacity|available)/i.test(header),
  );
  return cell === undefined ? null : (moneyIn(cell)?.amount ?? null);
}

/** True for a table with columns of shares sold and net proceeds. */
export function isSalesTable(table: DataTable): boolean {
  const headers = table.rows.slice(0, 6).map((row) => row.map(({ text }) => text).join(' '));
  return (
    headers.some((text) => /shares sold/i.test(text)) && headers.some((text) => /net proceeds/i.test(text))
  );
}

/** An amount and one unit of its last printed digit. */
function moneyIn(cell: HeadedCell): { amount: ExactDecimal; step: ExactDecimal } | null {
  const figure = parseFigure(cell.text);
  if (figure === null) return null;
  const scale = figure.scale === null ? headerScaleOf(cell.header) : ExactDecimal.parse('1');
  const amount = figure.value.times(scale);
  const decimals = /\.(\d+)/.exec(cell.text)?.[1]?.length ?? 0;
  const unit = figure.scale === null ? scale : (parseFigure(`1 ${figure.scale}`)?.value ?? scale);
  return { amount, step: unit.times(new ExactDecimal(1n, decimals)) };
}

/** The row `Total` must be the sum of the others within one unit of its last digit a row. */
function checked(
  statements: readonly Statement[],
  total: { amount: ExactDecimal; step: ExactDecimal } | null,
): readonly Statement[] {
  if (total === null || statements.length === 0) return statements;
  const sum = sumOf(statements.map(({ usd }) => usd ?? ExactDecimal.zero));
  const off = sum.minus(total.amount);
  const allowed = total.step.times(ExactDecimal.fromNumber(statements.length));
  if ((off.sign < 0 ? off.negated() : off).compare(allowed) <= 0) return statements;
  return statements.map((statement) => ({ ...statement, notes: ['total_mismatch'] }));
}

/** The ticker beside the number, `3,645,528 MSTR Shares`, else the one the label begins with, `STRF Stock`. */
function tickerOf(row: DataRow, words: string): string | null {
  const beside = /^([A-Z]{2,6}) /.exec(`${words} `)?.[1];
  return beside ?? /^(?:20\d\d )?([A-Z]{3,6})\b/.exec(row.label)?.[1] ?? null;
}
