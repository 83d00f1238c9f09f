import { expect, it } from 'vitest';
import { lineRows } from './lineRows.ts';

const row = { points: [{ day: 20_000, value: 1 }], end: '1.00', empty: '', extreme: String };
const textsOf = (name: string, detail: string | null = null) =>
  lineRows({ rows: [{ ...row, name, detail }], width: 32_800, plot: 3_400, note: '' }).items.flatMap(
    (item) => (item.type === 'text' && item.x === 0 && item.text !== '' ? [item.text] : []),
  );

it('goes on in a second line with a name too wide for its column, and cuts what is still too wide', () => {
  expect(textsOf('Field pressure')).toEqual(['Field pressure']);
  expect(textsOf('Index price in its range')).toEqual(['Index price in its', 'range']);
  expect(textsOf('Index price in its range', 'US dollars')).toEqual(['Index price in its…', 'US dollars']);
  expect(textsOf('W'.repeat(40))[0]).toMatch(/^W+…$/);
});
