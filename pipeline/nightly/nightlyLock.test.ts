import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LogEvent, realFiles, type StoreEffects, systemClock } from '../effects.ts';
import { readLock, withNightlyLock } from './nightlyLock.ts';

let root: string;
let path: string;
let events: LogEvent[];
let effects: StoreEffects;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lock-'));
  path = join(root, 'warehouse/nightly.lock');
  await mkdir(join(root, 'warehouse'));
  events = [];
  effects = { clock: systemClock(), log: (event) => events.push(event), files: realFiles() };
});
afterEach(() => rm(root, { recursive: true, force: true }));

const take = (act: () => Promise<string>) => withNightlyLock({ path, effects }, act);
const held = (change: object) =>
  JSON.stringify({
    pid: process.pid,
    host: hostname(),
    started_at_utc: '2025-11-14T06:00:00Z',
    process_start: null,
    ...change,
  });

/** A pid that certainly belongs to no process any more. */
async function deadPid(): Promise<number> {
  const child: ChildProcess = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('withNightlyLock', () => {
  it('refuses a second run while one is on and gives the lock back after it', async () => {
    const outcome = await take(async () => {
      const holder = JSON.parse(await readFile(path, 'utf8'));
      expect(holder).toMatchObject({ pid: process.pid, host: hostname() });
      await expect(take(async () => 'second')).rejects.toMatchObject({ code: 'locked' });
      return 'first';
    });
    expect(outcome).toBe('first');
    expect(await readdir(join(root, 'warehouse'))).toEqual([]);
  });

  it('gives the lock back when the run fails', async () => {
    await expect(take(() => Promise.reject(new Error('night failed')))).rejects.toThrow('night failed');
    expect(await take(async () => 'next')).toBe('next');
  });

  it('takes over the lock of a process that is gone, and says so', async () => {
    const pid = await deadPid();
    await writeFile(path, held({ pid }));
    await writeFile(`${path}.${pid}.123e4567-e89b-42d3-a456-426614174000`, 'a draft it left');
    expect(await readLock(path)).toMatchObject({ stale: true });
    expect(await take(async () => 'resumed')).toBe('resumed');
    expect(events.map((event) => event.level)).toEqual(['warn']);
    expect(await readdir(join(root, 'warehouse'))).toEqual([]);
  });

  it('takes over a lock whose pid was given to another process since', async () => {
    await writeFile(path, held({ process_start: '1' }));
    expect(await take(async () => 'resumed')).toBe('resumed');
  });

  it('never judges a lock of another host', async () => {
    await writeFile(path, held({ host: 'elsewhere.example', pid: await deadPid() }));
    await expect(take(async () => 'second')).rejects.toThrow('elsewhere.example');
    expect(await readLock(path)).toMatchObject({ stale: false });
  });

  it('lets exactly one of many runs take a stale lock over', async () => {
    await writeFile(path, held({ pid: await deadPid() }));
    let inside = 0;
    let most = 0;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        take(async () => {
          inside += 1;
          most = Math.max(most, inside);
          await new Promise((resolve) => setImmediate(resolve));
          inside -= 1;
          return 'ran';
        }),
      ),
    );
    expect(most).toBe(1);
    expect(outcomes.some((outcome) => outcome.status === 'fulfilled')).toBe(true);
    expect(await readdir(join(root, 'warehouse'))).toEqual([]);
  });

  it('goes on when a claimant of the stale lock died too', async () => {
    const stale = held({ pid: await deadPid() });
    await writeFile(path, stale);
    const { sha256Hex } = await import('../release/artifact.ts');
    await writeFile(`${path}.stale-${sha256Hex(stale).slice(0, 16)}`, stale);
    expect(await take(async () => 'resumed')).toBe('resumed');
  });
});
