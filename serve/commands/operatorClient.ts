import type { Logger } from 'pino';
import type { Gate } from '../access/gate.ts';
import { composeServer } from '../composeServer.ts';
import type { Config } from '../config/config.ts';
import type { Outgoing } from '../exchange.ts';
import { handle, type ServeDeps } from '../handle.ts';
import type { LedgerTime, UnchargedLedger } from '../ledger/port/ledger.ts';
import { notChargedRow } from '../ledger/rows/receipt.ts';

/** A server without socket and ledger whose every request has an operator's access (I5.51). */
export type OperatorClient = {
  readonly deps: ServeDeps;
  /** One GET, or one POST of a JSON body; the caller ends the answer with `done`. */
  ask(target: string, body?: object): Promise<Outgoing>;
};

/** Wires the request path for an operator: no key, no rate limit, and nothing is written to a ledger. */
export function operatorClient(input: { config: Config; time: LedgerTime; log: Logger }): OperatorClient {
  const config: Config = {
    ...input.config,
    rateLimits: { ...input.config.rateLimits, ip: 'off', key: 'off' },
  };
  const { time, log } = input;
  const { deps } = composeServer({
    config,
    ledger: readOnlyLedger,
    time,
    log,
    access: ({ gate, ulid }) => operatorGate(gate, time, ulid),
  });
  return {
    deps,
    ask: async (target, body) =>
      handle(
        {
          target,
          ...(body === undefined
            ? { method: 'GET', headers: {}, body: new Uint8Array(0) }
            : { method: 'POST', headers: jsonHeaders, body: Buffer.from(JSON.stringify(body)) }),
          clientAddress: 'operator',
          secureTransport: true,
          clientGone: () => false,
        },
        deps,
      ),
  };
}

const jsonHeaders = {
  'content-type': ['application/json'],
  accept: ['application/json, text/event-stream'],
};

// shown like an answer to a key, under a name no key can have
function operatorGate(gate: Gate, time: LedgerTime, ulid: () => string): Gate {
  return {
    ...gate,
    // tools for keys are opened as well (I4.MCP.14)
    shown: () => ({ payment: false, apiKey: true }),
    decide: async ({ requestId }) => {
      const nowMs = time.nowMs();
      return {
        kind: 'admit',
        replayed: false,
        headers: [],
        meta: {},
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
  noteNotCharged: notChargedRow,
  insertNotCharged: async (receipt) => notChargedRow(receipt),
  replayed: () => {},
  delivered: () => {},
  keys: {
    create: async () => 'key_id_taken',
    records: async () => [],
    list: async () => [],
    revoke: async () => 'unknown',
    noteUsed: () => {},
  },
};
