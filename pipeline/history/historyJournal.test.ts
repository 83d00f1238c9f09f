import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addDays } from '../../calculators/exact/civilDate.ts';
import { realFiles } from '../effects.ts';
import { type HistoryEntry, readHistoryEntry, writeHistoryEntry } from './historyJournal.ts';

let journal: string;
beforeEach(async () => {
  journal = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterEach(() => rm(journal, { recursive: true, force: true }));

const ciks = Array.from({ length: 200 }, (_, i) => String(i + 1).padStart(10, '0'));
const entryOf = (dates: number): HistoryEntry => ({
  release: '2026-02-07.1',
  slices: Object.fromEntries(
    Array.from({ length: dates }, (_, i) => {
      const date = addDays('2021-01-01', i);
      // the 200th issuer starts on the tenth date; the fourth date has no rows
      const held = i === 3 ? [] : ciks.slice(0, i < 10 ? 199 : 200);
      return [date, { release: `${date}.1`, ciks: held }];
    }),
  ),
});
const write = (entry: HistoryEntry) => writeHistoryEntry({ journal, entry, files: realFiles() });

describe('the journal of histories', () => {
  it('reads what was written, and writes what was read', async () => {
    await write(entryOf(20));
    const read = await readHistoryEntry(journal);
    expect(read).toEqual(entryOf(20));
    const bytes = await readFile(join(journal, 'history.json'), 'utf8');
    await write(read as HistoryEntry);
    expect(await readFile(join(journal, 'history.json'), 'utf8')).toBe(bytes);
  });

  it('names issuers once, not once a date', async () => {
    await write(entryOf(20));
    const few = (await readFile(join(journal, 'history.json'))).length;
    await write(entryOf(1020));
    const many = (await readFile(join(journal, 'history.json'))).length;
    // "2021-01-01":["2021-01-01.1",2], is 32 bytes
    expect(many - few).toBe(1000 * 32);
  });

  it.each([
    ['is cut', (text: string) => text.slice(0, -5)],
    ['names a set that it does not have', (text: string) => text.replace('",0]', '",9]')],
    ['is of another form', () => '{"schema_id":"history_journal.v1","release":"2026-02-07.1","slices":{}}'],
  ])('says nothing where it %s', async (_, damage) => {
    await write(entryOf(20));
    const path = join(journal, 'history.json');
    await writeFile(path, damage(await readFile(path, 'utf8')));
    expect(await readHistoryEntry(journal)).toBeNull();
  });
});
