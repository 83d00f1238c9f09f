import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { promotion } from '../../data/contract/release/releaseFiles.ts';
import { dataLayout } from '../dataLayout.ts';
import { realFiles } from '../effects.ts';
import { sealPointers, sequenceProblems } from './sealPointers.ts';

describe('signed pointers (STORE ST21)', () => {
  let root: string;
  const layout = () => dataLayout(root);
  const stored = () => join(layout().artifacts.root, 'promotion.json');
  const seal = () => sealPointers(layout(), realFiles());
  const sequence = async () => promotion.parse(JSON.parse(await readFile(stored(), 'utf8'))).sequence;
  async function promote(date: string): Promise<void> {
    await writeFile(layout().artifacts.slices, JSON.stringify({ [date]: `${date}.1` }));
    await writeFile(layout().artifacts.current, `${date}.1\n`);
  }
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'issuer-seal-'));
    await mkdir(layout().artifacts.root, { recursive: true });
  });
  afterEach(() => rm(root, { recursive: true }));

  it('have a sequence that grows with each change, back to an older release too, and with nothing else', async () => {
    await seal();
    expect(await sequenceProblems(layout())).toEqual([]);
    await promote('2025-11-18');
    await seal();
    expect(await sequence()).toBe(1);
    const before = await readFile(stored(), 'utf8');
    await seal();
    expect(await readFile(stored(), 'utf8')).toBe(before);
    await promote('2025-11-19');
    await seal();
    // the operator's way back
    await promote('2025-11-18');
    expect(await sequenceProblems(layout())).toEqual([
      'the pointers are not those that promotion.json was signed for',
    ]);
    await seal();
    expect(await sequence()).toBe(3);
    expect(await sequenceProblems(layout())).toEqual([]);
  });

  it('of an older state are noticed, whole as they are, and signed above what was seen by the next command', async () => {
    await promote('2025-11-18');
    await seal();
    const older = await readFile(stored());
    await promote('2025-11-19');
    await seal();
    await promote('2025-11-18');
    await writeFile(stored(), older);
    expect(await sequenceProblems(layout())).toEqual([
      'promotion.json has sequence 1, and 2 was seen: an older state was put back',
    ]);
    await rm(stored());
    expect(await sequenceProblems(layout())).toEqual(['promotion.json is missing, and sequence 2 was seen']);
    await seal();
    expect(await sequence()).toBe(3);
  });
});
