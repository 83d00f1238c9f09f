import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { auditOf, maxAuditBytes, type StoredRun, unreadableAudit } from './storedAudit.ts';
import type { JudgeKey } from './verifySigned.ts';

/**
 * Reads the newest `audit/<day>.json` of a directory (I3.22), anew only when the file is another one; null when there is
 * none.
 *
 * The reader rejects with IssuerError `artifact_unavailable` when the file does not hold an audit.
 */
export function directoryAudits({
  root,
  trusts,
}: {
  root: string;
  trusts: JudgeKey;
}): () => Promise<StoredRun | null> {
  const directory = join(root, 'audit');
  let known: { readonly mark: string; readonly stored: StoredRun } | null = null;
  return async () => {
    const names = await readdir(directory).catch(() => []);
    const days = names.flatMap((name) => /^(\d{4}-\d{2}-\d{2})\.json$/.exec(name)?.[1] ?? []);
    const day = days.sort().at(-1);
    if (day === undefined) return null;
    const path = join(directory, `${day}.json`);
    const { size, mtimeMs, ino } = await stat(path);
    const mark = `${day} ${size} ${mtimeMs} ${ino}`;
    if (known?.mark === mark) return known.stored;
    if (size > maxAuditBytes) throw unreadableAudit(day);
    const stored = auditOf(day, await readFile(path), trusts);
    known = { mark, stored };
    return stored;
  };
}
