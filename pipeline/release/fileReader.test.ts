import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fileReader } from './fileReader.ts';

const root = mkdtempSync(join(tmpdir(), 'file-reader-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('fileReader', () => {
  it('reads short files after long ones and long ones after short ones, each whole and nothing else', () => {
    const read = fileReader();
    const path = join(root, 'file');
    for (const text of ['abc', '', 'x'.repeat(3_000_000), 'ä', 'y'.repeat(70_000)]) {
      writeFileSync(path, text);
      expect(read(path)?.equals(Buffer.from(text))).toBe(true);
    }
  });

  it('says that it read nothing where there is no file', () => {
    const read = fileReader();
    expect(read(join(root, 'absent'))).toBeNull();
    expect(read(root)).toBeNull();
  });
});
