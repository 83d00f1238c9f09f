import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { routes as contractRoutes } from '../../data/contract/routes/routes.ts';
import { composeCheckout } from '../checkout/composeCheckout.ts';
import { composeServer } from '../composeServer.ts';
import type { Config } from '../config/config.ts';
import { composeGrants, startSweeping } from '../grants/composeGrants.ts';
import { connectionBound, inFlight, mostConnections } from '../http/inFlight.ts';
import { ledgerLog } from '../ledger/openLedger.ts';
import type { Ledger, LedgerTime } from '../ledger/port/ledger.ts';
import { type ExchangeEvent, listen } from '../listen.ts';
import { startOperations } from '../operations/admin/startOperations.ts';
import { watchRails } from '../operations/metrics/paymentMetrics.ts';
import type { ServerMetrics } from '../operations/metrics/serverMetrics.ts';
import { watchLog } from '../operations/metrics/watchLedger.ts';
import { type ComposedPayments, composePayments } from '../payments/composePayments.ts';
import { noHints, type SettlementHints, wakeCaller, wakePath } from '../payments/settle/settlementHints.ts';

/** Runs the server until `stopped` resolves, then drains and closes the ledger (I5.51 `start`, I9.34). */
export async function startServer(input: {
  config: Config;
  /** Shown in the hint how to make a key. */
  envFile: string | null;
  /** Process that SIGTERM and SIGINT drain. */
  pid: number;
  ledger: Ledger;
  time: LedgerTime;
  log: Logger;
  /** What the process counts; the admin listener shows it. */
  metrics: ServerMetrics;
  /** Told of every finished exchange. */
  onExchange(event: ExchangeEvent): void;
  print(text: string): void;
  stopped: Promise<void>;
}): Promise<void> {
  const { config, ledger, log } = input;
  const { alerts } = input.metrics;
  const lines = watchLog(ledgerLog(log), alerts.alert);
  const world = { config, ledger, time: input.time, log: lines };
  await ledger.open();
  try {
    const { deps, artifacts, keys, payments, grants, checkout, visual } = composeServer({
      config,
      ledger,
      time: input.time,
      log,
      lines,
      payments: (shared) =>
        watchPayments(
          composePayments(
            {
              ...world,
              owner: `${hostname()}:${input.pid}:${input.time.nowMs()}`,
              monotonicMs: () => performance.now(),
              hints: hintsOf(config, input.time),
            },
            shared,
          ),
          input.metrics,
        ),
      grants: (shared) => composeGrants(world, shared),
      checkout: ({ ulid, grants: sold }) =>
        composeCheckout({
          ...world,
          routes: contractRoutes,
          ulid,
          grants: sold,
          webhook: alerts.webhook,
        }),
    });
    await grants.requireSecrets();
    await payments.prepare();
    await keys.start();
    await artifacts.start();
    payments.start();
    payments.watchTerms();
    // the worker of a rail sweeps as well; without one the server does
    const stopSweeping = payments.reconciler === null ? startSweeping(world) : () => {};
    if (payments.signatures !== null) log.info({ signatures: payments.signatures }, 'payments');
    if (payments.signatures !== null && config.payments.rpcUrl === null)
      log.warn({}, 'without II_PAY_RPC_URL open exact payments can only wait for their call (P8.53)');
    // emitted here, so that no request waits for it
    deps.free.discovery(input.time.nowMs());
    const admission = inFlight(config.inFlight);
    input.metrics.watchInFlight(admission);
    const listener = await listen({
      ...config.listen,
      trustedProxies: config.trustedProxies,
      deps,
      inFlight: admission,
      connections: connectionBound({
        most: mostConnections(processLimits()),
        count: alerts.droppedConnection,
        tell: (dropped) => lines({ level: 'warn', event: 'connections_dropped', fields: { dropped } }),
        nowMs: () => performance.now(),
      }),
      onExchange: input.onExchange,
    });
    const admin = await startOperations({
      ...input,
      deps,
      payments,
      monotonicMs: () => performance.now(),
      reportDefect: (error) => log.error({ err: error }, 'admin_defect'),
    }).catch(async (error: unknown) => {
      await listener.drain();
      throw error;
    });
    input.print(welcome(originOf(listener), originOf(admin), input));
    await input.stopped;
    log.info({}, 'draining');
    await listener.drain();
    await admin.close();
    stopSweeping();
    await payments.stop();
    await checkout.stop();
    await visual.close();
    keys.stop();
    artifacts.stop();
  } finally {
    await ledger.close();
  }
  log.info({}, 'stopped');
}

/** How this server notifies the settlement process (P9.11); a PostgreSQL ledger does it by itself (P8.18). */
function hintsOf({ ledger, payments }: Config, time: LedgerTime): SettlementHints {
  return ledger.kind === 'sqlite' && payments.exact === 'self'
    ? wakeCaller({ path: wakePath(ledger.path), time })
    : noHints;
}

function watchPayments(payments: ComposedPayments, metrics: ServerMetrics): ComposedPayments {
  const rails = watchRails(payments.rails, {
    metrics: metrics.payments,
    monotonicMs: () => performance.now(),
  });
  return { ...payments, rails };
}

function originOf({ host, port }: { host: string; port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function welcome(
  origin: string,
  admin: string,
  { config, envFile, pid }: { config: Config; envFile: string | null; pid: number },
): string {
  const option = envFile === null ? '' : ` --env-file ${envFile}`;
  return [
    `Listening on ${origin}${config.challengeOnly ? ' (challenge only: payments are not settled)' : ''}`,
    '',
    `  curl -s ${origin}/ready`,
    `  curl -si ${origin}/v1/covenant-stress/MSTR`,
    `  curl -s -H "X-API-Key: $KEY" ${origin}/v1/covenant-stress/MSTR`,
    '',
    `Operations: ${admin}/  Metrics: ${admin}/metrics`,
    `A key: npx issuer-serve${option} keys create --label me --scopes rest --as me`,
    `To stop: Ctrl-C here, or kill ${pid} (npx itself passes no signal on).`,
    '',
  ].join('\n');
}

/** What the platform says of the limits of this process; empty where it says nothing. */
export function processLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
