import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { StoreEffects } from '../effects.ts';
import { parsedOrNull } from '../exactJson.ts';
import { ifPresent } from '../fetch/store/storeUnwritable.ts';
import { sha256Hex } from '../release/artifact.ts';
import { isAlive, isGone, type LockHolder, lockHolder, thisRun } from './lockHolder.ts';

/**
 * Runs `act` while holding the nightly lock, and gives the lock back in every case. A lock whose process is
 * gone is taken over; one of another host is never judged.
 *
 * @throws IssuerError `locked` while another run holds it.
 */
export async function withNightlyLock<T>(
  input: { path: string; effects: StoreEffects },
  act: () => Promise<T>,
): Promise<T> {
  await acquire(input);
  try {
    return await act();
  } finally {
    await input.effects.files.remove(input.path);
  }
}

/** Who holds the lock; null when it is free, `stale` when that process is gone. */
export async function readLock(path: string): Promise<{ holder: LockHolder | null; stale: boolean } | null> {
  const text = await ifPresent(readFile(path, 'utf8'), null);
  if (text === null) return null;
  const found = parsedOrNull(lockHolder, text);
  return { holder: found, stale: isStale(found) };
}

async function acquire(input: { path: string; effects: StoreEffects }): Promise<void> {
  const { files, clock, log } = input.effects;
  await files.makeDirectory(dirname(input.path));
  const own = thisRun(clock.now());
  await removeDeadDrafts(input);
  const draft = `${input.path}.${process.pid}.${randomUUID()}`;
  await files.write(draft, canonicalJson(own));
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      if (await linked(input.effects, { from: draft, to: input.path })) return;
      const text = await ifPresent(readFile(input.path, 'utf8'), null);
      if (text === null) continue;
      const found = parsedOrNull(lockHolder, text);
      if (!isStale(found)) throw locked(input.path, found);
      log({
        level: 'warn',
        step: 'plan',
        message: `the lock of a run that died (process ${found?.pid ?? 'unknown'}) is taken over`,
      });
      await removeStale(input, text, draft);
    }
    throw locked(input.path, null);
  } finally {
    await files.remove(draft);
  }
}

/** Drafts of runs that were killed between writing theirs and removing it. */
async function removeDeadDrafts({ path, effects }: { path: string; effects: StoreEffects }): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const pid = /\.(\d+)\.[0-9a-f-]{36}$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await effects.files.remove(join(dirname(path), name));
  }
}

/** Removes exactly the stale lock that was seen: only the winner of a claim on its content may do it. */
async function removeStale(
  { path, effects }: { path: string; effects: StoreEffects },
  seen: string,
  draft: string,
): Promise<void> {
  const { files } = effects;
  const claim = `${path}.stale-${sha256Hex(seen).slice(0, 16)}`;
  if (!(await linked(effects, { from: draft, to: claim }))) {
    const claimed = await ifPresent(readFile(claim, 'utf8'), null);
    // the claimant died too: its claim is void
    if (claimed !== null && isStale(parsedOrNull(lockHolder, claimed))) await files.remove(claim);
    return;
  }
  try {
    if ((await ifPresent(readFile(path, 'utf8'), null)) === seen) await files.remove(path);
  } finally {
    await files.remove(claim);
  }
}

async function linked(effects: StoreEffects, { from, to }: { from: string; to: string }): Promise<boolean> {
  try {
    await effects.files.link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(found: LockHolder | null): boolean {
  // an unreadable lock was not written by a run: locks appear whole
  return found === null || isGone(found);
}

function locked(path: string, found: LockHolder | null): IssuerError {
  const who =
    found === null ? 'another run' : `process ${found.pid} on ${found.host} since ${found.started_at_utc}`;
  return new IssuerError({
    code: 'locked',
    message: `The nightly lock is held by ${who}.`,
    hint: `Try again when it is done; if that machine is gone, delete ${path}.`,
    details: { path, ...found },
  });
}
