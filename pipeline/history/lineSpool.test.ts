import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realFiles } from '../effects.ts';
import { openLineSpool } from './lineSpool.ts';

const A = '0000000001';
const B = '0000000002';

it('gives the same lines from memory and from segment files, by date', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'spool-'));
  const files = realFiles();
  const spools = [1_000_000, 40].map((heldBytes) => openLineSpool({ directory, files, heldBytes }));
  for (const sourceDate of ['2025-03-01', '2025-01-01', '2025-02-01']) {
    for (const cik of [B, A]) {
      const line = { sourceDate, texts: [`${cik} ${sourceDate} é\n`, 'x\ny\n'] };
      for (const spool of spools) await spool.add(cik, line);
    }
  }
  const [held, spilled] = spools;
  expect(spilled?.ciks()).toEqual([A, B]);
  expect(await spilled?.lines(A)).toEqual(await held?.lines(A));
  expect((await spilled?.lines(A))?.map(({ sourceDate }) => sourceDate)).toEqual([
    '2025-01-01',
    '2025-02-01',
    '2025-03-01',
  ]);
  for (const spool of spools) await spool.close();
  await expect(readFile(join(directory, '0.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  await rm(directory, { recursive: true, force: true });
});
