import type { X402Provider } from '../../../data/contract/billing/requirement.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import {
  type AccessRequest,
  type Admit,
  type Claimed,
  type Payable,
  type Rail,
  type Refuse,
  receiptOfRequest,
  refuse,
} from '../../access/accessDecision.ts';
import { paymentOf } from '../../access/credentials.ts';
import type { PaymentsConfig } from '../../config/paymentsConfig.ts';
import { type ChainReader, ChainUnavailable } from '../../evm/chainReader.ts';
import { bytesOfHex } from '../../evm/ethereumBytes.ts';
import { RateLimited } from '../../http/rateLimit.ts';
import type { LedgerTime } from '../../ledger/port/ledger.ts';
import type { ClaimInput, SettlementJobInput } from '../../ledger/port/payment.ts';
import { reconciliationKeyOfAuthorization, reconciliationKeyOfResponse } from '../../ledger/rows/receipt.ts';
import { type KnownClaims, knownClaims, type RailDeps } from '../claims/knownClaims.ts';
import { type Purse, reasonFromPurse } from '../settle/emptyPurse.ts';
import { claimOwnerMs } from '../settle/settlements.ts';
import {
  identifierConflict,
  purseOf,
  railOf,
  railUnavailable,
  settlementRefused,
  verificationFailed,
} from './paymentAnswers.ts';
import { failedPayments, queuedBound } from './paymentBounds.ts';
import type { SettlementProvider, VerifyOutcome } from './settlementProvider.ts';
import type { FittingPayment, LocalChecks } from './x402Checks.ts';

type X402Deps = Omit<RailDeps, 'doubleGuard' | 'settleWaitMs'> & {
  readonly checks: LocalChecks;
  /** null: this deployment does not settle that provider. */
  readonly providers: { readonly [P in X402Provider]: SettlementProvider | null };
  readonly chain: ChainReader | null;
  /** How the rail decides; PAYMENTS 0 has the variables. */
  readonly policy: PaymentsConfig;
};

/** What the rail remembers between two requests, and what it decides with. */
type X402State = X402Deps & {
  readonly known: KnownClaims;
  readonly failures: ReturnType<typeof failedPayments>;
  readonly bound: ReturnType<typeof queuedBound>;
  /** Verify calls that run, by payload. */
  readonly verifying: Map<string, Promise<VerifyOutcome>>;
};

/** The x402 rail: exact and batched payments in one challenge (PAYMENTS 2 and 3). */
export function x402Rail(deps: X402Deps): Rail {
  const { ledger, limiter, policy } = deps;
  const state: X402State = {
    ...deps,
    known: knownClaims({ ...deps, ...policy, refused: settlementRefused }),
    failures: failedPayments(limiter),
    bound: queuedBound({
      ledger,
      perPayerMicro: policy.maxQueuedPerPayerMicro,
      totalMicro: policy.maxQueuedTotalMicro,
    }),
    verifying: new Map(),
  };
  return {
    name: 'x402',
    presented: ({ presented, servable, head }) =>
      !head && paymentOf(presented.credentials, servable.route)?.rail === 'x402',
    check: (request) => check(state, request),
  };
}

/** The checks of I5.14 in their order. */
async function check(state: X402State, request: AccessRequest): Promise<Refuse | Admit | Payable> {
  const { ledger, known, policy } = state;
  const shown = paymentOf(request.presented.credentials, request.servable.route);
  if (shown?.rail !== 'x402') throw railUnavailable('x402');
  const payment = state.checks.fit(request, shown);
  const provider = state.providers[payment.provider];
  if (provider === null) throw railUnavailable(railOf(payment));
  const found = await ledger.findClaim(payment.claimKey);
  // the signature of a known payload was verified when it was claimed: equal bytes need no second check
  if (found !== null) return known.again(found, seen(payment, request));
  if (payment.late !== null) throw payment.late;
  const signer = await checkSignature(state, payment, request);
  // count the payer's limit after the signature is proven; a contract wallet's by the provider's verify call
  if (signer === 'account') countPayer(state, payment);
  if (!provider.allows()) throw railUnavailable(railOf(payment));
  const settledMeanwhile = await verify(state, { payment, request, signer });
  if (settledMeanwhile !== null) return settledMeanwhile;
  if (signer === 'contract') countPayer(state, payment);
  const watched = await checkWatched(state, payment);
  if (watched !== null) return watched;
  if (policy.shadow) return shadow(state, payment, request);
  const payer = payment.payload.authorization.from;
  const earlier = await known.undelivered({ ...seen(payment, request), payer });
  if (earlier !== null) return earlier;
  return { kind: 'payable', claim: () => claim(state, payment, request) };
}

function seen(payment: FittingPayment, { fingerprint, nowMs }: AccessRequest) {
  return { claimKey: payment.claimKey, payloadHash: payment.payloadHash, fingerprint, nowMs };
}

/** What the chain says of the purse where the provider says nothing (P2.56). */
function purseReason({ chain }: X402State, payment: FittingPayment, reason: string): Promise<string> {
  return reasonFromPurse(reason, { chain, asset: payment.requirement.asset, purse: payerPurse(payment) });
}

/** @throws IssuerError `rate_limited` (I8.3) */
function countPayer({ limiter }: X402State, { payload }: FittingPayment): void {
  const limit = limiter.take('payer', payload.authorization.from);
  if (limit !== null && !limit.allowed) throw new RateLimited(limit);
}

/** Check 7: the payer's signature, or the way of contract wallets (P2.24, P2.30, P2.31). */
async function checkSignature(
  state: X402State,
  payment: FittingPayment,
  request: AccessRequest,
): Promise<'account' | 'contract'> {
  const { checks, chain, failures, policy, providers } = state;
  if (checks.signedByPayer(payment)) return 'account';
  const failed = (hint?: string): IssuerError => {
    failures.count(request.clientAddress);
    return verificationFailed('invalid_signature', hint === undefined ? {} : { hint });
  };
  if (payment.provider === 'gateway_batched')
    throw failed('The gateway takes signatures of accounts only, not of contract wallets.');
  if (policy.contractWallets === 'refuse' || providers.x402_exact?.verifyAlways === undefined)
    throw failed('Contract wallets are not accepted here.');
  const short = payment.payload.signature.length === 2 + 130;
  if (!short) return 'contract';
  if (chain === null) throw failed();
  // a short signature may be a contract's only where there is a contract
  const { from } = payment.payload.authorization;
  const code = await failures.ask(
    request.clientAddress,
    () => codeAt(chain, from),
    (found) => found !== 'contract',
  );
  if (code !== 'contract') throw verificationFailed('invalid_signature');
  return 'contract';
}

/** A node that does not answer proves nothing about the signature: 503, and the same payment may be repeated (P2.31). */
async function codeAt(chain: ChainReader, address: string): Promise<'contract' | 'none'> {
  try {
    return await chain.hasCode(address);
  } catch (error) {
    throw error instanceof ChainUnavailable ? railUnavailable('x402') : error;
  }
}

/**
 * Check 8, once per authorization at a time (P2.43). A provider may refuse because the same authorization was settled
 * since the ledger was read: then the claim that settled it decides (I5.27).
 */
async function verify(
  state: X402State,
  {
    payment,
    request,
    signer,
  }: { payment: FittingPayment; request: AccessRequest; signer: 'account' | 'contract' },
): Promise<Admit | Refuse | null> {
  const { failures, ledger, known } = state;
  const provider = state.providers[payment.provider];
  const call = signer === 'contract' ? provider?.verifyAlways : provider?.verify;
  if (call === null || call === undefined) return null;
  failures.admit(request.clientAddress);
  const outcome = await verifyOnce(state, payment, () =>
    signer === 'account'
      ? call(payment)
      : failures.ask(
          request.clientAddress,
          () => call(payment),
          ({ kind }) => kind !== 'valid',
        ),
  );
  if (outcome.kind === 'unavailable') throw railUnavailable('x402');
  if (outcome.kind === 'valid') return null;
  const found = await ledger.findClaim(payment.claimKey);
  if (found !== null) return known.again(found, seen(payment, request));
  if (signer === 'account') failures.count(request.clientAddress);
  const reason = await purseReason(state, payment, outcome.reason);
  const hint = `The provider does not take the signature of this contract wallet (${reason}): deploy it first, or pay from an account.`;
  throw verificationFailed(reason, {
    purse: payerPurse(payment),
    ...(signer === 'contract' ? { hint } : {}),
  });
}

function verifyOnce(
  { verifying }: X402State,
  payment: FittingPayment,
  call: () => Promise<VerifyOutcome>,
): Promise<VerifyOutcome> {
  const key = Buffer.from(payment.payloadHash).toString('hex');
  const running = verifying.get(key);
  if (running !== undefined) return running;
  const started = call().finally(() => verifying.delete(key));
  verifying.set(key, started);
  return started;
}

/** Check 9 (I5.14). */
async function checkWatched({ ledger }: X402State, payment: FittingPayment): Promise<Refuse | null> {
  if (payment.provider !== 'gateway_batched') return null;
  const payer = payment.payload.authorization.from;
  return (await ledger.watchlist.has({ payer, provider: 'gateway_batched' })) ? notBatchable() : null;
}

async function claim(
  state: X402State,
  payment: FittingPayment,
  request: AccessRequest,
): Promise<Refuse | Admit | Claimed> {
  const { ledger, known, bound } = state;
  const provider = state.providers[payment.provider];
  if (provider === null) throw railUnavailable(railOf(payment));
  const payerIdentity = `${payment.requirement.network}:${payment.payload.authorization.from}`;
  const release =
    payment.provider === 'gateway_batched' ? await bound.reserve({ ...payment, payerIdentity }) : () => {};
  if (release === null) return notBatchable();
  let claimed: Refuse | Admit | Claimed | null = null;
  try {
    claimed = await known.claim({
      input: claimInput({ payment, request, job: provider.job(payment), ...state }),
      seen: seen(payment, request),
      conflict: identifierConflict,
      async call(receiptId) {
        const outcome = await provider.settle({
          payment,
          claimKey: payment.claimKey,
          receiptId,
          noteTransaction: (transaction) => ledger.noteTx(payment.claimKey, transaction),
        });
        if (outcome.kind !== 'refused' || outcome.unavailable) return outcome;
        return { ...outcome, reason: await purseReason(state, payment, outcome.reason) };
      },
      ended: release,
    });
    return claimed;
  } finally {
    // a submitted transfer releases its reservation when its outcome is recorded
    if (claimed?.kind !== 'claimed') release();
  }
}

/** Verified and never submitted (I5.19). */
function shadow({ ledger, ulid }: X402State, payment: FittingPayment, request: AccessRequest): Admit {
  const common = receiptOfRequest(request, { ulid, nowMs: request.nowMs });
  const receipt = {
    ...common,
    reconciliationKey: reconciliationKeyOfResponse(common.responseId),
    quotedMicro: payment.amountMicro,
    settlementMode: 'shadow_unsettled',
    payerIdentity: `${payment.requirement.network}:${payment.payload.authorization.from}`,
    qualityFlags: ['shadow_mode'],
  } as const;
  return {
    kind: 'admit',
    receipt: ledger.noteNotCharged(receipt),
    apiKeyId: null,
    replayed: false,
    headers: [],
    meta: {},
    done: (delivery) => ledger.delivered(receipt.receiptId, delivery),
  };
}

function payerPurse(payment: FittingPayment): Purse {
  return purseOf({ ...payment, payer: payment.payload.authorization.from });
}

function notBatchable(): Refuse {
  const error = new IssuerError({
    code: 'payer_not_batchable',
    message: 'Batched payments of this payer are not taken at the moment.',
    hint: 'Pay the exact entry of accepts.',
  });
  return refuse(error, { provider: 'x402_exact' });
}

const maxChainSecond = (1n << 63n) - 1n;

/** Binds an authorization to this request: what the ledger stores before anything is sent (P8.20–P8.23). */
function claimInput({
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
