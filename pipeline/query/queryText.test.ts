import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryText } from './queryText.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'issuer-query-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const nothing = { sql: undefined, file: undefined, stdin: null };

describe('queryText', () => {
  it('comes from the argument, a file or standard input', async () => {
    const file = join(root, 'a.sql');
    await writeFile(file, 'from stress -- é\n');
    expect(await queryText({ ...nothing, sql: 'from alpha' })).toBe('from alpha');
    expect(await queryText({ ...nothing, file })).toBe('from stress -- é\n');
    for (const given of [nothing, { ...nothing, sql: '-' }, { ...nothing, file: '-' }]) {
      const stdin = Readable.from([Buffer.from('from '), Buffer.from('prices')]);
      expect(await queryText({ ...given, stdin })).toBe('from prices');
    }
  });

  it('is refused with a next step when it is none', async () => {
    const files = {
      binary: Buffer.from([0xff, 0xd8, 0x00]),
      nul: Buffer.from('a\u0000b'),
      long: Buffer.alloc(1_000_001, 32),
    };
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(root, name), bytes);
    const refused: readonly (readonly [Partial<Parameters<typeof queryText>[0]>, string, RegExp])[] = [
      [{}, 'usage', /There is no query/],
      [{ sql: 'from stress', file: join(root, 'nul') }, 'usage', /given twice/],
      [{ file: join(root, 'none.sql') }, 'input_missing', /There is no file .*none\.sql/],
      [{ file: root }, 'usage', /cannot be read \(EISDIR\)/],
      [{ file: join(root, 'binary') }, 'usage', /is not text in UTF-8/],
      [{ file: join(root, 'nul') }, 'usage', /is not SQL/],
      [{ file: join(root, 'long') }, 'usage', /longer than a query/],
      [
        { stdin: Readable.from([Buffer.alloc(600_000, 32), Buffer.alloc(600_000, 32)]) },
        'usage',
        /longer than a query/,
      ],
    ];
    for (const [given, code, message] of refused) {
      const error = await queryText({ ...nothing, ...given }).catch((e) => e);
      expect(error).toMatchObject({ code });
      expect(error.message).toMatch(message);
      expect(error.hint.length).toBeGreaterThan(10);
    }
  });
});
