import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('no file of the server makes the call of the MPP library that settles under a harmless name (P4.17)', () => {
  const room = join(import.meta.dirname, '../..');
  const files = globSync('**/*.ts', { cwd: room }).filter((name) => !name.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(200);
  const callers = files.filter((name) => readFileSync(join(room, name), 'utf8').includes('verifyCredential'));
  expect(callers).toEqual([]);
});
