import { expect, it } from 'vitest';
import { noteMeanings } from '../../data/contract/meanings/noteMeanings.ts';
import { doubtingNotes, quietNotes } from './noteDoubts.ts';

it('every note a row can carry has a meaning, one sentence each, and nothing else has', () => {
  expect(Object.keys(noteMeanings).sort()).toEqual([...doubtingNotes, ...quietNotes].sort());
  for (const [note, meaning] of Object.entries(noteMeanings))
    expect(`${note}: ${meaning}`).toMatch(/: [A-Z].{10,118}\.$/);
});
