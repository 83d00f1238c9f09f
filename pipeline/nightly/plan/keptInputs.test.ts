import { describe, expect, it } from 'vitest';
import { heldInputs, keptHash, keptInputs, keptNotes, keptSentence } from './keptInputs.ts';

const sha = (digit: string) => digit.repeat(64);
const heldOn = (day: string, digit: string) => ({ sha256: sha(digit), source_date: day });

describe('inputs that stay in use without being at hand', () => {
  const held = {
    'edgar/companyfacts.zip': heldOn('2025-11-14', 'a'),
    'edgar/submissions.zip': heldOn('2025-11-12', 'b'),
    'prices/BTC.csv': heldOn('2025-11-14', 'c'),
  };

  it('are those an earlier night read and tonight has no hash of, as of the night that read them', () => {
    expect(keptInputs(held, { 'edgar/companyfacts.zip': sha('d'), 'prices/ETH.csv': sha('e') })).toEqual([
      { name: 'edgar/submissions.zip', sha256: sha('b'), sourceDate: '2025-11-12' },
      { name: 'prices/BTC.csv', sha256: sha('c'), sourceDate: '2025-11-14' },
    ]);
  });

  it('are those of perpetual markets too, which no row of an issuer rests on; the universe is not kept', () => {
    const others = { 'universe.csv': heldOn('2025-11-14', 'a'), 'perps/BTC.csv': heldOn('2025-11-14', 'b') };
    const kept = keptInputs(others, {});
    expect(kept.map(({ name }) => name)).toEqual(['perps/BTC.csv']);
    expect(keptNotes(kept)).toEqual([]);
  });

  it('are none where every input is at hand, whatever its bytes', () => {
    const hashes = Object.fromEntries(Object.keys(held).map((name) => [name, sha('f')]));
    expect(keptInputs(held, hashes)).toEqual([]);
    expect(keptNotes([])).toEqual([]);
  });
});

describe('what the next night may keep', () => {
  const kept = [{ name: 'prices/BTC.csv', sha256: sha('c'), sourceDate: '2025-11-12' }];

  it('is what tonight read, and what it kept under the night that read it', () => {
    const hashes = { 'edgar/companyfacts.zip': sha('d') };
    expect(heldInputs({ hashes, kept }, '2025-11-15')).toEqual({
      'edgar/companyfacts.zip': heldOn('2025-11-15', 'd'),
      'prices/BTC.csv': heldOn('2025-11-12', 'c'),
    });
  });

  it('leaves out what has no hash of bytes and what no later night keeps', () => {
    const hashes = {
      'edgar/submissions.zip': 'refused',
      'edgar/companyfacts.zip': `${sha('d')} kept from 2025-11-12`,
      'universe.csv': sha('e'),
    };
    expect(heldInputs({ hashes, kept: [] }, '2025-11-15')).toEqual({});
  });
});

describe('a kept input is named', () => {
  const input = { name: 'prices/BTC.csv', sha256: sha('c'), sourceDate: '2025-11-14' };

  it('in the notes of the rows, the provenance and the findings', () => {
    expect(keptNotes([input])).toEqual(['input_kept:prices/BTC.csv:2025-11-14']);
    expect(keptHash(input)).toBe(`${sha('c')} kept from 2025-11-14`);
    expect(keptSentence(input, '2025-11-16')).toBe(
      'prices/BTC.csv is not in the inputs; what the night of 2025-11-14 read of it stays in use (sha256 cccccccccccc, 2 days old)',
    );
  });

  it.each([
    ['2025-11-14', '0 days old'],
    ['2025-11-15', '1 day old'],
    ['2025-12-01', '17 days old'],
  ])('on %s as %s', (tonight, age) => {
    expect(keptSentence(input, tonight)).toContain(`${age})`);
  });
});
