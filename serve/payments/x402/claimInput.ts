import { type AccessRequest, receiptOfRequest } from '../../access/accessDecision.ts';
import { bytesOfHex } from '../../evm/ethereumBytes.ts';
import type { LedgerTime } from '../../ledger/port/ledger.ts';
import type { ClaimInput, SettlementJobInput } from '../../ledger/port/payment.ts';
import { reconciliationKeyOfAuthorization } from '../../ledger/rows/receipt.ts';
import { claimOwnerMs } from '../settle/settlements.ts';
import type { FittingPayment } from './x402Checks.ts';

const maxChainSecond = (1n << 63n) - 1n;

/** Binds an authorization to this request: what the ledger stores before anything is sent (P8.20–P8.23). */
export function claimInput({
  payment,
  request,
  job,
  time,
  owner,
  ulid,
}: {
  payment: FittingPayment;
  request: AccessRequest;
  job: SettlementJobInput | null;
  time: LedgerTime;
  owner: string;
  ulid(): string;
}): ClaimInput {
  const { payload, requirement, provider } = payment;
  const { from, nonce, validAfter, validBefore } = payload.authorization;
  const exact = provider === 'x402_exact';
  const nowMs = time.nowMs();
  return {
    claimKey: payment.claimKey,
    provider,
    network: requirement.network,
    domainContract: payment.domainContract,
    payer: from,
    nonce: bytesOfHex(nonce),
    clientRef: payload.clientRef,
    payTo: requirement.payTo.toLowerCase(),
    amountMicro: payment.amountMicro,
    validAfter,
    // clients may sign "for ever"; the ledger keeps chain seconds of 63 bits
    validBefore: validBefore > maxChainSecond ? maxChainSecond : validBefore,
    payloadHash: payment.payloadHash,
    fingerprint: request.fingerprint,
    txHash: null,
    owner,
    ownerUntilMs: nowMs + claimOwnerMs,
    next: exact ? 'submitted' : 'handoff',
    job,
    receipt: {
      ...receiptOfRequest(request, { ulid, nowMs }),
      reconciliationKey: reconciliationKeyOfAuthorization(Buffer.from(payment.claimKey).toString('hex')),
      quotedMicro: payment.amountMicro,
      qualityFlags: exact ? ['gateway_not_used'] : [],
      settlementMode: exact ? 'x402_direct' : 'gateway_batched',
      payerIdentity: `${requirement.network}:${from}`,
    },
  };
}
