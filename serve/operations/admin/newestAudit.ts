import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../../contract/errors/issuerError.ts';
import { auditRun } from '../../../contract/payloads/auditRun.ts';
import type { AuditStatus } from '../../../contract/payloads/auditStatus.ts';
import { auditStatusOf } from '../../audit/auditStatusOf.ts';

const maxAuditBytes = 16 * 1024 * 1024;

/**
 * Status of the newest `audit/<day>.json` beside the releases (I3.22); null when there is none.
 *
 * @throws IssuerError `artifact_unavailable` when the file does not hold an audit.
 */
export async function newestAudit({
  artifactsRoot,
  nowMs,
}: {
  artifactsRoot: string;
  nowMs: number;
}): Promise<AuditStatus | null> {
  const directory = join(artifactsRoot, 'audit');
  const names = await readdir(directory).catch(() => []);
  const newest = names
    .filter((name) => /^\d{4}-\d{2}-\d{2}\.json$/.test(name))
    .sort()
    .at(-1);
  if (newest === undefined) return null;
  const path = join(directory, newest);
  const { size } = await stat(path);
  const parsed = size > maxAuditBytes ? null : auditRun.safeParse(parse(await readFile(path, 'utf8')));
  if (parsed?.success !== true) {
    throw new IssuerError({
      code: 'artifact_unavailable',
      message: `The audit ${newest} cannot be read as one.`,
      hint: 'Run issuer-serve audit again.',
      details: { artifact_key: null },
    });
  }
  return auditStatusOf({ run: parsed.data, bytes: size, nowMs });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
