import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { type AuditRun, auditRun } from '../../contract/payloads/auditRun.ts';
import { sha256Hex } from '../body/openBodies.ts';

const maxAuditBytes = 16 * 1024 * 1024;

/** A stored run of the regression audit. */
export type StoredRun = { readonly run: AuditRun; readonly bytes: number; readonly sha256: string };

/**
 * Reads the newest `audit/<day>.json` beside the releases (I3.22), anew only when the file is another one; null when
 * there is none.
 *
 * The reader rejects with IssuerError `artifact_unavailable` when the file does not hold an audit.
 */
export function newestRun(artifactsRoot: string): () => Promise<StoredRun | null> {
  const directory = join(artifactsRoot, 'audit');
  let known: { readonly mark: string; readonly stored: StoredRun } | null = null;
  return async () => {
    const names = await readdir(directory).catch(() => []);
    const newest = names
      .filter((name) => /^\d{4}-\d{2}-\d{2}\.json$/.test(name))
      .sort()
      .at(-1);
    if (newest === undefined) return null;
    const path = join(directory, newest);
    const { size, mtimeMs, ino } = await stat(path);
    const mark = `${newest} ${size} ${mtimeMs} ${ino}`;
    if (known?.mark === mark) return known.stored;
    const stored = await readRun(path, size);
    if (stored === null) throw unreadable(newest);
    known = { mark, stored };
    return stored;
  };
}

async function readRun(path: string, size: number): Promise<StoredRun | null> {
  if (size > maxAuditBytes) return null;
  const bytes = await readFile(path);
  const parsed = auditRun.safeParse(parse(bytes.toString('utf8')));
  return parsed.success ? { run: parsed.data, bytes: bytes.length, sha256: sha256Hex(bytes) } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(name: string): IssuerError {
  return new IssuerError({
    code: 'artifact_unavailable',
    message: `The audit ${name} cannot be read as one.`,
    hint: 'Run issuer-serve audit again.',
    details: { artifact_key: null },
  });
}
