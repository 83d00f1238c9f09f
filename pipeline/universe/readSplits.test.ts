import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSplits } from './readSplits.ts';

describe('the table of splits', () => {
  it('refuses a row that is no split with its source', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'splits-'));
    const path = join(folder, 'splits.csv');
    const head = 'cik,ticker,date,ratio,source,note\n';
    const good = '0001662684,KULR,2025-06-23,1/8,0001104659-25-113662,\n';
    await writeFile(path, head + good);
    expect([...(await readSplits(path))]).toEqual([
      ['0001662684', [{ date: '2025-06-23', ratio: 0.125, source: 'registry' }]],
    ]);
    for (const bad of ['1662684', '2025-06-31', 'one for eight', '1/0']) {
      const at = { 1662684: 0, '2025-06-31': 2 }[bad] ?? 3;
      const cells = good.trim().split(',');
      cells[at] = bad;
      await writeFile(path, `${head}${good}${cells.join(',')}\n`);
      await expect(readSplits(path)).rejects.toThrow('Row 2 of the table of splits');
    }
    await rm(folder, { recursive: true });
  });

  it('has a source in each row', async () => {
    const splits = await readSplits();
    expect(splits.get('0001050446')).toEqual([{ date: '2024-08-08', ratio: 10, source: 'registry' }]);
    expect(splits.get('0001662684')).toEqual([{ date: '2025-06-23', ratio: 0.125, source: 'registry' }]);
  });
});
