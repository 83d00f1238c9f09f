import type { Config } from '../config/config.ts';
import { wrong } from '../config/configProblem.ts';
import { chainReader } from '../evm/chainReader.ts';
import { readSignerKey } from '../keys/privateKeyFile.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../ledger/port/ledger.ts';
import { settlerMetricsPath, writeMetricsFile } from '../operations/metrics/metricsFile.ts';
import { watchLog } from '../operations/metrics/watchLedger.ts';
import { jsonClient } from '../outbound/postJson.ts';
import { journalHints, wakePath } from '../payments/settle/settlementHints.ts';
import { settler } from '../settler/settler.ts';
import { wakeListener } from '../settler/wakeListener.ts';
import { watchSettler } from '../settler/watchSettler.ts';

/** Runs the settlement process until `stopped` resolves (I5.51 `settle`, PAYMENTS 9); opens no port. */
export async function runSettler(deps: {
  config: Config;
  ledger: Ledger;
  time: LedgerTime;
  log: LedgerLog;
  /** Name of this process in leases. */
  owner: string;
  stopped: Promise<void>;
}): Promise<void> {
  const { config, ledger, time } = deps;
  const { payments, deployment } = config;
  if (payments.exact !== 'self' || payments.rpcUrl === null)
    throw wrong(
      'II_PAY_EXACT',
      'is not self, so there is nothing to settle here',
      'Set II_PAY_EXACT=self and II_PAY_RPC_URL, or leave settling to the facilitator.',
    );
  const privateKey = readSignerKey(payments.signerKeyFile);
  // this process alone pays for loading it
  const { viemChain } = await import('../settler/viemChain.ts');
  const client = jsonClient({ baseUrl: payments.rpcUrl, nowMs: () => time.nowMs() });
  const chain = viemChain({
    rpcUrl: payments.rpcUrl,
    network: deployment.x402.network,
    asset: deployment.x402.asset,
    privateKey,
    maxFeeWei: BigInt(payments.maxFeeGwei) * 1_000_000_000n,
  });
  await ledger.open();
  // waits of the ledger clock do not keep a process alive; this one runs until it is stopped
  const alive = setInterval(() => {}, 60_000);
  try {
    deps.log({ level: 'info', event: 'settler_started', fields: { signer: chain.signer } });
    const reader = chainReader({ client, nowMs: () => time.nowMs() });
    const watched = watchSettler({ chain, jobs: ledger.jobs, nowMs: () => time.nowMs() });
    const log = watchLog(deps.log, watched.alert);
    const path = settlerMetricsPath(config.dataRoot);
    const file = writeMetricsFile({ path, text: watched.text, time, log });
    const hints =
      config.ledger.kind === 'sqlite'
        ? await wakeListener({ path: wakePath(config.ledger.path), time, log })
        : journalHints({ ledger, time });
    await settler({
      ledger: { ...ledger, jobs: watched.jobs },
      chain: watched.chain,
      reader,
      owner: deps.owner,
      time,
      log,
      random: Math.random,
      hints,
    })
      .run(deps.stopped)
      .finally(file.stop)
      .finally(hints.close);
  } finally {
    clearInterval(alive);
    await client.close();
    await ledger.close();
  }
}
