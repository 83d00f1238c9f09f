import type { Cpx } from '../geometry/rect.ts';
import { distance, roundedPath, towards } from '../geometry/segment.ts';
import type { LineItem, Scene } from '../scene/scene.ts';
import { shapePath } from '../scene/shapePath.ts';
import type { Page, Piece, Placed } from './flow.ts';
import type { ElementOptions, PdfKitDocument, StructureElement } from './pdfKit.ts';
import { type DrawnText, drawPath, drawRect, drawText, type Placement, points } from './pdfPen.ts';

type Place = { readonly x: Cpx; readonly y: Cpx; readonly scale: number };

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
  const at: Place = { x, y, scale: 1 };
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

function drawFacts(
  doc: PdfKitDocument,
  { facts, width, height }: Piece & { kind: 'facts' },
  {
    at,
    parent,
    texts,
  }: { at: Place; parent: StructureElement; texts: (lines: readonly DrawnText[]) => () => void },
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
  drawRect(doc, { box, radius: 0, paint }, { x: 0, y: 0, scale: 1 });
}

/** Adds an element below another; it is open until its parent ends. */
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
    switch (item.type) {
      case 'text':
        drawText(doc, item, at);
        break;
      case 'rect':
        drawRect(doc, item, at);
        break;
      case 'path':
        drawPath(doc, item, at);
        break;
      case 'line':
        drawPath(doc, { commands: roundedPath(trimmed(item), item.radius), paint: item.paint }, at);
        break;
      case 'shape':
        for (const { commands, filled, stroked } of shapePath(item.kind, item.box)) {
          const fill = filled ? item.paint.fill : null;
          const stroke = stroked ? item.paint.stroke : null;
          drawPath(doc, { commands, paint: { ...item.paint, fill, stroke } }, at);
        }
    }
  }
}

function trimmed({ points, trim }: LineItem) {
  const [last, before] = [points.at(-1), points.at(-2)];
  if (last === undefined || before === undefined) return points;
  return [...points.slice(0, -1), towards(last, before, trim, distance(last, before))];
}
