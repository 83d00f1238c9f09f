import { hostname } from 'node:os';
import { Argument, Command } from 'commander';
import type { Logger } from 'pino';
import {
  type CompletionShell,
  completionScript,
  completionShells,
} from '../data/contract/commandLine/completionScript.ts';
import { fitColumns } from '../data/contract/commandLine/fitColumns.ts';
import { exitCodes } from '../data/contract/errors/errorCodes.ts';
import { versions } from '../data/contract/values/versions.ts';
import { addExamples } from './commands/addExamples.ts';
import { mountGrantsCommands } from './commands/grantsCommands.ts';
import { mountKeysCommands } from './commands/keysCommands.ts';
import { mountLedgerCommands } from './commands/ledgerCommands.ts';
import { type Config, readConfig } from './config/config.ts';
import { operatorTokens } from './grants/composeGrants.ts';
import { ledgerLog } from './ledger/ledgerLog.ts';
import { ledgerAt } from './ledger/openLedger.ts';
import { systemTime } from './ledger/systemTime.ts';
import { ulidGenerator } from './ledger/ulid.ts';
import { createLog, gatheredSink, type LogSink, requestLog } from './log/log.ts';
import type { ServerMetrics } from './operations/metrics/serverMetrics.ts';
import { watchLedger, watchLog } from './operations/metrics/watchLedger.ts';

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

/** The commands of `issuer-serve` over one process and the real ledger; what only one command needs it reads itself. */
export function issuerServeProgram(serveProcess: ServeProcess): Command {
  const { stdout, stderr } = serveProcess;
  const program = new Command('issuer-serve')
    .description('Serves signed releases over HTTP behind one payment gate.')
    .version(versions.api)
    .option('--env-file <file>', 'configuration under the environment (NAME=value lines)')
    .showHelpAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(fitColumns(text)),
      writeErr: (text) => stderr.write(fitColumns(text)),
    });

  const envFile = (): string | null => program.opts<{ envFile?: string }>().envFile ?? null;
  const config = (): Config => readConfig({ environment: serveProcess.environment, envFile: envFile() });

  const openLedgerOf = (settings: Config, log: Logger, metrics?: ServerMetrics) =>
    ledgerAt({
      ...(metrics === undefined ? {} : { onCommit: metrics.payments.commit }),
      address: settings.ledger,
      time: systemTime,
      log: metrics === undefined ? ledgerLog(log) : watchLog(ledgerLog(log), metrics.alerts.alert),
      onFatal: (error) => {
        log.error({ err: error }, 'ledger_fatal');
        serveProcess.exit(exitCodes.internal);
      },
    });

  program
    .command('start')
    .description('run the server until SIGTERM or SIGINT')
    .action(async () => {
      const { startServer } = await import('./commands/startServer.ts');
      const { serverMetrics } = await import('./operations/metrics/serverMetrics.ts');
      const sink = gatheredSink(stderr);
      serveProcess.atExit(() => sink.flush());
      const log = createLog({ sink, level: 'info' });
      const settings = config();
      const metrics = serverMetrics({ runtime: true });
      const logged = requestLog({ sink, nowMs: systemTime.nowMs });
      await startServer({
        config: settings,
        envFile: envFile(),
        pid: serveProcess.pid,
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
        stopped: serveProcess.stopped(),
      });
    });

  program
    .command('settle')
    .description('run the settlement process until SIGTERM or SIGINT (II_PAY_EXACT=self)')
    .action(async () => {
      const { runSettler } = await import('./commands/runSettler.ts');
      const log = createLog({ sink: stderr, level: 'info' });
      const settings = config();
      await runSettler({
        config: settings,
        ledger: openLedgerOf(settings, log),
        time: systemTime,
        log: ledgerLog(log),
        owner: `settler:${hostname()}:${serveProcess.pid}:${systemTime.nowMs()}`,
        stopped: serveProcess.stopped(),
      });
    });

  program
    .command('get')
    .description('answer one request through the handler, without a socket, with operator access')
    .argument('<path>', 'path with query, for example /v1/covenant-stress/MSTR')
    .option('--headers', 'print status and headers before the body')
    .action(async (path: string, options: { headers?: boolean }) => {
      const { getPath } = await import('./commands/getPath.ts');
      const status = await getPath({
        path,
        showHeaders: options.headers === true,
        config: config(),
        time: systemTime,
        log: createLog({ sink: stderr, level: 'warn' }),
        print: (bytes) => stdout.write(bytes),
      });
      if (status >= 400) serveProcess.endWith(status < 500 ? exitCodes.inputMissing : exitCodes.internal);
    });

  program
    .command('verify')
    .description(
      'check a saved answer: payload hash and, with --manifest, artifact and signature; 5 when wrong',
    )
    .argument('<file>', 'body of a paid 200, as it came')
    .option('--manifest <file>', 'saved /.well-known/artifact-manifest.json?version=<release of the answer>')
    .option('--key <base64>', 'public_key of /v1/contract/fields, from a source you trust')
    .action(async (file: string, options: { manifest?: string; key?: string }) => {
      const { verifyFiles } = await import('./commands/verifyFiles.ts');
      const { ok, lines } = await verifyFiles({
        answer: file,
        manifest: options.manifest ?? null,
        publicKey: options.key ?? null,
      });
      stdout.write(`${lines.join('\n')}\n`);
      if (!ok) serveProcess.endWith(exitCodes.validationFailed);
    });

  program
    .command('check-config')
    .description('read the configuration, open ledger and artifacts read-only, print what is in force')
    .action(async () => {
      const settings = config();
      const { checkConfiguration } = await import('./commands/checkConfiguration.ts');
      const report = await checkConfiguration({ config: settings, time: systemTime });
      stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      if (report.problems.length > 0) serveProcess.endWith(exitCodes.validationFailed);
    });

  program
    .command('audit')
    .description('audit a promoted release through the handler and write audit/<day>.json; 6 when degraded')
    .option('--date <day>', 'source date of the slice (default: the current one)')
    .action(async (options: { date?: string }) => {
      const { auditRelease } = await import('./commands/auditRelease.ts');
      const { run, status } = await auditRelease({
        config: config(),
        sourceDate: options.date ?? null,
        time: systemTime,
        log: createLog({ sink: stderr, level: 'warn' }),
      });
      const { reasons, composite, failures } = run;
      stdout.write(`${JSON.stringify({ ...status, reasons, composite, failures })}\n`);
      if (!status.ok) serveProcess.endWith(exitCodes.degraded);
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
    chainCheck: async (window) => {
      const { checkChain } = await import('./commands/ledgerOutside.ts');
      return checkChain({ ...window, config: config(), time: systemTime, log: ledgerLog(keysLog) });
    },
    reconcile: async (ledger) => {
      const { reconcileOnce } = await import('./commands/ledgerOutside.ts');
      return reconcileOnce({
        ledger,
        config: config(),
        time: systemTime,
        log: ledgerLog(keysLog),
        owner: `operator-${serveProcess.pid}`,
        ulid: ulidGenerator({ nowMs: systemTime.nowMs }),
      });
    },
    time: systemTime,
    write: (text) => stdout.write(text),
    writeError: (text) => stderr.write(text),
    validationFailed: () => {
      serveProcess.endWith(exitCodes.validationFailed);
    },
  });

  program
    .command('completion')
    .description('print a completion script: eval "$(issuer-serve completion)"; fish: | source')
    .addArgument(new Argument('[shell]').choices(completionShells).default('bash'))
    .action((asked: CompletionShell) => stdout.write(completionScript(program, asked)));

  addExamples(program);
  return program;
}
