import { STATUS_CODES } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { LedgerTime } from '../ledger/port/ledger.ts';
import { operatorClient } from './operatorClient.ts';

/**
 * Answers one GET through the server's handler with an operator's access: no socket, no key, no rate limit, and
 * nothing is written to the ledger (I5.51 `get`). Returns the status.
 */
export async function getPath(deps: {
  path: string;
  showHeaders: boolean;
  config: Config;
  time: LedgerTime;
  log: Logger;
  print(bytes: string | Uint8Array): void;
}): Promise<number> {
  const outgoing = await operatorClient(deps).ask(deps.path.startsWith('/') ? deps.path : `/${deps.path}`);
  if (deps.showHeaders) {
    const lines = [`HTTP ${outgoing.status} ${STATUS_CODES[outgoing.status] ?? ''}`];
    for (let i = 0; i < outgoing.headers.length; i += 2)
      lines.push(`${outgoing.headers[i]}: ${outgoing.headers[i + 1]}`);
    deps.print(`${lines.join('\n')}\n\n`);
  }
  for (const chunk of outgoing.body) deps.print(chunk);
  deps.print('\n');
  outgoing.done('delivered');
  return outgoing.status;
}
