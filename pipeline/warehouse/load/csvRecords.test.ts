import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecords } from './csvRecords.ts';

const path = 'table.csv';
const read = (text: string) => csvRecords({ path, text, columns: [] });

describe('csvRecords', () => {
  it('reads a text without quotes as the parser reads it, line by line', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '7', '.', ' ', ',', ',', '\n', '\n', '\t', 'é', '\u2028'),
    });
    fc.assert(
      fc.property(text, (body) => {
        const plain = `a,b\n${body}`;
        // a quoted header is the parser's; the records after it are the same text
        expect(read(plain)).toEqual(read(`"a",b\n${body}`));
      }),
      { numRuns: 2_000, seed: 7 },
    );
  });

  it('gives a record its cells without the spaces around them, and the line it ends on', () => {
    expect(read('a,b\n1, 2\n\n3,4\n5\n')).toEqual([
      { line: 2, cells: { a: '1', b: '2' } },
      { line: 4, cells: { a: '3', b: '4' } },
      { line: 5, cells: null },
    ]);
  });

  it('reads quotes, carriage returns and a byte order mark', () => {
    expect(read('\uFEFFa,b\r\n"1,5",2\r\n')).toEqual([{ line: 2, cells: { a: '1,5', b: '2' } }]);
  });

  it('refuses a record that is longer than any table has', () => {
    expect(() => read(`a,b\n${'1'.repeat(70_000)},2\n`)).toThrow('is not CSV');
  });

  it('refuses a header that lacks a column', () => {
    expect(() => csvRecords({ path, text: 'a\n1\n', columns: ['a', 'b'] })).toThrow('lacks the column b');
  });
});
