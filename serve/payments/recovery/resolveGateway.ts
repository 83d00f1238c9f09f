import { hexOfBytes } from '../../evm/hex.ts';
import type { ClaimedPayment } from '../../ledger/port/payment.ts';
import type { GatewayReader, GatewayTransfer } from '../provider/gatewayClient.ts';
import type { Resolution } from './resolution.ts';

const searchBackMs = 60_000;
/** How far a transfer may seem older than its submission: two clocks made the two times (P8.52). */
const clockSlackMs = 5000;

/**
 * Searches for a submission whose answer was lost (P3.9): by nonce where the gateway shows one, else by amount and
 * time. A transfer that has a receipt already is no candidate. One candidate is ours, several decide nothing, none is
 * a refusal once the authorization has expired.
 */
export async function resolveGateway(
  { payment, receipt }: ClaimedPayment,
  {
    gateway,
    nowMs,
    receiptOf,
    alert,
  }: {
    readonly gateway: GatewayReader;
    readonly nowMs: number;
    /** The receipt a transfer belongs to. */
    receiptOf(transferId: string): Promise<{ readonly receiptId: string } | null>;
    alert(event: string): void;
  },
): Promise<Resolution> {
  const markMs = receipt.handoffMs ?? payment.createdMs;
  const found = await gateway.search({
    from: payment.payer,
    to: payment.payTo,
    network: payment.network,
    sinceMs: markMs - searchBackMs,
  });
  if (found === null) return { kind: 'leave' };
  const nonce = hexOfBytes(payment.nonce);
  const candidates: GatewayTransfer[] = [];
  for (const one of found) {
    const fits = isOurs(one, { payment, nonce, markMs });
    if (fits && (await receiptOf(one.id)) === null) candidates.push(one);
  }
  const [only, ...others] = candidates;
  if (others.length > 0) {
    alert('gateway_ambiguous');
    return { kind: 'leave' };
  }
  if (only !== undefined) return { kind: 'queued', transferId: only.id };
  const validBeforeMs = payment.validBefore * 1000n;
  return BigInt(nowMs) > validBeforeMs ? { kind: 'failed', reason: 'expired_unused' } : { kind: 'leave' };
}

function isOurs(
  transfer: GatewayTransfer,
  {
    payment,
    nonce,
    markMs,
  }: {
    readonly payment: ClaimedPayment['payment'];
    readonly nonce: string;
    readonly markMs: number;
  },
): boolean {
  if (transfer.fromAddress !== payment.payer || transfer.toAddress !== payment.payTo) return false;
  if (transfer.nonce !== null) return transfer.nonce === nonce;
  const createdMs = Date.parse(transfer.createdAt);
  return transfer.amount === String(payment.amountMicro) && createdMs >= markMs - clockSlackMs;
}
