import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { replaceFileSync } from '../../contract/files/replaceFile.ts';
import { type AuditRun, auditRun } from '../../contract/payloads/auditRun.ts';
import type { AuditStatus } from '../../contract/payloads/auditStatus.ts';
import { routes } from '../../contract/routes/routes.ts';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';
import type { Ask } from '../audit/auditClient.ts';
import { auditStatusOf } from '../audit/auditStatusOf.ts';
import { runAudit } from '../audit/runAudit.ts';
import { signedRun } from '../audit/signedRun.ts';
import type { Config } from '../config/config.ts';
import type { LedgerTime } from '../ledger/port/ledger.ts';
import { operatorClient } from './operatorClient.ts';

/**
 * `issuer-serve audit`: audits a promoted release through the handler and writes `audit/<source_date>.json` beside
 * the releases, signed with the release key (I3.22, M13.10).
 *
 * @throws IssuerError `input_missing` when no release answers or the key cannot be read; nothing is written then.
 */
export async function auditRelease(input: {
  config: Config;
  sourceDate: string | null;
  time: LedgerTime;
  log: Logger;
}): Promise<{ readonly run: AuditRun; readonly status: AuditStatus; readonly path: string }> {
  const client = operatorClient(input);
  const ask: Ask = async (target) => {
    const outgoing = await client.get(target);
    const headers = new Map<string, string>();
    for (let i = 0; i < outgoing.headers.length; i += 2)
      headers.set((outgoing.headers[i] ?? '').toLowerCase(), outgoing.headers[i + 1] ?? '');
    outgoing.done('delivered');
    return { status: outgoing.status, headers, bytes: Buffer.concat(outgoing.body) };
  };
  const unsigned = await runAudit({
    ask,
    store: client.deps.store,
    routes,
    sourceDate: input.sourceDate,
    nowMs: () => input.time.nowMs(),
  });
  const run = auditRun.parse(signedRun(unsigned, join(input.config.dataRoot, 'keys', 'release-ed25519.pem')));
  const bytes = Buffer.from(canonicalJson(run as CanonicalValue));
  const path = writeRun({ root: input.config.artifactsRoot, day: run.source_date, bytes });
  return { run, path, status: auditStatusOf({ run, bytes: bytes.length, nowMs: input.time.nowMs() }) };
}

// a reader sees the last run or this one, never a part
function writeRun({ root, day, bytes }: { root: string; day: string; bytes: Buffer }): string {
  const directory = join(root, 'audit');
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${day}.json`);
  replaceFileSync({ path, bytes });
  return path;
}
