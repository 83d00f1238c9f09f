import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Frame, flow, type Group, type Page, type Piece } from './flow.ts';

const room = 100_000;
const frame: Frame = {
  top: 0,
  bottom: room,
  left: 0,
  columns: [
    { x: 0, width: 30_000 },
    { x: 32_000, width: 30_000 },
  ],
  hang: 2_000,
};
const width = 30_000;
const title = (height = 1_000): Piece => ({
  kind: 'text',
  tag: 'H2',
  lines: [],
  height,
  before: 0,
  keepsNext: true,
});
const row = (height: number, head = false): Piece => ({
  kind: 'row',
  head,
  cells: [],
  width,
  height,
  before: 0,
  keepsNext: head,
});
const picture = (height: number): Piece => ({ ...title(height), keepsNext: false });
const card = (...pieces: readonly Piece[]): Group => ({ pieces: [title(), ...pieces], width });
const rows = (count: number, height: number) => Array.from({ length: count }, () => row(height));
const set = (groups: readonly Group[], front = 25_000) =>
  flow(
    { front: { pieces: [picture(front)], width }, groups, end: { pieces: [picture(1_000)], width } },
    frame,
  );

/** How far each column of a page is filled with groups up to `last`, as a share of its room. */
const filled = ({ placed }: Page, last: number) =>
  frame.columns.map(
    ({ x }) =>
      Math.max(
        0,
        ...placed.filter((one) => one.x === x && one.group <= last).map(({ y, piece }) => y + piece.height),
      ) / room,
  );

const named: Piece = { kind: 'caption', lines: [], height: 1_500, before: 1_000, keepsNext: true };

const anyCards = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 3, max: 60 }), fc.boolean())
    .map(([height, count, isNamed]) =>
      card(picture(height), ...(isNamed ? [named] : []), row(2_000, true), ...rows(count, 2_000)),
    ),
  { minLength: 1, maxLength: 12 },
);

it('begins a card below the front where its picture fits, and goes on beside it', () => {
  const pages = set([card(picture(35_000), row(2_000, true), ...rows(20, 2_000))]);
  const own = pages[0]?.placed.filter(({ group }) => group === 1) ?? [];
  expect(own.filter(({ piece }) => piece.kind === 'row' && !piece.head)).toHaveLength(20);
  // heading and header of the table once more
  expect(own.filter(({ repeated }) => repeated).map(({ piece, x }) => [piece.kind, x])).toEqual([
    ['text', 32_000],
    ['row', 32_000],
  ]);
});

it('sets a table whole beside its picture where the rest of its column is too short for it (V64)', () => {
  const pages = set([card(picture(35_000), named, row(2_000, true), ...rows(20, 2_000))]);
  const own = pages[0]?.placed.filter(({ group }) => group === 1) ?? [];
  expect(own.filter(({ x }) => x === 0).map(({ piece }) => piece.kind)).toEqual(['text', 'text']);
  expect(own.filter(({ x, piece }) => x > 0 && piece.kind === 'row')).toHaveLength(21);
  expect(pages).toHaveLength(1);
});

it('turns the page for a card whose picture does not fit', () => {
  const pages = set([card(picture(80_000))]);
  expect(pages.map((page) => page.placed.some(({ group }) => group === 1))).toEqual([false, true]);
});

it('leaves the last row of a table with the one before it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 120 }), (count) => {
      for (const { placed } of set([card(row(2_000, true), ...rows(count, 2_000))]))
        for (const { x } of frame.columns) {
          const own = placed.filter((one) => one.group === 1 && one.x === x && one.piece.kind === 'row');
          expect(own.filter(({ piece }) => piece.kind === 'row' && !piece.head)).not.toHaveLength(1);
        }
    }),
  );
});

it('sets the last line beside other words, below the bottom where the columns are full (V64)', () => {
  fc.assert(
    fc.property(anyCards, (given) => {
      const last = set(given).at(-1)?.placed ?? [];
      const [end, ...more] = last.filter(({ group }) => group > given.length);
      expect(more).toEqual([]);
      expect(last.length).toBeGreaterThan(1);
      expect((end?.y ?? 0) + 1_000).toBeLessThanOrEqual(room + 2_000);
    }),
  );
  // the second card fills its column to the bottom
  const [page] = set([card(picture(60_000)), card(picture(room - 29_500))], 25_000);
  expect(page?.placed.at(-1)).toMatchObject({ group: 3, y: 101_000 });
});

it('fills every page but the last to three fifths, keeps the order and loses nothing (V64)', () => {
  fc.assert(
    fc.property(anyCards, (given) => {
      const pages = set(given);
      const own = pages.flatMap(({ placed }) => placed.filter(({ repeated }) => !repeated));
      expect(own.map(({ group }) => group)).toEqual(own.map(({ group }) => group).toSorted((a, b) => a - b));
      expect(own).toHaveLength(given.reduce((sum, { pieces }) => sum + pieces.length, 2));
      for (const page of pages) expect(Math.max(...filled(page, given.length))).toBeLessThanOrEqual(1);
      const last = pages.findLastIndex(({ placed }) => placed.some(({ group }) => group === given.length));
      for (const page of pages.slice(0, last))
        expect(filled(page, given.length).reduce((a, b) => a + b, 0) / 2).toBeGreaterThanOrEqual(0.6);
    }),
  );
});
