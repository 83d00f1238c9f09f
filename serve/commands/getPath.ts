import { STATUS_CODES } from 'node:http';
import type { Logger } from 'pino';
import { composeServer } from '../composeServer.ts';
import type { Config } from '../config.ts';
import type { Gate } from '../gate.ts';
import { handle } from '../handle.ts';
import type { LedgerTime, UnchargedLedger } from '../ledger/ledger.ts';

/**
 * Answers one GET through the server's handler with an operator's access: no socket, no key, no rate limit, and
 * nothing is written to the ledger (I5.51 `get`). Returns the status.
 */
export async function getPath(o: {
  path: string;
  showHeaders: boolean;
  config: Config;
  time: LedgerTime;
  log: Logger;
  print(bytes: string | Uint8Array): void;
}): Promise<number> {
  const config: Config = {
    ...o.config,
    rateLimits: { ...o.config.rateLimits, ip: 'off', key: 'off' },
  };
  const { deps } = composeServer({ config, ledger: readOnlyLedger, time: o.time, log: o.log });
  const outgoing = await handle(
    {
      method: 'GET',
      target: o.path.startsWith('/') ? o.path : `/${o.path}`,
      headers: {},
      body: new Uint8Array(0),
      clientAddress: 'operator',
      secureTransport: true,
      clientGone: () => false,
    },
    { ...deps, gate: operatorGate(deps.gate, o.time, deps.ulid) },
  );
  if (o.showHeaders) {
    const lines = [`HTTP ${outgoing.status} ${STATUS_CODES[outgoing.status] ?? ''}`];
    for (let i = 0; i < outgoing.headers.length; i += 2)
      lines.push(`${outgoing.headers[i]}: ${outgoing.headers[i + 1]}`);
    o.print(`${lines.join('\n')}\n\n`);
  }
  for (const chunk of outgoing.body) o.print(chunk);
  o.print('\n');
  outgoing.done('delivered');
  return outgoing.status;
}

// shown like an answer to a key, under a name no key can have
function operatorGate(gate: Gate, time: LedgerTime, ulid: () => string): Gate {
  return {
    ...gate,
    decide: ({ requestId }) => {
      const nowMs = time.nowMs();
      return {
        kind: 'admit',
        mode: 'api_key_not_charged',
        apiKeyId: 'operator',
        done: () => {},
        receipt: {
          receiptId: `rcpt_${ulid()}`,
          reconciliationKey: `rec_${'0'.repeat(32)}`,
          responseId: `resp_${ulid()}`,
          requestId,
          routeUri: '',
          settlementMode: 'api_key_not_charged',
          chargeStatus: 'not_charged',
          quotedMicro: 0,
          chargedMicro: 0,
          payerIdentity: 'operator',
          artifactKey: '',
          artifactVersion: '',
          qualityFlags: [],
          createdMs: nowMs,
          updatedMs: nowMs,
        },
      };
    },
  };
}

const readOnlyLedger: UnchargedLedger = {
  open: async () => {},
  close: async () => {},
  health: async () => ({ status: 'ok', reason: null, waiting: 0, slow: false }),
  noteNotCharged: () => {},
  delivered: () => {},
  keys: {
    create: async () => 'key_id_taken',
    records: async () => [],
    list: async () => [],
    revoke: async () => 'unknown',
    noteUsed: () => {},
  },
};
