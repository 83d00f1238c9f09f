#!/usr/bin/env node
import { hostname } from 'node:os';
import { Command } from 'commander';
import type { Logger } from 'pino';
import { exitCodes } from '../contract/errors/errorCodes.ts';
import { IssuerError } from '../contract/errors/issuerError.ts';
import { quietPipes } from '../contract/errors/quietPipes.ts';
import { versions } from '../contract/values/versions.ts';
import { auditRelease } from './commands/auditRelease.ts';
import { checkConfiguration } from './commands/checkConfiguration.ts';
import { getPath } from './commands/getPath.ts';
import { mountGrantsCommands } from './commands/grantsCommands.ts';
import { mountKeysCommands } from './commands/keysCommands.ts';
import { mountLedgerCommands } from './commands/ledgerCommands.ts';
import { checkChain, reconcileOnce } from './commands/ledgerOutside.ts';
import { runSettler } from './commands/runSettler.ts';
import { startServer } from './commands/startServer.ts';
import { ledgerLog } from './composeServer.ts';
import { type Config, readConfig } from './config/config.ts';
import { operatorTokens } from './grants/composeGrants.ts';
import { ledgerAt } from './ledger/openLedger.ts';
import { systemTime } from './ledger/systemTime.ts';
import { ulidGenerator } from './ledger/ulid.ts';
import { gatheredSink } from './log/gatheredSink.ts';
import { createLog, type LogSink } from './log/log.ts';
import { requestLog } from './log/requestLog.ts';
import { type ServerMetrics, serverMetrics } from './operations/metrics/serverMetrics.ts';
import { watchLedger } from './operations/metrics/watchLedger.ts';
import { watchLog } from './operations/metrics/watchLog.ts';

// composition root of the server: the only file that knows process, environment and the real ledger

const stdout: LogSink = { write: (text) => void process.stdout.write(text) };
const stderr: LogSink = { write: (text) => void process.stderr.write(text) };

quietPipes([process.stdout, process.stderr]);

const program = new Command('issuer-serve')
  .description('Serves signed releases over HTTP behind one payment gate.')
  .version(versions.api)
  .option('--env-file <file>', 'configuration under the environment (NAME=value lines)')
  .showHelpAfterError()
  .exitOverride();

const envFile = (): string | null => program.opts<{ envFile?: string }>().envFile ?? null;
const config = (): Config => readConfig({ environment: process.env, envFile: envFile() });

const openLedgerOf = (settings: Config, log: Logger, metrics?: ServerMetrics) =>
  ledgerAt({
    ...(metrics === undefined ? {} : { onCommit: metrics.payments.commit }),
    address: settings.ledger,
    time: systemTime,
    log: metrics === undefined ? ledgerLog(log) : watchLog(ledgerLog(log), metrics.alerts.alert),
    onFatal: (error) => {
      log.error({ err: error }, 'ledger_fatal');
      process.exit(exitCodes.internal);
    },
  });

program
  .command('start')
  .description('run the server until SIGTERM or SIGINT')
  .action(async () => {
    const sink = gatheredSink(stderr);
    process.once('exit', () => sink.flush());
    const log = createLog({ sink, level: 'info' });
    const settings = config();
    const metrics = serverMetrics({ runtime: true });
    const logged = requestLog({ sink, nowMs: systemTime.nowMs });
    await startServer({
      config: settings,
      envFile: envFile(),
      pid: process.pid,
      ledger: watchLedger(openLedgerOf(settings, log, metrics), {
        metrics: metrics.payments,
        commits: settings.ledger.kind === 'postgres',
        monotonicMs: () => performance.now(),
      }),
      time: systemTime,
      log,
      metrics,
      onExchange: (event) => {
        metrics.exchange(event);
        logged(event);
      },
      print: (text) => stdout.write(text),
      stopped: new Promise<void>((resolve) => {
        process.once('SIGTERM', resolve);
        process.once('SIGINT', resolve);
      }),
    });
  });

program
  .command('settle')
  .description('run the settlement process until SIGTERM or SIGINT (II_PAY_EXACT=self)')
  .action(async () => {
    const log = createLog({ sink: stderr, level: 'info' });
    const settings = config();
    await runSettler({
      config: settings,
      ledger: openLedgerOf(settings, log),
      time: systemTime,
      log: ledgerLog(log),
      owner: `settler:${hostname()}:${process.pid}:${systemTime.nowMs()}`,
      stopped: new Promise<void>((resolve) => {
        process.once('SIGTERM', resolve);
        process.once('SIGINT', resolve);
      }),
    });
  });

program
  .command('get')
  .description('answer one request through the handler, without a socket, with operator access')
  .argument('<path>', 'path with query, for example /v1/covenant-stress/MSTR')
  .option('--headers', 'print status and headers before the body')
  .action(async (path: string, options: { headers?: boolean }) => {
    const status = await getPath({
      path,
      showHeaders: options.headers === true,
      config: config(),
      time: systemTime,
      log: createLog({ sink: stderr, level: 'warn' }),
      print: (bytes) => void process.stdout.write(bytes),
    });
    if (status >= 400) process.exitCode = status < 500 ? exitCodes.inputMissing : exitCodes.internal;
  });

program
  .command('check-config')
  .description('read the configuration, open ledger and artifacts read-only, print what is in force')
  .action(async () => {
    const settings = config();
    const report = await checkConfiguration({ config: settings, time: systemTime });
    stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    if (report.problems.length > 0) process.exitCode = exitCodes.validationFailed;
  });

program
  .command('audit')
  .description('audit a promoted release through the handler and write audit/<day>.json; 6 when degraded')
  .option('--date <day>', 'source date of the slice (default: the current one)')
  .action(async (options: { date?: string }) => {
    const { run, status } = await auditRelease({
      config: config(),
      sourceDate: options.date ?? null,
      time: systemTime,
      log: createLog({ sink: stderr, level: 'warn' }),
    });
    const { reasons, composite, failures } = run;
    stdout.write(`${JSON.stringify({ ...status, reasons, composite, failures })}\n`);
    if (!status.ok) process.exitCode = exitCodes.degraded;
  });

const keysLog = createLog({ sink: stderr, level: 'info' });
mountKeysCommands(program, {
  openLedger: async () => {
    const ledger = openLedgerOf(config(), keysLog);
    await ledger.open();
    return ledger;
  },
  time: systemTime,
  write: (text) => stdout.write(text),
  log: ledgerLog(keysLog),
});

mountGrantsCommands(program, {
  openLedger: async () => {
    const ledger = openLedgerOf(config(), keysLog);
    await ledger.open();
    return ledger;
  },
  tokens: () => operatorTokens(config(), systemTime),
  time: systemTime,
  write: (text) => stdout.write(text),
  log: ledgerLog(keysLog),
  ulid: ulidGenerator({ nowMs: systemTime.nowMs }),
});

mountLedgerCommands(program, {
  openLedger: async () => {
    const ledger = openLedgerOf(config(), keysLog);
    await ledger.open();
    return ledger;
  },
  address: () => config().ledger,
  gatewayAsset: () => config().deployment.x402.asset.toLowerCase(),
  chainCheck: (window) =>
    checkChain({ ...window, config: config(), time: systemTime, log: ledgerLog(keysLog) }),
  reconcile: (ledger) =>
    reconcileOnce({
      ledger,
      config: config(),
      time: systemTime,
      log: ledgerLog(keysLog),
      owner: `operator-${process.pid}`,
      ulid: ulidGenerator({ nowMs: systemTime.nowMs }),
    }),
  time: systemTime,
  write: (text) => stdout.write(text),
  writeError: (text) => stderr.write(text),
  validationFailed: () => {
    process.exitCode = exitCodes.validationFailed;
  },
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}

function reportFailure(error: unknown): number {
  if (error instanceof IssuerError) {
    const shown = error.toCli();
    stderr.write(`issuer-serve: ${shown.message}\n${shown.hint === '' ? '' : `  ${shown.hint}\n`}`);
    return shown.exitCode;
  }
  // commander has printed its own message; help and version end with 0
  if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number') {
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
  stderr.write(`issuer-serve: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return exitCodes.internal;
}
