import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { exitCodes } from '../../data/contract/errors/errorCodes.ts';
import { readConfig } from '../config/config.ts';
import { ledgerLog } from '../ledger/ledgerLog.ts';
import { ledgerAt } from '../ledger/openLedger.ts';
import type { Ledger } from '../ledger/port/ledger.ts';
import { systemTime } from '../ledger/systemTime.ts';
import { ulidGenerator } from '../ledger/ulid.ts';
import { createLog, gatheredSink, type LogSink, requestLog } from '../log/log.ts';
import { watchLedger, watchLog } from '../operations/metrics/watchLedger.ts';
import type { GrantsCommandEffects } from './changeGrants.ts';
import type { KeysCommandEffects } from './changeKeys.ts';
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

/** The work of the commands over one process and the real ledger; what only one of them needs is loaded by it. */
export function serveShell(serveProcess: ServeProcess, envFile: string | null) {
  const { stdout, stderr, pid } = serveProcess;
  const time = systemTime;
  const write = (text: string): void => stdout.write(text);
  const operatorLog = createLog({ sink: stderr, level: 'info' });

  function config() {
    return readConfig({ environment: serveProcess.environment, envFile });
  }

  function ledgerOf(
    { ledger: address }: ReturnType<typeof config>,
    log: Logger,
    told: Pick<Parameters<typeof ledgerAt>[0], 'log' | 'onCommit'> = { log: ledgerLog(log) },
  ): Ledger {
    return ledgerAt({
      ...told,
      address,
      time,
      onFatal: (error) => {
        log.error({ err: error }, 'ledger_fatal');
        serveProcess.exit(exitCodes.internal);
      },
    });
  }

  async function openLedger(): Promise<Ledger> {
    const ledger = ledgerOf(config(), operatorLog);
    await ledger.open();
    return ledger;
  }

  function validationFailed(): void {
    serveProcess.endWith(exitCodes.validationFailed);
  }

  const operatorEffects = (): KeysCommandEffects & { readonly openLedger: () => Promise<Ledger> } => ({
    openLedger,
    time,
    write,
    log: ledgerLog(operatorLog),
  });

  return {
    async start(): Promise<void> {
      const { startServer } = await import('./startServer.ts');
      const { serverMetrics } = await import('../operations/metrics/serverMetrics.ts');
      const sink = gatheredSink(stderr);
      serveProcess.atExit(() => sink.flush());
      const log = createLog({ sink, level: 'info' });
      const settings = config();
      const metrics = serverMetrics({ runtime: true });
      const logged = requestLog({ sink, nowMs: time.nowMs });
      const { commit } = metrics.payments;
      const ledger = ledgerOf(settings, log, {
        log: watchLog(ledgerLog(log), metrics.alerts.alert),
        onCommit: commit,
      });
      await startServer({
        config: settings,
        envFile,
        pid,
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
        print: write,
        stopped: serveProcess.stopped(),
      });
    },

    async settle(): Promise<void> {
      const { runSettler } = await import('./runSettler.ts');
      const settings = config();
      await runSettler({
        config: settings,
        ledger: ledgerOf(settings, operatorLog),
        time,
        log: ledgerLog(operatorLog),
        owner: `settler:${hostname()}:${pid}:${time.nowMs()}`,
        stopped: serveProcess.stopped(),
      });
    },

    async get(asked: { path: string; showHeaders: boolean }): Promise<void> {
      const { getPath } = await import('./getPath.ts');
      const log = createLog({ sink: stderr, level: 'warn' });
      const print = (bytes: string | Uint8Array): void => stdout.write(bytes);
      const status = await getPath({ ...asked, config: config(), time, log, print });
      if (status >= 400) serveProcess.endWith(status < 500 ? exitCodes.inputMissing : exitCodes.internal);
    },

    async verify(asked: {
      answer: string;
      manifest: string | null;
      publicKey: string | null;
    }): Promise<void> {
      const { verifyFiles } = await import('./verifyFiles.ts');
      const { ok, lines } = await verifyFiles(asked);
      write(`${lines.join('\n')}\n`);
      if (!ok) validationFailed();
    },

    async checkConfig(): Promise<void> {
      const settings = config();
      const { checkConfiguration } = await import('./checkConfiguration.ts');
      const report = await checkConfiguration({ config: settings, time });
      write(`${JSON.stringify(report, null, 2)}\n`);
      if (report.problems.length > 0) validationFailed();
    },

    async audit(sourceDate: string | null): Promise<void> {
      const { auditRelease } = await import('./auditRelease.ts');
      const log = createLog({ sink: stderr, level: 'warn' });
      const { run, status } = await auditRelease({ config: config(), sourceDate, time, log });
      const { reasons, composite, failures } = run;
      write(`${JSON.stringify({ ...status, reasons, composite, failures })}\n`);
      if (!status.ok) serveProcess.endWith(exitCodes.degraded);
    },

    operatorEffects,

    async grantsEffects(): Promise<GrantsCommandEffects> {
      const { operatorTokens } = await import('../grants/composeGrants.ts');
      return {
        ...operatorEffects(),
        tokens: () => operatorTokens(config(), time),
        ulid: ulidGenerator({ nowMs: time.nowMs }),
      };
    },

    ledgerEffects(): LedgerCommandEffects {
      return {
        ...operatorEffects(),
        address: () => config().ledger,
        gatewayAsset: () => config().deployment.x402.asset.toLowerCase(),
        async chainCheck(window) {
          const { checkChain } = await import('./ledgerOutside.ts');
          return checkChain({ ...window, config: config(), time, log: ledgerLog(operatorLog) });
        },
        async reconcile(ledger) {
          const { reconcileOnce } = await import('./ledgerOutside.ts');
          return reconcileOnce({
            ledger,
            config: config(),
            time,
            log: ledgerLog(operatorLog),
            owner: `operator-${pid}`,
            ulid: ulidGenerator({ nowMs: time.nowMs }),
          });
        },
        writeError: (text) => stderr.write(text),
        validationFailed,
      };
    },
  };
}
