import type { ElementOptions, PdfKitDocument, StructureElement } from './pdfKit.ts';

/** Adds an element below another; it is open until its parent ends. */
export function opened(
  doc: PdfKitDocument,
  parent: StructureElement,
  { type, ...options }: { readonly type: string } & ElementOptions,
): StructureElement {
  const element = doc.struct(type, options);
  parent.add(element);
  return element;
}

/** Adds an element whose content is what `draw` draws on the page at hand (V61). */
export function marked(
  doc: PdfKitDocument,
  parent: StructureElement,
  { draw, ...element }: { readonly type: string; readonly draw: () => void } & ElementOptions,
): void {
  opened(doc, parent, element).add(draw).end();
}

/** Draws what is no part of the content: rules, running feet, repeated headers (V61). */
export function artifact(doc: PdfKitDocument, kind: 'Layout' | 'Pagination', draw: () => void): void {
  doc.markContent('Artifact', { type: kind });
  draw();
  doc.endMarkedContent();
}
