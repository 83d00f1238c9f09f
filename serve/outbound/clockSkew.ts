import type { LedgerLog } from '../ledger/port/ledger.ts';
import type { JsonClient } from './postJson.ts';

/** From here on payments near their end are refused or lost to the difference (X52, X53). */
const alertSeconds = 5;

/**
 * How this server's clock differs from those of providers and nodes, by the `Date` of their newest answers; logged
 * once when it begins to matter (X52). Null without an answer or while the clocks agree.
 */
export function clockSkew({
  clients,
  log,
}: {
  clients: readonly Pick<JsonClient, 'clockSkewMs'>[];
  log: LedgerLog;
}): () => string | null {
  let told = false;
  return () => {
    const known = clients.flatMap((client) => client.clockSkewMs() ?? []);
    const largest = known.reduce((most, ms) => (Math.abs(ms) > Math.abs(most) ? ms : most), 0);
    const seconds = Math.trunc(largest / 1000);
    if (Math.abs(seconds) <= alertSeconds) {
      told = false;
      return null;
    }
    if (!told) log({ level: 'error', event: 'clock_skew', fields: { seconds } });
    told = true;
    return `clock_skew: this clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead of'} a provider's`;
  };
}
