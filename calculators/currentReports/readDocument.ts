import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { absolute } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import {
  type DocumentFrame,
  type Findings,
  frameDocument,
  type ReportContext,
  refusal,
  stated,
} from './documentFrame.ts';
import { headerScaleOf, parseFigure } from './filedNumbers.ts';
import { type Block, type DataTable, documentBounds, type Paragraph, readBlocks } from './readBlocks.ts';
import { coinProseReader } from './readCoinProse.ts';
import { captionTime, readCoinTable } from './readCoinTable.ts';
import { readMoneyProse, readRedemptionNotices, unreadObligation } from './readMoneyProse.ts';
import { decodeDocument } from './reportText.ts';
import type { DocumentReading, Statement } from './statement.ts';
import { type DataRow, dataRows, type HeadedCell, timeOf } from './tableLayout.ts';

/** What one document of a current report states, and what was refused beside it (section 17). */
export function readDocument(bytes: Uint8Array, context: ReportContext): DocumentReading {
  if (bytes.length > documentBounds.bytes) return { statements: [], refused: [], bound: 'bytes' };
  const { blocks, bound } = readBlocks(decodeDocument(bytes));
  return bound === null
    ? { ...readStatements(blocks, context), bound }
    : { statements: [], refused: [], bound };
}

/** What the blocks of a document state; of an agreement only what it says of a loan (M17.27). */
export function readStatements(blocks: readonly Block[], context: ReportContext): Findings {
  const frame = frameDocument(context, blocks);
  const paragraphs = blocks.filter((block): block is Paragraph => block.kind === 'paragraph');
  if (/^EX-(?:10|4)\b/.test(context.type)) {
    const money = paragraphs.flatMap((paragraph) => readMoneyProse(frame, paragraph));
    const ofDebt = money.filter(({ kind }) => kind === 'notes_issued' || kind === 'debt_repaid');
    return { statements: ofDebt, refused: [] };
  }
  const readProse = coinProseReader(frame);
  const findings = blocks.map((block) => readBlock(frame, readProse, block));
  return {
    statements: [
      ...findings.flatMap(({ statements }) => statements),
      ...readRedemptionNotices(frame, paragraphs),
      ...unreadObligation(frame, paragraphs),
    ],
    refused: findings.flatMap(({ refused }) => refused),
  };
}

function readBlock(
  frame: DocumentFrame,
  readProse: (paragraph: Paragraph) => Findings,
  block: Block,
): Findings {
  if (block.kind === 'table') {
    return isSalesTable(block) ? readSalesTable(frame, block) : readCoinTable(frame, block);
  }
  if (block.isDisguised) {
    const reason = 'text_disguised' as const;
    const found = { block: block.index, quote: block.text };
    return { statements: [], refused: [refusal(frame, found, { reason, asset: null, units: null })] };
  }
  const { statements, refused } = readProse(block);
  return { statements: [...statements, ...readMoneyProse(frame, block)], refused };
}

/** At-the-market sales: a row with shares sold and net proceeds each (M17.9). */
function readSalesTable(frame: DocumentFrame, table: DataTable): Findings {
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
    const heads = [shares.headers, row.label].map((text) => timeOf(text, frame.calendar));
    const time = heads.find((one) => one !== null) ?? captionTime(frame, table.index);
    if (time === null || time.from === time.to || time.to > filed) continue;
    const gross = row.cells.find(({ header }) => /gross proceeds/i.test(header));
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
          usd: (gross === undefined ? null : moneyIn(gross)?.amount) ?? amount?.amount ?? null,
          netProceeds: amount?.amount ?? null,
          capacityLeft: capacityOf(row),
          security: tickerOf(row, sold.words),
          confidence: 'High',
          dateBasis: time.basis,
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

function isSalesTable(table: DataTable): boolean {
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
  const sum = sumOf(statements.map(({ netProceeds }) => netProceeds ?? ExactDecimal.zero));
  const off = sum.minus(total.amount);
  const allowed = total.step.times(ExactDecimal.fromNumber(statements.length));
  if (absolute(off).compare(allowed) <= 0) return statements;
  return statements.map((statement) => ({ ...statement, notes: ['total_mismatch'] }));
}

/** The ticker beside the number, `3,645,528 MSTR Shares`, else the one the label begins with, `STRF Stock`. */
function tickerOf(row: DataRow, words: string): string | null {
  const beside = /^([A-Z]{2,6}) /.exec(`${words} `)?.[1];
  return beside ?? /^(?:20\d\d )?([A-Z]{3,6})\b/.exec(row.label)?.[1] ?? null;
}
