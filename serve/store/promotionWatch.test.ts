import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { promotionWatch } from './pointerFiles.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
const slices = Buffer.from('{"2025-11-19":"2025-11-19.1"}');
const pointers = { layout: null, current: Buffer.from('2025-11-19.1\n'), slices };

function signed(sequence: number, current = '2025-11-19.1'): Buffer {
  const document = {
    schema_id: 'promotion.v1',
    sequence,
    current,
    slices_sha256: hash('sha256', slices, 'hex'),
  };
  const value = sign(null, Buffer.from(canonicalJson(document)), privateKey).toString('base64');
  const signature = { alg: 'Ed25519', key_id: 'ed25519-0', public_key: raw.toString('base64'), value };
  return Buffer.from(canonicalJson({ ...document, signature }));
}

describe('the sequence of pointers (STORE ST21)', () => {
  let directory: string;
  let now = 0;
  const told: string[] = [];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'promotion-'));
    now = 0;
    told.length = 0;
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const watch = ({ published = true, keeps = true } = {}) =>
    promotionWatch({
      seenPath: join(directory, 'promotion-seen.json'),
      keeps,
      nowMs: () => now,
      trusts: () => ({ published, keyId: 'ed25519-0' }),
      tell: ({ event }) => told.push(event),
    });
  const checked = (promotion: Buffer | null, of = watch()) => of.check({ ...pointers, promotion });

  it('grows: an older one that was put back is refused, also by the next process, and what follows is taken', () => {
    const one = watch();
    checked(signed(7), one);
    checked(signed(9), one);
    expect(readFileSync(join(directory, 'promotion-seen.json'), 'utf8')).toBe('{"sequence":9}');
    const older =
      'promotion.json cannot be served: it has sequence 7, and 9 was seen: an older state was put back';
    expect(() => checked(signed(7), one)).toThrow(older);
    expect(() => checked(signed(7))).toThrow(older);
    checked(signed(10));
    expect(told).toEqual([]);
  });

  it('is not lost: without its file, with a damaged one, of another key or with a changed number nothing is taken', () => {
    checked(signed(3));
    expect(() => checked(null)).toThrow('it is missing, and sequence 3 was seen');
    expect(() => checked(Buffer.from('{'))).toThrow('it is damaged');
    expect(() => checked(signed(4), watch({ published: false }))).toThrow('not signed by a key of this');
    const forged = signed(4).toString().replace('"sequence":4', '"sequence":5');
    expect(() => checked(Buffer.from(forged))).toThrow('not signed by a key of this');
  });

  it('asks nothing of a store of before, and writes nothing where a command only reads', () => {
    checked(null);
    checked(signed(2), watch({ keeps: false }));
    expect(() => readFileSync(join(directory, 'promotion-seen.json'))).toThrow('ENOENT');
  });

  it('is not outlived by its pointers: those of a lower one are refused beside the newest signature', () => {
    const one = watch();
    const older = { ...pointers, current: Buffer.from('2025-11-18.1\n') };
    one.check({ ...older, promotion: signed(1, '2025-11-18.1') });
    checked(signed(2), one);
    expect(() => one.check({ ...older, promotion: signed(2) })).toThrow(
      'the pointers are those of sequence 1, and 2 was signed: an older state was put back',
    );
    checked(signed(2), one);
    // the operator's way back is a number of its own
    one.check({ ...older, promotion: signed(3, '2025-11-18.1') });
    expect(() => one.check({ ...pointers, promotion: signed(3, '2025-11-18.1') })).toThrow('of sequence 2');
  });

  it('tells once of pointers that it was not signed for, when a publication would have ended', () => {
    const one = watch();
    const other = signed(2, '2025-11-18.1');
    checked(other, one);
    now += 599_000;
    checked(other, one);
    expect(told).toEqual([]);
    now += 2_000;
    checked(other, one);
    checked(other, one);
    expect(told).toEqual(['pointers_not_signed']);
  });
});
