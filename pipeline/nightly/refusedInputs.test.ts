import { describe, expect, it } from 'vitest';
import type { RefusedInput, WarehouseEntry } from './plan/journal.ts';
import { heldOfRefused, inputNotesOf, refusedInputs, refusedSentence } from './refusedInputs.ts';

const mstr = '0001050446';
const riot = '0001167419';
const archive = 'edgar/companyfacts.zip';
const entry = (cik: string) => `${archive}!CIK${cik}.json`;
const refusal = (name: string, kept = true) => ({ name, reason: 'is not JSON', kept });
const refusedBefore = (name: string, kept_from: string | null): RefusedInput => ({
  name,
  reason: 'is not UTF-8',
  kept_from,
});

/** What an earlier build held and refused. */
const build = (members: Partial<WarehouseEntry>) =>
  ({ held: {}, refused: [], scanned: '2025-11-14', ...members }) as WarehouseEntry;
const heldOn = (source_date: string) => ({ sha256: 'a'.repeat(64), source_date });

const ciks = [mstr, riot];
const keptFrom = (name: string, previous: WarehouseEntry | null) =>
  refusedInputs([refusal(name)], { kept: [], previous, ciks }).map(({ kept_from }) => kept_from);

describe('the night whose rows of a refused input stay in use', () => {
  it('is the one named when it was refused before', () => {
    const previous = build({
      refused: [refusedBefore(entry(mstr), '2025-11-10')],
      held: { [archive]: heldOn('2025-11-13') },
    });
    expect(keptFrom(entry(mstr), previous)).toEqual(['2025-11-10']);
  });

  it('is that of its archive when it was read with it', () => {
    expect(keptFrom(entry(mstr), build({ held: { [archive]: heldOn('2025-11-13') } }))).toEqual([
      '2025-11-13',
    ]);
  });

  it('is that of the last scan when nothing says which night read the archive', () => {
    expect(keptFrom(entry(mstr), build({}))).toEqual(['2025-11-14']);
  });

  it('is unknown where rows have no journal, as a crash can leave them', () => {
    expect(keptFrom(entry(mstr), null)).toEqual(['unknown']);
    expect(refusedSentence(refusedBefore('prices/BTC.csv', 'unknown'))).toBe(
      'prices/BTC.csv is refused, and what an earlier night read of it stays in use: is not UTF-8',
    );
  });

  it('is none where no rows were kept', () => {
    const found = refusedInputs([refusal(archive, false)], { kept: [], previous: null, ciks });
    expect(found).toEqual([refusedBefore(archive, null)].map((one) => ({ ...one, reason: 'is not JSON' })));
    expect(refusedSentence({ name: archive, reason: 'is no zip.', kept_from: null })).toBe(
      `${archive} is refused, and no earlier night read it: is no zip`,
    );
  });
});

describe('refused inputs a row can rest on', () => {
  const names = (refused: readonly string[]) =>
    refusedInputs(
      refused.map((name) => refusal(name)),
      { kept: [], previous: null, ciks },
    ).map(({ name }) => name);

  it('are whole files, and of an archive the entries of companies in the universe', () => {
    const others = [entry('0000320193'), `${archive}!readme.txt`];
    expect(names([archive, entry(mstr), ...others])).toEqual([archive, entry(mstr)]);
  });

  it('are further pages of a company and filing folders without leading zeros', () => {
    const mine = [
      'edgar/submissions.zip!CIK0001050446-submissions-001.json',
      'edgar/filings/1050446/1/a.htm',
    ];
    expect(names([...mine, 'edgar/filings/320193/1/a.htm'])).toEqual(mine);
  });

  it('stay refused while their archive is gone, and are forgotten when it is at hand', () => {
    const previous = build({
      refused: [refusedBefore(entry(mstr), '2025-11-10'), refusedBefore('prices/BTC.csv', null)],
    });
    const tonight = (kept: { name: string }[]) => refusedInputs([], { kept, previous, ciks });
    expect(tonight([{ name: archive }])).toEqual([refusedBefore(entry(mstr), '2025-11-10')]);
    expect(tonight([{ name: 'edgar/submissions.zip' }])).toEqual([]);
    // a whole file that is gone is a kept input itself
    expect(tonight([{ name: 'prices/BTC.csv' }])).toEqual([]);
  });
});

describe('what is held of refused inputs', () => {
  const held = { [archive]: heldOn('2025-11-15'), 'prices/BTC.csv': heldOn('2025-11-15') };
  const refused = [refusedBefore('prices/BTC.csv', '2025-11-14'), refusedBefore(entry(mstr), '2025-11-14')];

  it('is what the night before held of the file; an archive with a refused entry is held as read', () => {
    const previous = build({ held: { 'prices/BTC.csv': heldOn('2025-11-14') } });
    expect(heldOfRefused(held, { refused, previous })).toEqual({
      [archive]: heldOn('2025-11-15'),
      'prices/BTC.csv': heldOn('2025-11-14'),
    });
  });

  it('is nothing of a file that no night before held', () => {
    expect(heldOfRefused(held, { refused, previous: null })).toEqual({ [archive]: heldOn('2025-11-15') });
  });
});

describe('input_kept notes of an issuer', () => {
  const notesOf = inputNotesOf(
    ['input_kept:prices/ETH.csv:2025-11-12'],
    [
      refusedBefore('prices/BTC.csv', '2025-11-14'),
      refusedBefore(entry(mstr), '2025-11-13'),
      refusedBefore('edgar/filings/1167419/1/a.htm', '2025-11-11'),
      refusedBefore(entry(riot), null),
    ],
  );

  it('are those of every row and those of its own files', () => {
    const every = ['input_kept:prices/ETH.csv:2025-11-12', 'input_kept:prices/BTC.csv:2025-11-14'];
    expect(notesOf(mstr)).toEqual([...every, `input_kept:${entry(mstr)}:2025-11-13`]);
    // a refused entry that no night read before stands in for nothing, so it has no note
    expect(notesOf(riot)).toEqual([...every, 'input_kept:edgar/filings/1167419/1/a.htm:2025-11-11']);
    expect(notesOf('0000320193')).toEqual(every);
  });
});
