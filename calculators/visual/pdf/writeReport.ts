import { sha256 } from '@noble/hashes/sha2.js';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { Report } from '../report/report.ts';
import type { Scene } from '../scene/scene.ts';
import { itemPaths } from '../scene/shapePath.ts';
import { faces } from '../type/faces.ts';
import { cleanText, measureText, subsetFor } from '../type/measureText.ts';
import { type Frame, flow, type Page, type Piece, type Placed } from './flow.ts';
import { pdfFaces } from './pdfFaces.ts';
import { type ElementOptions, type PdfKitDocument, pdfKitDocument, type StructureElement } from './pdfKit.ts';
import { type DrawnText, drawPath, drawRect, drawText, type Placement, points } from './pdfPen.ts';
import { reportGroups } from './reportGroups.ts';

/** A4 in hundredths of a px at 96 px an inch. */
const [width, height] = [79_370, 112_252];

// 16 mm above, 14 mm beside, 18 mm below (V56)
const margins = { top: 6_047, side: 5_291, bottom: 6_803 } as const;
const columnGap: Cpx = 2_600;
const maxPages = 60;
const maxBytes = 4 * 1024 * 1024;
const footStyle = { face: 'sans-400', size: 950 } as const;

/**
 * Writes a report as a tagged PDF (V60–V64). Equal reports give equal bytes: dates come from the report, the file's id is
 * a hash of its own bytes.
 *
 * @throws IssuerError `validation_failed` beyond 60 pages or 4 MiB (V68)
 */
export async function writeReport(told: Report): Promise<Uint8Array> {
  const note = undrawnNote(JSON.stringify(told));
  const report = note === null ? told : { ...told, caveats: [...told.caveats, note] };
  const inner = width - 2 * margins.side;
  const column = Math.floor((inner - columnGap) / 2);
  const frame: Frame = {
    top: margins.top,
    bottom: height - margins.bottom,
    left: margins.side,
    columns: [margins.side, margins.side + column + columnGap].map((x) => ({ x, width: column })),
    // above the foot
    hang: 2_300,
  };
  const pages = flow(reportGroups(report, { width: inner, column }), frame);
  refuse(pages.length > maxPages, `it has ${pages.length} pages, and ${maxPages} are allowed`);

  // every text of the report, those of its pictures too, is a part of this one
  const fonts = await pdfFaces(new Set(JSON.stringify(report)));
  // the package writes the title into XML as it is
  const title = report.title.replace(/[<>&]/g, ' ');
  const size = [points(width), points(height)] as const;
  const doc = pdfKitDocument({ size, title, createdAt: report.publishedAt }, fonts);
  doc._id = placeholder;
  const written = bytesOf(doc);
  const foot = (page: number) => {
    const baseline = height - margins.bottom + 3_400;
    const right = `Page ${page + 1} of ${pages.length}`;
    const at = { x: 0, y: 0, scale: 1 };
    const one = { baseline, style: footStyle, colour: 'quiet' } as const;
    drawText(doc, { ...one, text: `Issuer Intelligence · ${report.title}`, x: margins.side }, at);
    drawText(doc, { ...one, text: right, x: width - margins.side - measureText(right, footStyle) }, at);
  };
  drawPages(doc, pages, { foot, pageWidth: points(width) });
  doc.end();
  const file = sealed(await written);
  refuse(file.length > maxBytes, `it has ${file.length} bytes, and ${maxBytes} are allowed`);
  return file;
}

function refuse(isRefused: boolean, why: string): void {
  if (!isRefused) return;
  throw new IssuerError({
    code: 'validation_failed',
    message: `The report does not fit a PDF: ${why}.`,
    hint: 'Nothing was written; shorten the lists of the report.',
  });
}

const placeholder = new Uint8Array(16).fill(0xa5);

function bytesOf(doc: PdfKitDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    doc.on('data', (chunk) => chunks.push(chunk));
    doc.on('error', reject);
    doc.on('end', () => {
      const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const chunk of chunks) {
        whole.set(chunk, at);
        at += chunk.length;
      }
      resolve(whole);
    });
  });
}

/** The same file with its id in the trailer: the start of the hash of all its bytes (V63). */
function sealed(file: Uint8Array): Uint8Array {
  const text = (bytes: Uint8Array) => new TextEncoder().encode(bytes.toHex());
  const id = text(sha256(file).slice(0, 16));
  const mark = text(placeholder);
  let at = file.length - 1;
  for (let found = 0; found < 2 && at >= 0; at--)
    if (mark.every((byte, i) => file[at + i] === byte)) {
      file.set(id, at);
      found++;
    }
  return file;
}

const named = 12;

/**
 * What a report's PDF says of the letters that its faces lack, so that a question mark on paper is not read as a part of
 * a name (V12); null where there is none. Marks and joiners take no room, and nothing stands for them.
 */
export function undrawnNote(text: string): string | null {
  const undrawn = [...new Set(cleanText(text))].filter(
    (character) =>
      subsetFor(faces['sans-400'], character.codePointAt(0) ?? 0) === null &&
      measureText(character, { face: 'sans-400', size: 1_000 }) > 0,
  );
  if (undrawn.length === 0) return null;
  const codes = undrawn.map((character) => `U+${hex(character)}`);
  const more = codes.length > named ? ` and ${codes.length - named} more` : '';
  return `This file draws a question mark in place of letters that its typeface does not have: ${codes.slice(0, named).join(', ')}${more}. The file carries the true text, and the page of the same report shows it.`;
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/**
 * Draws pages into a document, its structure in reading order: a section a group, tables with their rows, lists, figures
 * with the text that stands for them (V61).
 *
 * @param foot draws the running foot of a page
 */
export function drawPages(
  doc: PdfKitDocument,
  pages: readonly Page[],
  { foot, pageWidth }: { readonly foot: (page: number) => void; readonly pageWidth: number },
): void {
  const document = doc.struct('Document');
  doc.addStructure(document);
  let section: Section | null = null;
  for (const [number, { placed, rules }] of pages.entries()) {
    doc.addPage();
    artifact(doc, 'Layout', () => {
      for (const { x, y, width } of rules) line(doc, { x, y, w: width, h: 200 }, 'text');
    });
    for (const one of placed) {
      if (section === null || section.group !== one.group) {
        const isWhole = one.group === 0 || one.piece.kind !== 'text' || one.piece.tag !== 'H2';
        const parent = isWhole ? document : opened(doc, document, { type: 'Sect' });
        section = { parent, group: one.group, open: null };
      }
      if (one.piece.kind === 'text' && one.piece.tag !== 'P' && !one.repeated)
        doc.outline.addItem(one.piece.lines.map(({ text }) => text).join(' '), {
          top: points(one.y),
          left: pageWidth,
        });
      drawPlaced(doc, one, section);
    }
    artifact(doc, 'Pagination', () => foot(number));
  }
  document.end();
}

/** Where content goes: the section, and the table or list that is open in it. */
type Section = {
  readonly parent: StructureElement;
  readonly group: number;
  open: { readonly type: 'Table' | 'L'; readonly element: StructureElement } | null;
};

function drawPlaced(doc: PdfKitDocument, { piece, x, y, repeated }: Placed, section: Section): void {
  const at: Placement = { x, y, scale: 1 };
  const { parent } = section;
  const texts = (lines: readonly DrawnText[]) => () => {
    for (const one of lines) drawText(doc, one, at);
  };
  if (repeated && piece.kind === 'text') {
    artifact(doc, 'Pagination', texts(piece.lines));
    return;
  }
  if (piece.kind !== 'row' && piece.kind !== 'item') section.open = null;
  switch (piece.kind) {
    case 'text':
      marked(doc, parent, { type: piece.tag, draw: texts(piece.lines) });
      break;
    case 'figure': {
      const { chart, scale, height } = piece;
      const alt = `${chart.title}. ${chart.desc}`;
      const right = x + chart.scene.width * scale;
      const bbox = [points(x), points(y), points(right), points(y + height)] as const;
      marked(doc, parent, {
        type: 'Figure',
        alt,
        bbox,
        draw: () => drawScene(doc, chart.scene, { x, y, scale }),
      });
      break;
    }
    case 'facts':
      drawFacts(doc, piece, { at, parent, texts });
      break;
    case 'caption': {
      const element = opened(doc, parent, { type: 'Table' });
      section.open = { type: 'Table', element };
      marked(doc, element, { type: 'Caption', draw: texts(piece.lines) });
      break;
    }
    case 'row': {
      if (repeated || section.open === null) {
        artifact(doc, 'Pagination', texts(piece.cells.flat()));
        break;
      }
      if (!piece.head) artifact(doc, 'Layout', () => line(doc, { x, y, w: piece.width, h: 75 }, 'line'));
      const row = opened(doc, section.open.element, { type: 'TR' });
      for (const [i, cell] of piece.cells.entries()) {
        const scope = piece.head ? 'Column' : i === 0 ? 'Row' : null;
        const draw = texts(cell);
        marked(doc, row, scope === null ? { type: 'TD', draw } : { type: 'TH', scope, draw });
      }
      row.end();
      break;
    }
    case 'item': {
      section.open ??= { type: 'L', element: opened(doc, parent, { type: 'L' }) };
      const item = opened(doc, section.open.element, { type: 'LI' });
      marked(doc, item, { type: 'Lbl', draw: texts(piece.label) });
      marked(doc, item, { type: 'LBody', draw: texts(piece.body) });
      item.end();
    }
  }
}

type Facts = {
  readonly at: Placement;
  readonly parent: StructureElement;
  readonly texts: (lines: readonly DrawnText[]) => () => void;
};

function drawFacts(
  doc: PdfKitDocument,
  { facts, width, height }: Piece & { kind: 'facts' },
  { at, parent, texts }: Facts,
): void {
  artifact(doc, 'Layout', () => {
    for (const y of [at.y, at.y + height - 75]) line(doc, { x: at.x, y, w: width, h: 75 }, 'line');
  });
  const list = opened(doc, parent, { type: 'L' });
  for (const fact of facts) {
    const item = opened(doc, list, { type: 'LI' });
    marked(doc, item, { type: 'LBody', draw: texts(fact) });
    item.end();
  }
  list.end();
}

function line(doc: PdfKitDocument, box: { x: Cpx; y: Cpx; w: Cpx; h: Cpx }, fill: 'text' | 'line'): void {
  const paint = { fill, stroke: null, strokeWidth: 0, dash: [] } as const;
  drawRect(doc, { box, paint }, { x: 0, y: 0, scale: 1 });
}

function opened(
  doc: PdfKitDocument,
  parent: StructureElement,
  { type, ...options }: { readonly type: string } & ElementOptions,
): StructureElement {
  const element = doc.struct(type, options);
  parent.add(element);
  return element;
}

/** Adds an element whose content is what `draw` draws on the current page (V61). */
function marked(
  doc: PdfKitDocument,
  parent: StructureElement,
  { draw, ...element }: { readonly type: string; readonly draw: () => void } & ElementOptions,
): void {
  opened(doc, parent, element).add(draw).end();
}

/** Draws what is no part of the content: rules, running feet, repeated headers (V61). */
function artifact(doc: PdfKitDocument, kind: 'Layout' | 'Pagination', draw: () => void): void {
  doc.markContent('Artifact', { type: kind });
  draw();
  doc.endMarkedContent();
}

/** Draws a scene: its rectangles, paths and texts at their measured places, no SVG between (V60). */
function drawScene(doc: PdfKitDocument, { items }: Scene, at: Placement): void {
  for (const item of items) {
    if (item.type === 'text') drawText(doc, item, at);
    else if (item.type === 'rect') drawRect(doc, item, at);
    else for (const path of itemPaths(item)) drawPath(doc, path, at);
  }
}
