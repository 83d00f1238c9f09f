import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { instant } from '../../data/contract/values/instant.ts';

/** Who holds a lock: a process of a machine. */
export const lockHolder = z.object({
  pid: z.number().int(),
  host: z.string(),
  started_at_utc: z.string(),
  /** Start of the process in kernel ticks: tells a reused pid from the holder; null where unknown. */
  process_start: z.string().nullable(),
});
export type LockHolder = z.infer<typeof lockHolder>;

/** This process as a holder. */
export function thisRun(now: Date): LockHolder {
  return {
    pid: process.pid,
    host: hostname(),
    started_at_utc: instant(now.getTime()),
    process_start: processStart(process.pid),
  };
}

/** Whether the process of a holder has ended; one of another host is never judged. */
export function isGone(found: LockHolder): boolean {
  if (found.host !== hostname()) return false;
  if (!isAlive(found.pid)) return true;
  const start = processStart(found.pid);
  return found.process_start !== null && start !== null && start !== found.process_start;
}

/** Whether this machine has a process of that id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Field 22 of /proc/<pid>/stat; null on systems without it. */
function processStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the name in parentheses may hold spaces
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
