import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { analystSession } from '../../../fixtures/rigs/analystSession.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { openWarehouse } from './openWarehouse.ts';

let root: string;
let made: HandMadeWarehouse;
let path: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'open-'));
  made = await handMadeWarehouse();
  made.close();
});
afterAll(async () => {
  await made.remove();
  await rm(root, { recursive: true, force: true });
});
let n = 0;
beforeEach(async () => {
  n += 1;
  path = join(root, `${n}.duckdb`);
  await copyFile(made.path, path);
});

/** What opening ends with; null when it opens. */
async function refusal(file: string, output: string | null = null) {
  try {
    (await openWarehouse(file, output === null ? undefined : { outputs: [output] })).close();
    return null;
  } catch (error) {
    if (!(error instanceof IssuerError)) throw error;
    return error.toCli();
  }
}

describe('a warehouse that cannot be read', () => {
  it('is absent: exit 3, run a night', async () => {
    expect(await refusal(join(root, 'none.duckdb'))).toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/^There is no warehouse to read at /),
      hint: expect.stringContaining('issuer nightly'),
    });
  });

  it.for([
    ['printed', null],
    ['exported', 'out.parquet'],
  ] as const)(
    'is locked by another process, not absent: exit 75 and who holds it (%s)',
    async ([, output]) => {
      const session = await analystSession(path);
      try {
        const error = await refusal(path, output === null ? null : join(root, output));
        expect(error).toMatchObject({ exitCode: 75, code: 'locked' });
        expect(error?.message).toContain(`${process.execPath} (PID ${session.pid}`);
        expect(error?.message).toContain('has it open for writing');
        expect(error?.hint).toContain('duckdb -readonly');
      } finally {
        await session.close();
      }
    },
  );

  it('is no database: exit 3, and it is said to be there', async () => {
    await writeFile(path, 'not a database');
    expect(await refusal(path)).toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('is there, but cannot be read'),
    });
  });

  it('has rows of a killed session beside it, which the database would show as ours', async () => {
    await (await analystSession(path)).kill();
    expect(existsSync(`${path}.wal`)).toBe(true);
    expect(await refusal(path)).toMatchObject({
      exitCode: 5,
      message: expect.stringContaining(`left ${path}.wal`),
    });
    await rm(`${path}.wal`);
    expect(await refusal(path)).toBeNull();
  });
});
