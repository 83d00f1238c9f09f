import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Coding, openBodies } from './openBodies.ts';
import { constantPiece, type Suffix, splice } from './splice.ts';

const decode = {
  identity: (bytes: Buffer) => bytes,
  gzip: (bytes: Buffer) => zlib.gunzipSync(bytes),
  zstd: (bytes: Buffer) => zlib.zstdDecompressSync(bytes),
} as const satisfies Record<Coding, (bytes: Buffer) => Buffer>;
const codings = ['identity', 'gzip', 'zstd'] as const;

function spliced(payload: string, suffix: Suffix, coding: Coding) {
  const open = Buffer.from(payload.slice(0, -1));
  const body = splice({ bodies: openBodies({ open }), coding, suffix });
  return { bytes: Buffer.concat(body.chunks), digest: body.contentDigest };
}

describe('a spliced body', () => {
  it.each(codings)('decodes as %s to payload and suffix with a standard decoder (A9.6)', (coding) => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 5000 }),
        fc.string({ maxLength: 3000 }),
        (text, more) => {
          const payload = JSON.stringify({ text });
          const suffix = `,${JSON.stringify({ more }).slice(1)}`;
          // cut anywhere into text, prepared pieces and text again
          const pieces = [
            suffix.slice(0, 7),
            constantPiece(suffix.slice(7, 300)),
            constantPiece(''),
            suffix.slice(300),
          ];
          const { bytes, digest } = spliced(payload, pieces, coding);
          expect(decode[coding](bytes).toString('utf8')).toBe(payload.slice(0, -1) + suffix);
          expect(digest).toBe(`sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each(codings)('leaves as one chunk when short and straight from the cache when long (%s)', (coding) => {
    // hexadecimal digits of hashes, so that no coding makes the long one short
    const noise = Array.from({ length: 1000 }, (_, i) =>
      createHash('sha256').update(`${i}`).digest('hex'),
    ).join('');
    const suffix = [',"b":', constantPiece('2'), '}'];
    const chunksOf = (length: number) => {
      const bodies = openBodies({ open: Buffer.from(`{"a":"${noise.slice(0, length)}"`) });
      const { chunks, contentDigest } = splice({ bodies, coding, suffix });
      const bytes = Buffer.concat(chunks);
      expect(JSON.parse(decode[coding](bytes).toString())).toMatchObject({ b: 2 });
      expect(contentDigest).toBe(`sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`);
      return { chunks, cached: bodies.body(coding).bytes };
    };
    expect(chunksOf(100).chunks.length).toBe(1);
    const long = chunksOf(60_000);
    expect(long.chunks.length).toBe(2);
    expect(long.chunks[0]).toBe(long.cached);
  });

  it.each([
    [
      'gzip',
      'python3',
      ['-c', 'import sys,gzip;sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))'],
    ],
    ['gzip', 'gzip', ['-dc']],
    ['zstd', 'zstd', ['-dcq']],
  ] as const)('is read as %s by %s', (coding, program, args) => {
    const { bytes } = spliced('{"a":"é"}', [',"b":', constantPiece('[2,2,2,2]'), '}'], coding);
    const found = spawnSync(program, [...args], { input: bytes });
    if (found.error !== undefined) {
      process.stderr.write(`${program} is not on this machine; its decoder was not asked\n`);
      return;
    }
    expect(found.stdout.toString('utf8')).toBe('{"a":"é","b":[2,2,2,2]}');
  });

  it('uses a stored coding only while it decodes to exactly the open bytes', () => {
    const open = Buffer.from('{"a":1');
    const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
    const flush = { finishFlush: zlib.constants.Z_SYNC_FLUSH, level: 9 };
    const stored = (text: string) => Buffer.concat([header, zlib.deflateRawSync(Buffer.from(text), flush)]);
    const right = openBodies({ open, stored: { gzip: stored('{"a":1'), zstd: null } });
    expect(right.body('gzip').bytes[8]).toBe(2);
    for (const bad of [stored('{"a":2'), stored('{"a":1 and more'), Buffer.from('junk'), Buffer.alloc(0)]) {
      const bodies = openBodies({ open, stored: { gzip: bad, zstd: bad } });
      const body = splice({ bodies, coding: 'gzip', suffix: ['}'] });
      expect(zlib.gunzipSync(Buffer.concat(body.chunks)).toString()).toBe('{"a":1}');
    }
  });

  it('stores text longer than one block', () => {
    const long = `,"b":"${'xy'.repeat(100_000)}"}`;
    for (const coding of codings) {
      expect(decode[coding](spliced('{"a":1}', [long], coding).bytes).toString()).toBe(`{"a":1${long}`);
    }
  });

  it('can be spliced any number of times: a digest state is copied, never spent', () => {
    const bodies = openBodies({ open: Buffer.from('{"a":1') });
    const once = splice({ bodies, coding: 'gzip', suffix: [',"b":2}'] });
    const twice = splice({ bodies, coding: 'gzip', suffix: [',"b":2}'] });
    expect(twice.contentDigest).toBe(once.contentDigest);
  });
});
