import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { exitCodes } from '../../data/contract/errors/errorCodes.ts';
import { type Config, readConfig } from '../config/config.ts';
import { ledgerAt, ledgerLog, systemTime } from '../ledger/openLedger.ts';
import { ulidGenerator } from '../ledger/ulid.ts';
import { createLog, gatheredSink, type LogSink, requestLog } from '../log/log.ts';
import { watchLedger, watchLog } from '../operations/metrics/watchLedger.ts';
import type { GrantsCommandEffects } from './changeGrants.ts';
import type { LedgerCommandEffects } from './readLedger.ts';

/** What the command line knows of its process. */
export type ServeProcess = {
  readonly stdout: { write(bytes: string | Uint8Array): void };
  readonly stderr: LogSink;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  /** Called once at the end, however it comes. */
  atExit(last: () => void): void;
  /** Resolves when the process is asked to stop. */
  stopped(): Promise<void>;
  /** Sets the code it will end with. */
  endWith(exitCode: number): void;
  /** Ends at once. */
  exit(exitCode: number): void;
};

/** One run of the program: its process, its configuration file, and the log of an operator's commands. */
export type ServeShell = {
  readonly serveProcess: ServeProcess;
  readonly envFile: string | null;
  readonly log: Logger;
};

/** Opens the shell of a run; what only one command needs is loaded by it. */
export function serveShell(serveProcess: ServeProcess, envFile: string | null): ServeShell {
  return { serveProcess, envFile, log: createLog({ sink: serveProcess.stderr, level: 'info' }) };
}

/** `issuer-serve start`. */
export async function start({ serveProcess, envFile }: ServeShell): Promise<void> {
  const { startServer } = await import('./startServer.ts');
  const { serverMetrics } = await import('../operations/metrics/serverMetrics.ts');
  const sink = gatheredSink(serveProcess.stderr);
  serveProcess.atExit(() => sink.flush());
  const log = createLog({ sink, level: 'info' });
  const settings = configOf({ serveProcess, envFile });
  const metrics = serverMetrics({ runtime: true });
  const logged = requestLog({ sink, nowMs: time.nowMs });
  const ledger = ledgerAt({
    ...ledgerOf({ serveProcess, log }, settings),
    log: watchLog(ledgerLog(log), metrics.alerts.alert),
    onCommit: metrics.payments.commit,
  });
  await startServer({
    config: settings,
    envFile,
    pid: serveProcess.pid,
    ledger: watchLedger(ledger, {
      metrics: metrics.payments,
      commits: settings.ledger.kind === 'postgres',
      monotonicMs: () => performance.now(),
    }),
    time,
    log,
    metrics,
    onExchange(event) {
      metrics.exchange(event);
      logged(event);
    },
    print: (text) => serveProcess.stdout.write(text),
    stopped: serveProcess.stopped(),
  });
}

/** `issuer-serve settle`. */
export async function settle(shell: ServeShell): Promise<void> {
  const { runSettler } = await import('./runSettler.ts');
  const { serveProcess, log } = shell;
  const settings = configOf(shell);
  await runSettler({
    config: settings,
    ledger: ledgerAt(ledgerOf(shell, settings)),
    time,
    log: ledgerLog(log),
    owner: `settler:${hostname()}:${serveProcess.pid}:${time.nowMs()}`,
    stopped: serveProcess.stopped(),
  });
}

/** `issuer-serve get`. */
export async function get(shell: ServeShell, asked: { path: string; showHeaders: boolean }): Promise<void> {
  const { getPath } = await import('./getPath.ts');
  const { stdout, stderr, endWith } = shell.serveProcess;
  const status = await getPath({
    ...asked,
    config: configOf(shell),
    time,
    log: createLog({ sink: stderr, level: 'warn' }),
    print: (bytes) => stdout.write(bytes),
  });
  if (status >= 400) endWith(status < 500 ? exitCodes.inputMissing : exitCodes.internal);
}

/** `issuer-serve verify`. */
export async function verify(
  { serveProcess }: ServeShell,
  asked: { answer: string; manifest: string | null; publicKey: string | null },
): Promise<void> {
  const { verifyFiles } = await import('./verifyFiles.ts');
  const { ok, lines } = await verifyFiles(asked);
  serveProcess.stdout.write(`${lines.join('\n')}\n`);
  if (!ok) serveProcess.endWith(exitCodes.validationFailed);
}

/** `issuer-serve check-config`. */
export async function checkConfig(shell: ServeShell): Promise<void> {
  const settings = configOf(shell);
  const { checkConfiguration } = await import('./checkConfiguration.ts');
  const report = await checkConfiguration({ config: settings, time });
  shell.serveProcess.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (report.problems.length > 0) shell.serveProcess.endWith(exitCodes.validationFailed);
}

/** `issuer-serve audit`. */
export async function audit(shell: ServeShell, sourceDate: string | null): Promise<void> {
  const { auditRelease } = await import('./auditRelease.ts');
  const { stdout, stderr, endWith } = shell.serveProcess;
  const log = createLog({ sink: stderr, level: 'warn' });
  const { run, status } = await auditRelease({ config: configOf(shell), sourceDate, time, log });
  const { reasons, composite, failures } = run;
  stdout.write(`${JSON.stringify({ ...status, reasons, composite, failures })}\n`);
  if (!status.ok) endWith(exitCodes.degraded);
}

/** What the commands of an operator share. */
export function operatorEffects(shell: ServeShell) {
  return {
    async openLedger() {
      const ledger = ledgerAt(ledgerOf(shell, configOf(shell)));
      await ledger.open();
      return ledger;
    },
    time,
    write: (text: string) => void shell.serveProcess.stdout.write(text),
    log: ledgerLog(shell.log),
  };
}

export async function grantsEffects(shell: ServeShell): Promise<GrantsCommandEffects> {
  const { operatorTokens } = await import('../grants/composeGrants.ts');
  return {
    ...operatorEffects(shell),
    tokens: () => operatorTokens(configOf(shell), time),
    ulid: ulidGenerator({ nowMs: time.nowMs }),
  };
}

export function ledgerEffects(shell: ServeShell): LedgerCommandEffects {
  const { serveProcess } = shell;
  const log = ledgerLog(shell.log);
  const config = () => configOf(shell);
  return {
    ...operatorEffects(shell),
    address: () => config().ledger,
    gatewayAsset: () => config().deployment.x402.asset.toLowerCase(),
    async chainCheck(window) {
      const { checkChain } = await import('./ledgerOutside.ts');
      return checkChain({ ...window, config: config(), time, log });
    },
    async reconcile(ledger) {
      const { reconcileOnce } = await import('./ledgerOutside.ts');
      return reconcileOnce({
        ledger,
        config: config(),
        time,
        log,
        owner: `operator-${serveProcess.pid}`,
        ulid: ulidGenerator({ nowMs: time.nowMs }),
      });
    },
    writeError: (text) => serveProcess.stderr.write(text),
    validationFailed: () => serveProcess.endWith(exitCodes.validationFailed),
  };
}

const time = systemTime;

function configOf({ serveProcess, envFile }: Omit<ServeShell, 'log'>): Config {
  return readConfig({ environment: serveProcess.environment, envFile });
}

function ledgerOf({ serveProcess, log }: Omit<ServeShell, 'envFile'>, { ledger: address }: Config) {
  return {
    address,
    time,
    log: ledgerLog(log),
    onFatal: (error: Error): void => {
      log.error({ err: error }, 'ledger_fatal');
      serveProcess.exit(exitCodes.internal);
    },
  };
}
