import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ZipEntry as Written, writeZip } from '../../fixtures/builders/zipWriter.ts';
import { readCentralDirectory } from './readCentralDirectory.ts';
import { readZipEntry } from './readZipEntry.ts';
import { EntryFault, type RandomAccessFile, type ZipLimits } from './zipEntry.ts';

type Counted = RandomAccessFile & { reads: number };

function fileOf(bytes: Buffer): Counted {
  const file: Counted = {
    size: bytes.length,
    reads: 0,
    read(offset, target) {
      file.reads += 1;
      return bytes.copy(target, 0, offset, offset + target.length);
    },
    close: () => undefined,
  };
  return file;
}

const text = (content: string) => Buffer.from(content);
const a: Written = { name: 'CIK0000000001.json', data: text('{"one":1}') };
const b: Written = { name: 'CIK0000000002.json', data: text('{"two":2}') };

function directoryOf(bytes: Buffer, limits: Partial<ZipLimits> = {}) {
  return readCentralDirectory({ file: fileOf(bytes), limits });
}

function refusal(bytes: Buffer, limits: Partial<ZipLimits> = {}) {
  return directoryOf(bytes, limits).refused;
}

function contentOf(bytes: Buffer, index = 0): string {
  const file = fileOf(bytes);
  const entry = readCentralDirectory({ file }).entries[index];
  if (entry === undefined) throw new Error('no such entry');
  return readZipEntry(file, entry).toString();
}

describe('a sound archive', () => {
  it('gives back what was written, deflated and stored, plain and zip64', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ data: fc.uint8Array({ maxLength: 3000 }), stored: fc.boolean() }), {
          maxLength: 8,
        }),
        fc.boolean(),
        (contents, zip64) => {
          const entries = contents.map((c, i) => ({ ...c, name: `d/${i}.json` }));
          const file = fileOf(writeZip(entries, { zip64, comment: 'any comment' }));
          const { entries: read, refused } = readCentralDirectory({ file });
          expect(refused).toEqual([]);
          expect(read.map((e) => e.name)).toEqual(entries.map((e) => e.name));
          read.forEach((entry, i) => {
            expect(new Uint8Array(readZipEntry(file, entry))).toEqual(entries[i]?.data);
          });
        },
      ),
    );
  });

  it('costs two reads however many entries the directory lists', () => {
    const many = Array.from({ length: 3000 }, (_, i) => ({ name: `${i}.json`, data: text('{}') }));
    const file = fileOf(writeZip(many));
    expect(readCentralDirectory({ file }).entries).toHaveLength(3000);
    expect(file.reads).toBe(2);
  });
});

describe('an archive that cannot be trusted is refused as a whole', () => {
  const bad = (bytes: Buffer, message: RegExp, limits: Partial<ZipLimits> = {}) => {
    expect(() => directoryOf(bytes, limits)).toThrow(expect.objectContaining({ code: 'bad_archive' }));
    expect(() => directoryOf(bytes, limits)).toThrow(message);
  };
  const sound = writeZip([a, b]);

  it('cut at any byte', () => {
    for (let size = 0; size < sound.length; size += 1) {
      expect(() => directoryOf(sound.subarray(0, size))).toThrow(
        expect.objectContaining({ code: 'bad_archive' }),
      );
    }
  });
  it('an end record that counts more or fewer entries than there are', () => {
    bad(writeZip([a, b], { entryCount: 3 }), /cut|damaged/);
    bad(writeZip([a, b], { entryCount: 1 }), /more than the listed/);
  });
  it('a directory outside the file', () => {
    bad(writeZip([a, b], { directoryOffset: 1_000_000 }), /does not end where/);
    bad(writeZip([a, b], { directorySize: 10 }), /does not end where/);
  });
  it('two entries that share bytes', () => {
    bad(writeZip([a, { ...b, claim: { offset: 0 } }]), /overlaps|lies outside/);
  });
  it('an entry that reaches into its neighbour', () => {
    bad(writeZip([{ ...a, claim: { compressedSize: 60 } }, b]), /overlaps/);
  });
  it('an entry outside the file', () => {
    bad(writeZip([a, { ...b, claim: { offset: 90_000 } }]), /outside the file/);
    bad(writeZip([a, { ...b, claim: { compressedSize: 90_000 } }]), /outside the file/);
  });
  it('a name listed twice', () => {
    bad(writeZip([a, { ...b, name: a.name }]), /listed twice/);
  });
  it('more entries or more bytes than the limits', () => {
    bad(sound, /more than 1 entries/, { entryCount: 1 });
    bad(sound, /exceed 10 bytes/, { totalBytes: 10 });
    bad(sound, /directory is too large/, { directoryBytes: 10 });
  });
  it('something that is no zip file', () => {
    bad(text('{"cik":1}'.repeat(100)), /not a zip file/);
    bad(Buffer.alloc(0), /not a zip file/);
  });
});

describe('a bad entry is refused alone', () => {
  it.each([
    ['../CIK0000000001.json', 'leaves its directory'],
    ['a/../../b.json', 'leaves its directory'],
    ['/etc/passwd', 'absolute'],
    ['C:/x.json', 'absolute'],
    ['a\\b.json', 'backslash'],
    ['a\u0000.json', 'control'],
    ['a//b.json', 'empty path segment'],
    ['x'.repeat(300), 'longer than'],
  ])('with the name %j', (name, reason) => {
    const refused = refusal(writeZip([{ ...a, name }, b]));
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toContain(reason);
  });
  it('when it is encrypted or of an unknown method', () => {
    expect(refusal(writeZip([{ ...a, claim: { flags: 1 } }]))[0]?.reason).toBe('it is encrypted');
    expect(refusal(writeZip([{ ...a, claim: { method: 12 } }]))[0]?.reason).toContain('method 12');
  });
  it('when it declares too much, or too much for its compressed size', () => {
    expect(refusal(writeZip([a, b]), { entryBytes: 5 })).toHaveLength(2);
    const bomb = { name: 'bomb.json', data: Buffer.alloc(4 * 1024 * 1024) };
    expect(refusal(writeZip([bomb, a]))).toEqual([
      { name: 'bomb.json', reason: 'it declares more than 250 times its compressed size' },
    ]);
  });
});

describe('an entry that lies is found when it is read', () => {
  const fault = (entry: Written, message: RegExp) => {
    const bytes = writeZip([entry, b]);
    expect(() => contentOf(bytes)).toThrow(EntryFault);
    expect(() => contentOf(bytes)).toThrow(message);
    expect(contentOf(bytes, 1)).toBe('{"two":2}');
  };
  it('by its CRC-32', () => fault({ ...a, claim: { crc32: 1 } }, /CRC-32/));
  it('by a size smaller or larger than declared', () => {
    fault({ ...a, claim: { size: 8 } }, /9 bytes where 8/);
    fault({ ...a, claim: { size: 3 } }, /more than the declared 3/);
    fault({ ...a, claim: { size: 10 } }, /9 bytes where 10/);
  });
  it('by inflating a bomb no further than it declared', () => {
    fault(
      { ...a, rawData: deflateRawSync(Buffer.alloc(900_000)), claim: { size: 20 } },
      /more than the declared 20/,
    );
  });
  it('by damaged or early ending data', () => {
    fault({ ...a, rawData: text('\u0007\u0007\u0007\u0007\u0007') }, /damaged/);
    fault({ ...a, rawData: Buffer.concat([deflateRawSync(a.data), text('rest')]) }, /ends early/);
    fault({ ...a, rawData: deflateRawSync(a.data).subarray(0, 6) }, /damaged|ends early|bytes where/);
  });
  it('by another name in the local header', () => {
    fault({ ...a, claim: { localName: 'CIK0000000009.json' } }, /disagrees/);
  });
});
