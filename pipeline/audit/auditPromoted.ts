import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { exitCodes } from '../../data/contract/errors/errorCodes.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Log } from '../effects.ts';

/** How a child process ended: its exit code, null when a signal ended it, and what it printed. */
export type ChildResult = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs a program to its end; the environment is all it gets. */
export type RunChild = (o: {
  command: string;
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  signal: AbortSignal;
}) => Promise<ChildResult>;

/**
 * Audits the promoted release with `issuer-serve audit` as a child process (M13.10) and says how it ended. The
 * release is published regardless of what the audit finds.
 *
 * @param environment that of this process; the child gets only where the data lie and what it is called by
 * @returns the error to end with: `degraded` when the audit is; else null
 */
export async function auditPromoted({
  programRoot,
  data,
  environment,
  signal,
  log,
  run = runChild,
}: {
  programRoot: string;
  data: string;
  environment: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  log: Log;
  run?: RunChild;
}): Promise<IssuerError | null> {
  const ended = await run({
    command: process.execPath,
    args: [join(programRoot, 'serve', 'cli.ts'), 'audit'],
    environment: {
      PATH: environment['PATH'] ?? '',
      II_DATA: data,
      II_BASE_URL: environment['II_BASE_URL'] ?? 'http://127.0.0.1:8402',
    },
    signal,
  });
  const healthy = ended.exitCode === exitCodes.done;
  const summary = summaryOf(ended);
  const reason = healthy ? null : await commonReason(ended, data);
  const message = reason === null ? summary : `${summary}; most failed for ${reason}`;
  log({ level: healthy ? 'info' : 'warn', step: 'audit', message });
  if (healthy) return null;
  return new IssuerError({
    code: 'degraded',
    message: `The release is published, and its audit is not healthy: ${message}.`,
    hint: 'Read audit/<day>.json beside the releases: it names every operation that failed. An issuer of which the sources have no filing (no_filing_in_inputs) fails every night.',
    details: { exit_code: ended.exitCode },
  });
}

const listed = z.object({ failures: z.array(z.object({ reason: z.string() })) });

/** The reason that most failures of the audit have which a child wrote; null where none is listed. */
async function commonReason({ stdout }: ChildResult, data: string): Promise<string | null> {
  const place = z.object({ summary_blob: z.string() }).safeParse(parsed(stdout)?.['artifact']);
  if (!place.success) return null;
  try {
    const text = await readFile(join(data, 'artifacts', place.data.summary_blob), 'utf8');
    const byReason = Map.groupBy(listed.parse(JSON.parse(text)).failures, ({ reason }) => reason);
    const [most] = [...byReason].sort(([, a], [, b]) => b.length - a.length);
    return most?.[0] ?? null;
  } catch {
    // the counts stand without it
    return null;
  }
}

type Printed = Readonly<Record<string, unknown>>;

function summaryOf({ exitCode, stdout, stderr }: ChildResult): string {
  const printed = parsed(stdout);
  if (printed === null) {
    const said = stderr.trim().split('\n')[0]?.slice(0, 300) ?? '';
    return `the audit could not be made (exit ${exitCode ?? 'by signal'})${said === '' ? '' : `: ${said}`}`;
  }
  const n = (name: string) => Number(printed[name] ?? 0).toLocaleString('en');
  const failed = ['failed_count', 'composite_failed_count', 'historical_failed_count'].reduce(
    (sum, name) => sum + Number(printed[name] ?? 0),
    0,
  );
  const counts =
    `${n('operation_count')} operations on ${n('issuer_count')} issuers: ${n('ok_count')} ok, ` +
    `${n('skipped_count')} skipped, ${n('not_applicable_count')} not applicable; ` +
    `${n('composite_operation_count')} over the slice, ${n('historical_operation_count')} rows replayed`;
  const applicable = printed['applicable_pct'] === undefined ? '' : `, ${n('applicable_pct')} % applicable`;
  return `${String(printed['status'])}${applicable}, ${failed} failed — ${counts}`;
}

function parsed(stdout: string): Printed | null {
  try {
    const value: unknown = JSON.parse(stdout);
    return typeof value === 'object' && value !== null && 'operation_count' in value
      ? (value as Printed)
      : null;
  } catch {
    return null;
  }
}

/** The real child process. */
export const runChild: RunChild = ({ command, args, environment, signal }) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], signal });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
