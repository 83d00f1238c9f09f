import {
  type DocumentFrame,
  type Findings,
  frameDocument,
  type ReportContext,
  refusal,
} from './documentFrame.ts';
import { type Block, documentBounds, type Paragraph, readBlocks } from './readBlocks.ts';
import { coinProseReader } from './readCoinProse.ts';
import { readCoinTable } from './readCoinTable.ts';
import { readMoneyProse, readRedemptionNotices } from './readMoneyProse.ts';
import { isSalesTable, readSalesTable } from './readSalesTable.ts';
import { decodeDocument } from './reportText.ts';
import type { DocumentReading } from './statement.ts';

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
