import { type FaceName, faces, type Subset } from '../type/faces.ts';
import { subsetsOf } from '../type/measureText.ts';
import sans400 from '../type/woff/sans-400.json' with { type: 'json' };
import sans600 from '../type/woff/sans-600.json' with { type: 'json' };

/** A font file under the name by which a document registers it, and the subset that its texts are measured with. */
export type PdfFont = { readonly name: string; readonly font: Uint8Array; readonly subset: Subset };

/** The name of a subset of a face. */
export const pdfFontName = (face: FaceName, subset: string) => `${face} ${subset}`;

/**
 * The faces that a PDF of these texts embeds: Sans at both weights (V7), of the subsets those that the texts need and the
 * first one, which has the question mark. A document takes in what it uses of them (V62).
 */
export async function pdfFaces(texts: Iterable<string>): Promise<readonly PdfFont[]> {
  const used = new Set(subsetsOf(texts, 'sans-400').subsets.map(({ name }) => name));
  const files = { 'sans-400': sans400, 'sans-600': sans600 };
  const fonts: PdfFont[] = [];
  for (const face of ['sans-400', 'sans-600'] as const)
    for (const subset of faces[face].subsets) {
      const file = files[face].subsets.find(({ name }) => name === subset.name);
      if (file === undefined || (subset.name !== 'latin' && !used.has(subset.name))) continue;
      const font = await sfntOf(Uint8Array.fromBase64(file.woff));
      fonts.push({ name: pdfFontName(face, subset.name), font, subset });
    }
  return fonts;
}

/**
 * The font inside a WOFF 1.0 file as a plain sfnt, its tables unpacked; the library reads that in every case, and
 * compressed files only in some.
 */
async function sfntOf(woff: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const file = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  const count = file.getUint16(12);
  const tables: Table[] = [];
  for (let i = 0; i < count; i++) tables.push(await tableAt(44 + 20 * i, { woff, file }));
  return written(file.getUint32(4), tables);
}

type Table = { readonly tag: number; readonly checksum: number; readonly bytes: Uint8Array };

async function tableAt(entry: number, { woff, file }: { woff: Uint8Array; file: DataView }): Promise<Table> {
  const [tag = 0, offset = 0, packed = 0, length = 0, checksum = 0] = [0, 4, 8, 12, 16].map((at) =>
    file.getUint32(entry + at),
  );
  const stored = woff.slice(offset, offset + packed);
  return { tag, checksum, bytes: packed < length ? await inflated(stored) : stored };
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

function written(flavor: number, tables: readonly Table[]): Uint8Array<ArrayBuffer> {
  const padded = (length: number) => Math.ceil(length / 4) * 4;
  const start = 12 + 16 * tables.length;
  const size = tables.reduce((sum, { bytes }) => sum + padded(bytes.length), start);
  const file = new Uint8Array(size);
  const view = new DataView(file.buffer);
  let power = 1;
  let exponent = 0;
  for (; power * 2 <= tables.length; power *= 2) exponent++;
  view.setUint32(0, flavor);
  view.setUint16(4, tables.length);
  view.setUint16(6, 16 * power);
  view.setUint16(8, exponent);
  view.setUint16(10, 16 * (tables.length - power));
  let at = start;
  for (const [i, { tag, checksum, bytes }] of tables.entries()) {
    for (const [j, value] of [tag, checksum, at, bytes.length].entries())
      view.setUint32(12 + 16 * i + 4 * j, value);
    file.set(bytes, at);
    at += padded(bytes.length);
  }
  return file;
}
