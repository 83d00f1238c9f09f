import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registryWords, reportContext } from '../../fixtures/rigs/reportBlocks.ts';
import { documentBounds } from './readBlocks.ts';
import { readDocument } from './readDocument.ts';

const words = registryWords();
const context = reportContext(words);
const read = (html: string) => readDocument(new TextEncoder().encode(html), context);
const mebibyte = 1024 * 1024;
const filled = (text: string) => text.repeat(Math.ceil(19_000 / text.length)).slice(0, 19_000);
const paragraphs = (text: string) => `<p>We held ${filled(text)}</p>`.repeat(20);

describe('a hostile document', () => {
  it.each([
    ['a byte more than are read', 'x'.repeat(documentBounds.bytes + 1), 'bytes'],
    ['a comment that never ends', `<!--${'-'.repeat(8 * mebibyte)}`, null],
    [
      'a tag of 200,000 attributes',
      `<p ${Array.from({ length: 200_000 }, (_, at) => `a${at}`).join(' ')}>`,
      null,
    ],
    ['an attribute that never ends', `<p style="${'x y='.repeat(2 * mebibyte)}`, null],
    ['brackets that open nothing', '<'.repeat(4 * mebibyte), 'characters'],
    ['tags that close nothing', '</p>'.repeat(documentBounds.tags + 1), 'tags'],
    ['boxes in boxes', '<div>'.repeat(100_000), 'depth'],
    [
      'cells over thousands of rows',
      `<table>${'<tr><td rowspan=60000 colspan=200>1</tr>'.repeat(4000)}</table>`,
      null,
    ],
    [
      'headers without end',
      `<table>${'<tr><td>BTC Held<td>As of May 1, 2024</tr>'.repeat(2000)}<tr><td>x<td>1</table>`,
      null,
    ],
    [
      'flows between no balances',
      `<table><tr><td><td>Number of bitcoin held</tr>${'<tr><td>Bitcoin purchased<td>5</tr>'.repeat(9000)}</table>`,
      null,
    ],
    ['one number of 19,000 digits', paragraphs('1'), null],
    ['quantities without end', paragraphs('5 bitcoin '), null],
    ['dates without end', paragraphs('between January 1, 2024 and '), null],
    ['words of a rule without its number', paragraphs('aggregate principal amount of the notes '), null],
    [
      'footnotes without end',
      `${'<p>(1) a</p>'.repeat(20_000)}<table><tr><td>Bitcoin Held (1)<td>5</table>`,
      null,
    ],
  ])('of %s is refused or states nothing', (_, html, bound) => {
    const reading = read(html);
    expect(reading.bound).toBe(bound);
    expect(reading.statements).toEqual([]);
  });

  it('of any text throws nothing and points into its blocks', () => {
    const piece = fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<td>',
        '<tr>',
        '<table>',
        '</table>',
        '<sup>',
        '<br>',
        '&amp;',
        '&#x202e;',
        '"',
        '(',
        ')',
      ],
      ...[
        'We ',
        'held ',
        '5,000',
        ' BTC',
        ' as of ',
        'May 1, 2025',
        ' sold',
        '$',
        '1.5',
        ' million',
        '. ',
        '; ',
        ', and ',
        '-',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const { units, quote, asOf } of read(pieces.join('')).statements) {
          expect(quote.length).toBeLessThanOrEqual(600);
          expect(asOf === null || asOf <= context.source.filed).toBe(true);
          expect(units === null || units.sign >= 0).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
