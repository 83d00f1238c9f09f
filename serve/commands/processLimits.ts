import { readFileSync } from 'node:fs';

/** What the platform says of the limits of this process; empty where it says nothing. */
export function processLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
