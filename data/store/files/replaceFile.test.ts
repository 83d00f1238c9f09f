import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  diskFiles,
  moveInto,
  moveIntoSync,
  type ReplacingFiles,
  replaceFile,
  replaceFileSync,
} from './replaceFile.ts';

const root = mkdtempSync(join(tmpdir(), 'ii-replace-'));
afterEach(() => {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
});

describe('the replacement of a file', () => {
  const path = join(root, 'file');

  it('syncs the bytes before the rename and the directory after it', async () => {
    const steps: string[] = [];
    const note = async (step: string): Promise<void> => void steps.push(step.replaceAll(root, 'root'));
    const files: ReplacingFiles = {
      write: (to, bytes, { sync, mode }) => note(`write ${to} ${bytes} sync ${sync} mode ${mode}`),
      rename: (from, to) => note(`rename ${from} ${to}`),
      syncDirectory: (directory) => note(`sync ${directory}`),
      remove: (gone) => note(`remove ${gone}`),
    };
    await replaceFile({ files, path, bytes: 'new', mode: 0o600 });
    expect(steps).toEqual([
      'write root/file.partial new sync true mode 384',
      'rename root/file.partial root/file',
      'sync root',
    ]);
  });

  it.each([
    [
      'waiting',
      (mode?: number) => replaceFile({ files: diskFiles, path, bytes: 'new', ...(mode && { mode }) }),
    ],
    ['at once', async (mode?: number) => replaceFileSync({ path, bytes: 'new', ...(mode && { mode }) })],
  ])('puts the new bytes in the place of the old, %s, and leaves no other file', async (_, replace) => {
    writeFileSync(path, 'the old bytes');
    writeFileSync(`${path}.partial`, 'of a process that was killed');
    await replace();
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(root)).toEqual(['file']);
    rmSync(path);
    await replace(0o600);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('keeps the old bytes and leaves no other file when a step fails', async () => {
    writeFileSync(path, 'old');
    for (const step of ['write', 'rename'] as const) {
      const full = (): Promise<void> => Promise.reject(new Error('ENOSPC'));
      await expect(
        replaceFile({ files: { ...diskFiles, [step]: full }, path, bytes: 'new' }),
      ).rejects.toThrow('ENOSPC');
    }
    expect(() => replaceFileSync({ path: join(root, 'absent/file'), bytes: 'new' })).toThrow('ENOENT');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(root)).toEqual(['file']);
  });

  it('lets processes that share a path write beside each other under names of their own', () => {
    writeFileSync(`${path}.7.partial`, 'of the other process');
    replaceFileSync({ path, bytes: 'new', partial: `${path}.8.partial` });
    expect(readdirSync(root).sort()).toEqual(['file', 'file.7.partial']);
  });
});

describe('a finished file', () => {
  it.each([
    ['waiting', (input: { from: string; to: string }) => moveInto({ ...input, files: diskFiles })],
    ['at once', async (input: { from: string; to: string }) => moveIntoSync(input)],
  ])('gets its name, %s', async (_, move) => {
    writeFileSync(join(root, 'made'), 'whole');
    await move({ from: join(root, 'made'), to: join(root, 'published') });
    expect(readdirSync(root)).toEqual(['published']);
  });
});
