import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Plan, planHeaders, rangeValidator, readAnswer } from './readAnswer.ts';

const full: Plan = { kind: 'full' };
const revalidate: Plan = { kind: 'revalidate', etag: '"a"', lastModified: 'Sat, 07 Feb 2026 00:00:00 GMT' };
const resume: Plan = { kind: 'resume', offset: 100, size: 1000, validator: '"a"', etag: '"a"' };

describe('request headers', () => {
  it('ask for identity coding always and for what the plan needs', () => {
    expect(planHeaders(full)).toEqual({ 'accept-encoding': 'identity' });
    expect(planHeaders(revalidate)).toEqual({
      'accept-encoding': 'identity',
      'if-none-match': '"a"',
      'if-modified-since': 'Sat, 07 Feb 2026 00:00:00 GMT',
    });
    expect(planHeaders(resume)).toEqual({
      'accept-encoding': 'identity',
      range: 'bytes=100-',
      'if-range': '"a"',
    });
  });

  it('never resume on a weak ETag (RFC 9110 §13.1.5)', () => {
    const lastModified = 'Sat, 07 Feb 2026 00:00:00 GMT';
    expect(rangeValidator({ etag: 'W/"a"', lastModified })).toBeNull();
    expect(rangeValidator({ etag: '"a"', lastModified })).toBe('"a"');
    expect(rangeValidator({ etag: null, lastModified })).toBe(lastModified);
    expect(rangeValidator({ etag: null, lastModified: null })).toBeNull();
  });
});

describe('the head of an answer', () => {
  const rest = { 'content-range': 'bytes 100-999/1000', 'content-length': '900', etag: '"a"' };

  it('continues only with exactly the bytes asked for', () => {
    expect(readAnswer({ status: 206, headers: rest }, resume)).toEqual({ kind: 'rest', size: 1000 });
  });

  it.each([
    ['no Content-Range', { 'content-range': undefined }],
    ['another start', { 'content-range': 'bytes 101-999/1000' }],
    ['an end before the end', { 'content-range': 'bytes 100-998/1000' }],
    ['another size', { 'content-range': 'bytes 100-1000/1001', 'content-length': '901' }],
    ['an unknown size', { 'content-range': 'bytes 100-999/*' }],
    ['several ranges', { 'content-range': 'bytes 100-200/1000, 300-400/1000' }],
    ['another ETag', { etag: '"b"' }],
    ['a Content-Length that contradicts', { 'content-length': '899' }],
  ])('starts over on a 206 with %s', (_, change) => {
    expect(readAnswer({ status: 206, headers: { ...rest, ...change } }, resume).kind).toBe('restart');
  });

  it('takes a 200 as the whole file whatever was asked', () => {
    for (const plan of [full, revalidate, resume]) {
      expect(readAnswer({ status: 200, headers: { etag: '"n"', 'content-length': '5' } }, plan)).toEqual({
        kind: 'whole',
        size: 5,
        coding: null,
        validators: { etag: '"n"', lastModified: null },
      });
    }
  });

  it('takes a whole body as gzip, whose size is not known, and no part of one', () => {
    const headers = { 'content-encoding': 'gzip', 'content-length': '5', etag: '"n"' };
    expect(readAnswer({ status: 200, headers }, full)).toMatchObject({
      kind: 'whole',
      size: null,
      coding: 'gzip',
    });
    expect(readAnswer({ status: 206, headers: { ...headers, ...rest } }, resume).kind).toBe('refused');
  });

  it('keeps no validator that could not be sent back', () => {
    const headers = { etag: '"a\u00e9"', 'last-modified': 'yesterday' };
    expect(readAnswer({ status: 200, headers }, full)).toMatchObject({
      validators: { etag: null, lastModified: null },
    });
  });

  it.each([
    [304, revalidate, 'unchanged'],
    [304, full, 'refused'],
    [304, resume, 'refused'],
    [206, full, 'refused'],
    [416, resume, 'restart'],
    [416, full, 'refused'],
    [403, resume, 'forbidden'],
    [408, full, 'retry'],
    [429, full, 'retry'],
    [500, full, 'retry'],
    [503, resume, 'retry'],
    [301, full, 'refused'],
    [204, full, 'refused'],
    [401, full, 'refused'],
    [404, full, 'refused'],
    [410, revalidate, 'refused'],
  ] as const)('reads %i to a %o request as %s', (status, plan, kind) => {
    expect(readAnswer({ status, headers: {} }, plan).kind).toBe(kind);
  });

  it('never continues a part on anything but a well-formed 206', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 599 }),
        fc.string({ maxLength: 30 }),
        fc.string({ maxLength: 10 }),
        (status, contentRange, length) => {
          const headers = { 'content-range': contentRange, 'content-length': length };
          const answer = readAnswer({ status, headers }, resume);
          if (answer.kind === 'rest') {
            expect(status).toBe(206);
            expect(contentRange).toBe('bytes 100-999/1000');
          }
        },
      ),
    );
  });
});
