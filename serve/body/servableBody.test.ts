import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { codedBytes } from './openBodies.ts';
import { type BodyCall, opaqueBody } from './servableBody.ts';

// nothing of a call shows in opaque bytes
const call = {} as BodyCall;
const page = Buffer.from(`<!doctype html><html lang="en"><p>${'Sätze '.repeat(400)}</p></html>`);
const bodyOf = (bytes: Buffer, mediaType: string) =>
  opaqueBody({ bytes: codedBytes(bytes), mediaType, tag: '0123456789abcdef', fileName: null });
const headersOf = (headers: readonly string[]) =>
  Object.fromEntries(headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1]]] : [])));
const digest = (bytes: Uint8Array) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

describe('an opaque body', () => {
  it('is the stored bytes, with its media type, digest and a policy that lets a page do nothing', () => {
    const sent = bodyOf(page, 'text/html').finish(call, 'identity');
    expect(sent.chunks).toEqual([page]);
    expect(headersOf(sent.headers)).toEqual({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'Content-Digest': digest(page),
      'Repr-Digest': digest(page),
    });
  });

  it('has a strong tag with the suffix of its coding (I9.13)', () => {
    const body = bodyOf(page, 'text/html');
    expect([body.etag, body.tagIn('gzip'), body.tagIn('zstd')]).toEqual([
      '"0123456789abcdef"',
      '"0123456789abcdef-gz"',
      '"0123456789abcdef-zst"',
    ]);
  });

  it('is coded where that is worth it, with the digest of what is sent (I9.14)', () => {
    const body = bodyOf(page, 'text/html');
    const sent = body.finish(call, body.codable ? 'gzip' : 'identity');
    const [chunk = Buffer.alloc(0)] = sent.chunks;
    expect(gunzipSync(chunk)).toEqual(page);
    expect(headersOf(sent.headers)).toMatchObject({
      'Content-Encoding': 'gzip',
      'Content-Digest': digest(chunk),
    });
  });

  it.each([
    ['image/png', page],
    ['application/pdf', page],
    ['text/html', Buffer.from('<p>short</p>')],
  ])('of %s stays as it is where a coding gains nothing', (mediaType, bytes) => {
    expect(bodyOf(bytes, mediaType).codable).toBe(false);
  });

  it('is the same at every price', () => {
    const body = bodyOf(page, 'image/svg+xml');
    expect(body.at(1)).toBe(body);
    expect(body.mediaType).toBe('image/svg+xml');
  });
});
