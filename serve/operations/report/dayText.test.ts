import { expect, test } from 'vitest';
import { alignedTable } from './dayText.ts';

test('columns are as wide as their widest cell, numbers stand to the right', () => {
  expect(
    alignedTable(
      ['state', 'charged'],
      [
        ['settled', '1.20'],
        ['failed', '0.00'],
      ],
      [1],
    ),
  ).toBe('  state    charged\n  settled     1.20\n  failed      0.00\n');
});

test('a cell from outside neither breaks its line nor reaches the terminal, and is cut (S17)', () => {
  expect(alignedTable(['said'], [['a\u001b[2Jb\nc\u202ed\u2028e']])).toBe(
    '  said\n  a\\u001b[2Jb\\u000ac\\u202ed\\u2028e\n',
  );
  expect(alignedTable(['said'], [['x'.repeat(80)]])).toBe(`  said\n  ${'x'.repeat(71)}…\n`);
});
