import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { type AuditRun, auditRun } from '../../data/contract/payloads/audit/auditRun.ts';
import type { AuditStatus } from '../../data/contract/payloads/audit/auditStatus.ts';
import { type FiguresToCheck, figuresToCheck } from '../../data/contract/payloads/audit/figuresToCheck.ts';
import { routes } from '../../data/contract/routes/routes.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { replaceFileSync } from '../../data/store/files/replaceFile.ts';
import type { Ask } from '../audit/auditClient.ts';
import { auditStatusOf } from '../audit/auditStatusOf.ts';
import { runAudit, type UnsignedRun } from '../audit/runAudit.ts';
import { signedRun } from '../audit/signedRun.ts';
import type { Config } from '../config/config.ts';
import type { LedgerTime } from '../ledger/port/ledger.ts';
import type { ArtifactStore } from '../store/artifactStore.ts';
import { auditName, figuresName } from '../store/storedAudit.ts';
import { operatorClient } from './operatorClient.ts';

type Input = {
  readonly config: Config;
  readonly sourceDate: string | null;
  readonly time: LedgerTime;
  readonly log: Logger;
};

/** Doubts an audit holds at most; their number is complete. */
const figuresKept = 100;

/**
 * `issuer-serve audit`: audits a promoted release through the handler and writes `audit/<source_date>.json` beside
 * the releases, signed with the release key (I3.22, M13.10).
 *
 * @throws IssuerError `input_missing` when no release answers or the key cannot be read; nothing is written then.
 */
export async function auditRelease(
  input: Input,
): Promise<{ readonly run: AuditRun; readonly status: AuditStatus; readonly path: string }> {
  const client = operatorClient(input);
  const ask: Ask = async (target, body) => {
    const outgoing = await client.ask(target, body);
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
  const figures = await readFigures(client.deps.store, input, unsigned);
  const withFigures = figures === null ? unsigned : { ...unsigned, figures_to_check: figures };
  const run = auditRun.parse(
    signedRun(withFigures, join(input.config.dataRoot, 'keys', 'release-ed25519.pem')),
  );
  const bytes = Buffer.from(canonicalJson(run as CanonicalValue));
  const path = writeRun({ root: input.config.artifactsRoot, day: run.source_date, bytes });
  return { run, path, status: auditStatusOf({ run, bytes: bytes.length, nowMs: input.time.nowMs() }) };
}

// a reader sees the last run or this one, never a part
function writeRun({ root, day, bytes }: { root: string; day: string; bytes: Buffer }): string {
  const path = join(root, auditName(day));
  mkdirSync(dirname(path), { recursive: true });
  replaceFileSync({ path, bytes });
  return path;
}

/** What the night listed of this very release, the first of it; null where it left no such list. */
async function readFigures(
  store: ArtifactStore,
  { log }: Input,
  run: UnsignedRun,
): Promise<FiguresToCheck | null> {
  try {
    const bytes = await store.figures(run.source_date);
    if (bytes === null) return null;
    const figures = figuresToCheck.parse(JSON.parse(bytes.toString('utf8')));
    const ofRelease = figures.release === run.release;
    return ofRelease ? { ...figures, doubts: figures.doubts.slice(0, figuresKept) } : null;
  } catch (error) {
    const path = figuresName(run.source_date);
    log.warn({ path, reason: String(error) }, 'the figures to check cannot be read and are left out');
    return null;
  }
}
