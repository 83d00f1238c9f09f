import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ReplicaFiles, replicaFiles } from './replicaFiles.ts';

let root: string;
let clock: { nowMs: number };
let unkept: (string | null)[];
const block = 4096;
const open = async (maxBytes: number, at = root): Promise<ReplicaFiles> => {
  const files = replicaFiles({
    root: at,
    maxBytes,
    nowMs: () => clock.nowMs,
    onUnkept: (why) => void unkept.push(why),
  });
  await files.open();
  return files;
};
const range = (pack: string, n: number, length = 10) => `packs/2026-02-${pack}.1.pack/${n}-${length}`;
const bytes = (text: string) => Buffer.from(text.padEnd(10, '.'));
const text = async (files: ReplicaFiles, name: string) => (await files.read(name))?.toString() ?? null;

beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), 'replica-')), 'replica');
  clock = { nowMs: 0 };
  unkept = [];
});
afterEach(() => rmSync(join(root, '..'), { recursive: true, force: true }));

describe('the files of a replica (STORE ST15)', () => {
  it('stay within their bound, each counted by its blocks; what was used last stays', async () => {
    const files = await open(3 * block);
    for (const n of [1, 2, 3]) await files.keep(range('07', n), bytes(`of ${n}`));
    expect(await text(files, range('07', 1))).toBe('of 1......');
    await files.keep(range('07', 4), bytes('of 4'));
    expect(files.bytes).toBe(3 * block);
    expect(await text(files, range('07', 2))).toBeNull();
    expect(await text(files, range('07', 1))).toBe('of 1......');
    expect(readdirSync(join(root, 'packs/2026-02-07.1.pack')).sort()).toEqual(['1-10', '3-10', '4-10']);
    // larger than all of it
    await files.keep('packs/2026-02-07.1.idx', Buffer.alloc(4 * block));
    expect(files.has('packs/2026-02-07.1.idx')).toBe(false);
  });

  it('drop nothing for a file that cannot fit, and do not go on giving what it would have replaced', async () => {
    const files = await open(3 * block);
    await files.keep('pointers.json', bytes('old'));
    await files.keep(range('07', 1), bytes('of 1'));
    await files.keep('pointers.json', Buffer.alloc(4 * block));
    expect(await text(files, 'pointers.json')).toBeNull();
    expect(await text(files, range('07', 1))).toBe('of 1......');
    expect(files.bytes).toBe(block);
    // a later process finds no old one either
    expect(await text(await open(3 * block), 'pointers.json')).toBeNull();
  });

  it('are within the bound whatever is kept, read, pinned and removed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            act: fc.constantFrom('keep', 'keep', 'keep', 'read', 'drop', 'pin'),
            n: fc.integer({ min: 0, max: 9 }),
            blocks: fc.integer({ min: 1, max: 4 }),
          }),
          { maxLength: 30 },
        ),
        async (acts) => {
          const files = await open(8 * block, join(root, String(Math.random())));
          const last = new Map<string, number>();
          for (const { act, n, blocks } of acts) {
            const name = `releases/2026-02-07.${n + 1}/packs.json`;
            if (act === 'pin') files.pin(new Set([name]));
            else if (act === 'drop') await files.drop(name);
            else if (act === 'keep') {
              await files.keep(name, Buffer.alloc(blocks * block, n));
              last.set(name, blocks);
            } else {
              const found = await files.read(name);
              if (found !== null) {
                expect(found.length).toBe((last.get(name) ?? 0) * block);
                expect(found.every((byte) => byte === n)).toBe(true);
              }
            }
            expect(files.bytes).toBeLessThanOrEqual(8 * block);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('are found by the next process, of the oldest pack first to go; foreign files are left alone', async () => {
    const files = await open(10 * block);
    for (const [pack, n] of [
      ['09', 1],
      ['07', 2],
      ['08', 3],
    ] as const)
      await files.keep(range(pack, n), bytes(`of ${n}`));
    writeFileSync(join(root, 'notes.txt'), 'of somebody else');
    const next = await open(2 * block);
    expect(await text(next, range('07', 2))).toBeNull();
    expect(await text(next, range('08', 3))).toBe('of 3......');
    expect(await text(next, range('09', 1))).toBe('of 1......');
    expect(existsSync(join(root, 'notes.txt'))).toBe(true);
  });

  it('that are pinned do not go', async () => {
    const files = await open(2 * block);
    await files.keep('pointers.json', bytes('pointers'));
    files.pin(new Set(['pointers.json']));
    for (const n of [1, 2, 3]) await files.keep(range('07', n), bytes(`of ${n}`));
    expect(await text(files, 'pointers.json')).toBe('pointers..');
    expect(await text(files, range('07', 3))).toBe('of 3......');
    expect(files.bytes).toBe(2 * block);
  });

  it('that were cut, or removed while it runs, count as not there', async () => {
    const files = await open(10 * block);
    await files.keep(range('07', 1), bytes('of 1'));
    writeFileSync(join(root, range('07', 1)), 'of');
    expect(await text(files, range('07', 1))).toBeNull();
    expect(existsSync(join(root, range('07', 1)))).toBe(false);
    await files.keep(range('07', 2), bytes('of 2'));
    rmSync(root, { recursive: true });
    expect(await text(files, range('07', 2))).toBeNull();
    await files.keep(range('07', 2), bytes('of 2'));
    expect(await text(files, range('07', 2))).toBe('of 2......');
    expect(files.bytes).toBe(block);
  });

  it('that a killed process left half-written are removed when they are old', async () => {
    mkdirSync(join(root, 'packs'), { recursive: true });
    const names = ['packs/2026-02-07.1.idx.aa.partial', 'packs/2026-02-08.1.idx.bb.partial'];
    for (const name of names) writeFileSync(join(root, name), 'half');
    utimesSync(join(root, names[0] ?? ''), 0, 0);
    const files = await open(10 * block);
    expect(readdirSync(join(root, 'packs'))).toEqual(['2026-02-08.1.idx.bb.partial']);
    expect(files.bytes).toBe(0);
  });

  it('may be shared by two servers: what one drops the other misses, and keeps again', async () => {
    const [a, b] = [await open(10 * block), await open(10 * block)];
    await Promise.all([a.keep(range('07', 1), bytes('same')), b.keep(range('07', 1), bytes('same'))]);
    await a.drop(range('07', 1));
    expect(await text(b, range('07', 1))).toBeNull();
    await b.keep(range('07', 1), bytes('same'));
    expect(await text(b, range('07', 1))).toBe('same......');
  });

  it('cannot be written: says so once, fails nothing, and tries again after half a minute', async () => {
    mkdirSync(join(root, '..'), { recursive: true });
    // a file where the directory should be
    writeFileSync(root, '');
    const files = await open(10 * block);
    for (const n of [1, 2, 3]) await files.keep(range('07', n), bytes(`of ${n}`));
    expect(unkept).toEqual(['it cannot be written (ENOTDIR)']);
    expect([files.unkept, files.bytes]).toEqual(['it cannot be written (ENOTDIR)', 0]);
    rmSync(root);
    await files.keep(range('07', 1), bytes('of 1'));
    expect(await text(files, range('07', 1))).toBeNull();
    clock.nowMs = 30_000;
    await files.keep(range('07', 1), bytes('of 1'));
    expect(await text(files, range('07', 1))).toBe('of 1......');
    expect(unkept).toEqual(['it cannot be written (ENOTDIR)', null]);
  });
});
