import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { s3Listing } from './s3Listing.ts';

const page = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inside}</ListBucketResult>\n`;

describe('a page of a list', () => {
  it('gives keys and common prefixes, decoded, and where the next page begins', () => {
    const text = page(
      '<Name>figures</Name><Prefix>store%2F</Prefix><IsTruncated>true</IsTruncated>' +
        '<NextContinuationToken>a&amp;b==</NextContinuationToken>' +
        '<Contents><Key>store%2Fa%20b+c</Key><ETag>&quot;1&quot;</ETag><Owner><ID>me</ID></Owner></Contents>' +
        '<Contents><LastModified>2025-11-19T07:00:00.000Z</LastModified><Key>store%2Fd</Key></Contents>' +
        '<CommonPrefixes><Prefix>store%2Fe%2F</Prefix></CommonPrefixes>',
    );
    expect(s3Listing(text)).toEqual({ keys: ['store/a b c', 'store/d', 'store/e/'], next: 'a&b==' });
    expect(s3Listing(page('<IsTruncated>false</IsTruncated><Prefix>store</Prefix>'))).toEqual({
      keys: [],
      next: null,
    });
  });

  it.each([
    ['cut short', '<ListBucketResult><Contents><Key>a</Key></Contents>'],
    ['another document', '<html>welcome</html>'],
    ['no token for the next page', page('<IsTruncated>true</IsTruncated>')],
    ['an entry without a key', page('<Contents><Size>1</Size></Contents>')],
    ['an entry that does not end', page('<Contents><Key>a</Key>')],
    ['a key that cannot be decoded', page('<Contents><Key>%zz</Key></Contents>')],
  ])('is none when it is %s', (_, text) => {
    expect(s3Listing(text)).toBeNull();
  });

  it('gives any keys back, in any number', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 30 }), (keys) => {
        const inside = keys.map((key) => `<Contents><Key>${encodeURIComponent(key)}</Key></Contents>`);
        expect(s3Listing(page(inside.join('')))?.keys).toEqual(keys);
      }),
      { numRuns: 100 },
    );
  });

  it('takes no longer for a page of openings than for one of entries', () => {
    const text = page('<Contents>'.repeat(500_000));
    expect(s3Listing(text)).toBeNull();
  });
});
