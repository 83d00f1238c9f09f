import { z } from 'zod';
import type { Breaker } from '../../outbound/breaker.ts';
import type { JsonClient } from '../../outbound/postJson.ts';
import { isTransportFailure, settleOutcome } from '../settle/settleOutcome.ts';
import { providerPayment, type SettlementProvider } from '../x402/settlementProvider.ts';
import { postReachable } from './facilitator.ts';

/** A transfer as the gateway shows it (P3.4); `status` is its word, known or not. */
export type GatewayTransfer = {
  readonly id: string;
  readonly status: string;
  readonly fromAddress: string;
  readonly toAddress: string;
  readonly amount: string;
  readonly createdAt: string;
  readonly nonce: string | null;
  readonly batchId: string | null;
};

/** What the reconcile worker asks the gateway; null when it does not answer. */
export type GatewayReader = {
  transfer(id: string): Promise<GatewayTransfer | null>;
  /** Transfers of a payer to us since an instant; null also when more than one page fits. */
  search(input: {
    from: string;
    to: string;
    network: string;
    sinceMs: number;
  }): Promise<readonly GatewayTransfer[] | null>;
  /** The newest transfers to us, of any payer (P3.10). */
  recent(input: { to: string; network: string; sinceMs: number }): Promise<readonly GatewayTransfer[] | null>;
};

const transfersPath = '/v1/x402/transfers';
const readMs = 5000;
const pageSize = 100;
/** The gateway's transaction references are UUIDs (P3.7). */
export const transferId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const transfer = z
  .looseObject({
    id: z.string().regex(transferId),
    status: z.string(),
    fromAddress: z.string(),
    toAddress: z.string(),
    amount: z.union([z.string(), z.number()]).transform(String),
    createdAt: z.string(),
    nonce: z.string().nullish(),
    batchId: z.string().nullish(),
  })
  .transform(
    (found): GatewayTransfer => ({
      id: found.id.toLowerCase(),
      status: found.status,
      fromAddress: found.fromAddress.toLowerCase(),
      toAddress: found.toAddress.toLowerCase(),
      amount: found.amount,
      createdAt: found.createdAt,
      nonce: found.nonce?.toLowerCase() ?? null,
      batchId: printed(found.batchId ?? null),
    }),
  );

/** A name we only pass on: what a ledger cannot store, or a terminal would obey, is omitted (S17, P8.60). */
function printed(name: string | null): string | null {
  return name?.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 128) ?? null;
}

const page = z.looseObject({ transfers: z.array(transfer) });

/** Batched payments submitted to the gateway; its verify call adds nothing and is not made (P3.4, P3.5). */
export function gatewayProvider(deps: {
  client: JsonClient;
  breaker: Breaker;
  settleCallMs: number;
  nowMs(): number;
  pause(ms: number): Promise<void>;
}): SettlementProvider {
  return {
    allows: deps.breaker.allows,
    verify: null,
    job: () => null,
    async settle({ payment }) {
      const { requirement, payload } = payment;
      const body = JSON.stringify(providerPayment(payment));
      const result = await postReachable(
        () =>
          deps.client.call({ method: 'POST', path: '/v1/x402/settle', body, timeoutMs: deps.settleCallMs }),
        deps,
      );
      const outcome = settleOutcome(result, {
        network: requirement.network,
        payer: payload.authorization.from,
        amount: requirement.amount,
        transaction: transferId,
      });
      deps.breaker.note({ transport: isTransportFailure(outcome) });
      return outcome;
    },
  };
}

/** Reads transfers; what it cannot read changes nothing (P3.8, P3.9). */
export function gatewayReader(client: Pick<JsonClient, 'call'>): GatewayReader {
  async function list(query: Record<string, string>): Promise<readonly GatewayTransfer[] | null> {
    const path = `${transfersPath}?${new URLSearchParams({ ...query, pageSize: String(pageSize) })}`;
    const result = await client.call({ method: 'GET', path, body: null, timeoutMs: readMs });
    if (result.kind !== 'answer' || result.status !== 200) return null;
    const parsed = page.safeParse(result.json);
    return parsed.success ? parsed.data.transfers : null;
  }
  const since = (ms: number): string => new Date(ms).toISOString();
  return {
    async transfer(id) {
      const path = `${transfersPath}/${encodeURIComponent(id)}`;
      const result = await client.call({ method: 'GET', path, body: null, timeoutMs: readMs });
      if (result.kind !== 'answer' || result.status !== 200) return null;
      const parsed = transfer.safeParse(result.json);
      return parsed.success && parsed.data.id === id.toLowerCase() ? parsed.data : null;
    },
    async search({ from, to, network, sinceMs }) {
      const found = await list({ from, to, network, startDate: since(sinceMs) });
      // a full page may hide the one we search for
      return found !== null && found.length < pageSize ? found : null;
    },
    recent: ({ to, network, sinceMs }) => list({ to, network, startDate: since(sinceMs) }),
  };
}
