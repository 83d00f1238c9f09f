import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { namedDirectory, namedFile } from './namedFile.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'ii-named-')));
afterAll(() => rmSync(base, { recursive: true }));
const data = join(base, 'data');
for (const folder of ['data/keys', 'data/warehouse', 'data/answers', 'mine'])
  mkdirSync(join(base, folder), { recursive: true });
for (const file of ['data/keys/release-ed25519.pem', 'data/warehouse/current.duckdb', 'mine/old.csv'])
  writeFileSync(join(base, file), 'precious');
symlinkSync(join(base, 'mine/old.csv'), join(base, 'mine/link.csv'));
symlinkSync(join(data, 'warehouse/current.duckdb'), join(base, 'mine/trap.csv'));
symlinkSync(join(base, 'nowhere'), join(base, 'mine/broken.csv'));
symlinkSync(data, join(base, 'linked'));

describe('a file that a person names', () => {
  it.each([
    ['mine/new.csv', 'mine/new.csv'],
    ['mine/old.csv', 'mine/old.csv'],
    ['mine/link.csv', 'mine/old.csv'],
    ['data/answers/new.csv', 'data/answers/new.csv'],
    ['data/new.csv', 'data/new.csv'],
    ['missing/new.csv', 'missing/new.csv'],
  ])('%s is written as %s', async (named, path) => {
    expect(await namedFile(join(base, named), data)).toBe(join(base, path));
  });

  it.each([
    ['mine', 'is no plain file'],
    ['mine/broken.csv', 'is no plain file'],
    ['data/keys/release-ed25519.pem', 'lies among the files that the program keeps in keys'],
    ['data/warehouse/current.duckdb', 'lies among the files that the program keeps in warehouse'],
    ['data/artifacts/current', 'lies among the files that the program keeps in artifacts'],
    ['mine/trap.csv', 'lies among the files that the program keeps in warehouse'],
    ['linked/keys/new.csv', 'lies among the files that the program keeps in keys'],
  ])('%s is refused: %s', async (named, why) => {
    const asked = namedFile(join(base, named), data);
    await expect(asked).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(why) });
  });

  it('is a directory where one is asked for, also through a link', async () => {
    expect(await namedDirectory(join(base, 'mine'), data)).toBe(join(base, 'mine'));
    expect(await namedDirectory(join(base, 'linked/answers'), data)).toBe(join(data, 'answers'));
    for (const named of ['mine/old.csv', 'mine/broken.csv', 'linked/keys/export', 'data/artifacts/x'])
      await expect(namedDirectory(join(base, named), data)).rejects.toMatchObject({ code: 'usage' });
  });

  it('is never a device, whose place a file would take', async () => {
    for (const device of ['/dev/null', '/dev/full'])
      await expect(namedFile(device, data)).rejects.toMatchObject({ code: 'usage' });
    await expect(namedFile(' ', data)).rejects.toMatchObject({ message: 'No file is named.' });
  });
});
