import { sha256 } from '@noble/hashes/sha2.js';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { Report } from '../report/report.ts';
import { faces } from '../type/faces.ts';
import { cleanText, measureText, subsetFor } from '../type/measureText.ts';
import { drawPages } from './drawPages.ts';
import { type Frame, flow } from './flow.ts';
import { pdfFaces } from './pdfFaces.ts';
import { type PdfKitDocument, pdfKitDocument } from './pdfKit.ts';
import { drawText, points } from './pdfPen.ts';
import { reportGroups } from './reportGroups.ts';

/** Paper in hundredths of a px at 96 px an inch. */
const papers = { a4: [79_370, 112_252], letter: [81_600, 105_600] } as const;
export type Paper = keyof typeof papers;

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
export async function writeReport(
  told: Report,
  { paper = 'a4' }: { paper?: Paper } = {},
): Promise<Uint8Array> {
  const note = undrawnNote(JSON.stringify(told));
  const report = note === null ? told : { ...told, caveats: [...told.caveats, note] };
  const [width, height] = papers[paper];
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
  const doc = pdfKitDocument(
    {
      size: [points(width), points(height)],
      margin: 0,
      pdfVersion: '1.7',
      tagged: true,
      displayTitle: true,
      lang: 'en',
      autoFirstPage: false,
      font: '',
      fontLayoutCache: false,
      info: {
        // the package writes it into XML as it is
        Title: report.title.replace(/[<>&]/g, ' '),
        Author: 'Issuer Intelligence',
        Creator: 'Issuer Intelligence',
        Producer: 'PDFKit',
      },
      createdAt: report.publishedAt,
    },
    fonts,
  );
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
