import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { composeServer, ledgerLog } from '../composeServer.ts';
import type { Config } from '../config.ts';
import type { Ledger, LedgerTime } from '../ledger/ledger.ts';
import { type ExchangeEvent, listen } from '../listen.ts';
import { composePayments } from '../payments/composePayments.ts';

/** Runs the server until `stopped` resolves, then drains and closes the ledger (I5.51 `start`, I9.34). */
export async function startServer(o: {
  config: Config;
  /** Shown in the hint how to make a key. */
  envFile: string | null;
  /** Process that SIGTERM and SIGINT drain. */
  pid: number;
  ledger: Ledger;
  time: LedgerTime;
  log: Logger;
  /** Told of every finished exchange. */
  onExchange(event: ExchangeEvent): void;
  print(text: string): void;
  stopped: Promise<void>;
}): Promise<void> {
  const { config, ledger, log } = o;
  await ledger.open();
  try {
    const { deps, keys, payments } = composeServer({
      config,
      ledger,
      time: o.time,
      log,
      payments: (shared) =>
        composePayments(
          {
            config,
            ledger,
            time: o.time,
            log: ledgerLog(log),
            owner: `${hostname()}:${o.pid}:${o.time.nowMs()}`,
            monotonicMs: () => performance.now(),
          },
          shared,
        ),
    });
    await payments.prepare();
    await keys.start();
    payments.start();
    if (payments.signatures !== null) log.info({ signatures: payments.signatures }, 'payments');
    if (payments.signatures !== null && config.payments.rpcUrl === null)
      log.warn({}, 'without II_PAY_RPC_URL open exact payments can only wait for their call (P8.53)');
    const listener = await listen({
      ...config.listen,
      trustedProxies: config.trustedProxies,
      deps,
      onExchange: o.onExchange,
    });
    const shownHost = listener.host.includes(':') ? `[${listener.host}]` : listener.host;
    o.print(welcome(`http://${shownHost}:${listener.port}`, o));
    await o.stopped;
    log.info({}, 'draining');
    await listener.drain();
    await payments.stop();
    keys.stop();
  } finally {
    await ledger.close();
  }
  log.info({}, 'stopped');
}

function welcome(origin: string, o: { config: Config; envFile: string | null; pid: number }): string {
  const { config, envFile } = o;
  const option = envFile === null ? '' : ` --env-file ${envFile}`;
  return [
    `Listening on ${origin}${config.challengeOnly ? ' (challenge only: payments are not settled)' : ''}`,
    '',
    `  curl -s ${origin}/ready`,
    `  curl -si ${origin}/v1/covenant-stress/MSTR`,
    `  curl -s -H "X-API-Key: $KEY" ${origin}/v1/covenant-stress/MSTR`,
    '',
    `A key: npx issuer-serve${option} keys create --label me --scopes rest --as me`,
    `To stop: Ctrl-C here, or kill ${o.pid} (npx itself passes no signal on).`,
    '',
  ].join('\n');
}
