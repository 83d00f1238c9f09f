import { createHash } from 'node:crypto';
import type { GrantRow, HoldInput, NewGrant } from '../port/grant.ts';
import type { ClaimInput, Provider, Transition } from '../port/payment.ts';
import type { PaidMode } from '../port/receipt.ts';
import {
  reconciliationKeyOfAuthorization,
  reconciliationKeyOfDebit,
  reconciliationKeyOfResponse,
} from '../receipt.ts';

// inputs of the port as the gate makes them; the same number makes the same input

const modes: Readonly<Record<Provider, PaidMode>> = {
  x402_exact: 'x402_direct',
  gateway_batched: 'gateway_batched',
  mpp: 'mpp',
};

export const asset = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
export const payTo = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
export const operator = 'operator:ada';

export function sha256(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest());
}

function ulidOf(n: number): string {
  return String(n).padStart(26, '0');
}

export function hashOf(n: number): string {
  return `0x${Buffer.from(sha256(`tx ${n}`)).toString('hex')}`;
}

export function payerOf(n: number): string {
  return `0x${n.toString(16).padStart(40, '0')}`;
}

function receiptCommon(n: number, atMs: number) {
  return {
    receiptId: `rcpt_${ulidOf(n)}`,
    responseId: `resp_${ulidOf(n)}`,
    requestId: `req_${ulidOf(n)}`,
    routeId: 'R11',
    routeUri: 'GET /v1/covenant-stress/{ticker}',
    fingerprint: sha256('GET /v1/covenant-stress/MSTR'),
    artifactKey: 'covenant/2026-02-07/CIK0001050446.json',
    artifactVersion: '2026-02-07+0f3c4a5d6e7b',
    sourceDate: '2026-02-07',
    qualityFlags: [],
    actor: 'handler',
    createdMs: atMs,
  } as const;
}

/** The n-th payment of 100000 micro-USD; `provider` decides the rail. */
export function exampleClaim(
  n: number,
  o: Partial<Omit<ClaimInput, 'receipt'>> & { atMs?: number; amountMicro?: number } = {},
): ClaimInput {
  const atMs = o.atMs ?? Date.now();
  const provider = o.provider ?? 'x402_exact';
  const claimKey = o.claimKey ?? sha256(`claim ${n}`);
  const amountMicro = o.amountMicro ?? 100_000;
  const common = receiptCommon(n, atMs);
  const fingerprint = o.fingerprint ?? common.fingerprint;
  const payer = o.payer ?? payerOf(n);
  const { atMs: _at, ...rest } = o;
  return {
    provider,
    network: 'eip155:8453',
    domainContract: asset,
    payer,
    nonce: sha256(`nonce ${n}`),
    clientRef: null,
    payTo,
    amountMicro,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(atMs / 1000) + 60),
    payloadHash: sha256(`payload ${n}`),
    fingerprint,
    txHash: null,
    owner: 'server-1',
    ownerUntilMs: atMs + 30_000,
    next: provider === 'gateway_batched' ? 'handoff' : 'submitted',
    job: null,
    ...rest,
    claimKey,
    receipt: {
      ...common,
      fingerprint,
      settlementMode: modes[provider],
      quotedMicro: amountMicro,
      payerIdentity: `eip155:8453:${payer}`,
      reconciliationKey: reconciliationKeyOfAuthorization(Buffer.from(claimKey).toString('hex')),
    },
  };
}

/** T4, T5, T6 … of the n-th payment. */
export function exampleTransition(n: number, to: Transition['to'], o: Partial<Transition> = {}): Transition {
  return {
    receiptId: `rcpt_${ulidOf(n)}`,
    from: 'submitted',
    to,
    actor: 'handler',
    reason: 'test',
    atMs: Date.now(),
    ...o,
    set:
      o.set ?? (to === 'settled' ? { settlementTxHash: hashOf(n) } : { failureReason: 'insufficient_funds' }),
  };
}

export function exampleGrant(n: number, o: Partial<NewGrant> = {}): NewGrant {
  return {
    grantId: `grt_${ulidOf(n)}`,
    program: 'design_partner_alpha',
    wallet: payerOf(1000 + n),
    accountId: null,
    budgetMicro: 100_000,
    routes: ['GET /v1/readiness', 'GET /v1/covenant-stress/{ticker}'],
    minPriceMicro: 20_000,
    expiresMs: Date.now() + 86_400_000,
    ...o,
  };
}

export function exampleSession(grant: Pick<GrantRow, 'grantId'>) {
  const issuedMs = Date.now();
  return {
    sessionId: `gss_${grant.grantId.slice(4)}`,
    grantId: grant.grantId,
    wallet: null,
    accountId: null,
    issuedMs,
    expiresMs: issuedMs + 86_400_000,
  };
}

/** The n-th covered call of a grant, 40000 micro-USD. */
export function exampleHold(n: number, grantId: string, o: Partial<HoldInput> = {}): HoldInput {
  const debitId = `dbt_${ulidOf(n)}`;
  const amountMicro = o.amountMicro ?? 40_000;
  return {
    debitId,
    grantId,
    sessionId: `gss_${grantId.slice(4)}`,
    amountMicro,
    holdMs: 60_000,
    idem: null,
    receipt: {
      ...receiptCommon(n, Date.now()),
      settlementMode: 'grant_covered',
      payerIdentity: `grant:${grantId}`,
      quotedMicro: amountMicro,
      reconciliationKey: reconciliationKeyOfDebit(debitId),
    },
    ...o,
  };
}

/** The n-th answer in shadow mode: an uncharged receipt that needs no key. */
export function exampleShadow(n: number) {
  const common = receiptCommon(n, Date.now());
  return {
    ...common,
    settlementMode: 'shadow_unsettled',
    payerIdentity: null,
    quotedMicro: 40_000,
    reconciliationKey: reconciliationKeyOfResponse(common.responseId),
  } as const;
}
