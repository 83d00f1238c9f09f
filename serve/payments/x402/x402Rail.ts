import { IssuerError } from '../../../contract/issuerError.ts';
import { type AccessRequest, type Admit, type Refuse, refuse } from '../../accessDecision.ts';
import { type RateLimiter, rateLimited } from '../../http/rateLimit.ts';
import type { Delivery, Ledger, LedgerTime, ReceiptRow } from '../../ledger/ledger.ts';
import type { ClaimedPayment } from '../../ledger/port/payment.ts';
import { reconciliationKeyOfResponse, replayWindowMs } from '../../ledger/receipt.ts';
import type { ChainReader } from '../evm/chainReader.ts';
import type { VerifyOutcome } from '../provider/facilitatorClient.ts';
import type { SettlementProvider } from '../provider/settlementProvider.ts';
import type { Claimed, Payable, Rail } from '../rail.ts';
import type { Settlements } from '../settlements.ts';
import { undeliveredClaims } from '../undeliveredClaims.ts';
import { within } from '../within.ts';
import { claimInput } from './claimInput.ts';
import {
  answerReceipt,
  identifierConflict,
  nonceReused,
  type PaymentFacts,
  paymentInProgress,
  railUnavailable,
  settlementPending,
  settlementRefused,
  successHeaders,
  verificationFailed,
} from './paymentAnswers.ts';
import type { X402Provider } from './requirement.ts';
import { sameAgain } from './sameAgain.ts';
import type { FittingPayment, LocalChecks } from './x402Checks.ts';

/** How the x402 rail of one deployment decides; see PAYMENTS 0 for the variables. */
export type X402Policy = {
  readonly v1Network: string | null;
  readonly contractWallets: 'facilitator' | 'refuse';
  readonly doubleGuard: boolean;
  readonly shadow: boolean;
  readonly settleWaitMs: number;
  /** Micro-USD queued and not completed, of one payer and in total (P3.11). */
  readonly maxQueuedPerPayerMicro: number;
  readonly maxQueuedTotalMicro: number;
};

export type X402Deps = {
  readonly ledger: Ledger;
  readonly checks: LocalChecks;
  /** null: this deployment does not settle that provider. */
  readonly providers: { readonly [P in X402Provider]: SettlementProvider | null };
  readonly chain: ChainReader | null;
  readonly settlements: Settlements;
  readonly limiter: RateLimiter;
  readonly policy: X402Policy;
  readonly time: LedgerTime;
  /** Name of this server in claims (P8.40). */
  readonly owner: string;
  ulid(): string;
  /** Looks at an open claim again, on the chain or at the gateway; null when nothing can be learned (I5.25). */
  recheck(found: ClaimedPayment): Promise<ReceiptRow | null>;
};

const inProgressMs = 5000;
const peekMs = 100;

/** The x402 rail: exact and batched payments in one challenge (PAYMENTS 2 and 3). */
export function x402Rail(deps: X402Deps): Rail {
  const { ledger, checks, policy, settlements } = deps;
  const verifying = new Map<string, Promise<VerifyOutcome>>();
  const undeliveredHere = undeliveredClaims();

  /** How an answer of a claim ended, for the ledger and for the guard (P1.14, P2.46). */
  function delivered(payment: PaymentFacts, receipt: ReceiptRow, delivery: Delivery): void {
    const claim = { ...payment, fingerprint: receipt.fingerprint };
    if (delivery === 'undelivered') undeliveredHere.note(claim);
    else undeliveredHere.forget(claim);
    ledger.delivered(receipt.receiptId, delivery);
  }

  /** Serves a settled or queued receipt (I5.18, I5.26). */
  function serve(payment: PaymentFacts, receipt: ReceiptRow, replayed: boolean): Admit {
    const headers = successHeaders(payment, receipt, policy.v1Network);
    if (replayed) {
      headers.push('Idempotent-Replay', 'true');
      ledger.replayed(receipt.receiptId);
    }
    return {
      kind: 'admit',
      receipt: answerReceipt({ payment, receipt, replayed }),
      apiKeyId: null,
      replayed,
      headers,
      done: (delivery) => {
        // a replay that breaks off takes nothing back from an answer that arrived
        if (!replayed || delivery === 'delivered') delivered(payment, receipt, delivery);
      },
    };
  }

  /** What a receipt that has an outcome is answered with; open ones are 503 (I5.28). */
  function answerOf(payment: PaymentFacts, receipt: ReceiptRow, replayed: boolean): Admit | Refuse {
    switch (receipt.chargeStatus) {
      case 'settled':
      case 'queued_for_batch':
        return serve(payment, receipt, replayed);
      case 'failed':
        return settlementRefused(payment, receipt.failureReason ?? 'unspecified');
      default:
        // the answer was given up, so the guard may find this claim (P2.46)
        delivered(payment, receipt, 'undelivered');
        return refuse(settlementPending(receipt.receiptId));
    }
  }

  /** Follows I5.25 for an authorization that is known. */
  async function again(found: ClaimedPayment, payment: FittingPayment, request: AccessRequest) {
    const { receipt } = found;
    const running = settlements.running(payment.claimKey);
    const verdict = sameAgain(found, {
      payloadHash: payment.payloadHash,
      fingerprint: request.fingerprint,
      nowMs: request.nowMs,
      liveHere: running !== null,
      replayWindowMs,
    });
    switch (verdict) {
      case 'reused':
        return nonceReused(receipt.receiptId, false);
      case 'reused_after_failure':
        return nonceReused(receipt.receiptId, true);
      case 'failed':
        return failedAgain(found);
      case 'replay':
        return serve(found.payment, receipt, true);
      case 'wait':
        return follow(found, running);
      case 'pending': {
        const looked = await within(deps.recheck(found), peekMs * 20, deps.time);
        const latest = looked === 'late' ? null : looked;
        return answerOf(found.payment, latest ?? receipt, true);
      }
    }
  }

  /** Waits for the handler that has the claim, here or on another server, for at most 5 s (P8.34). */
  async function follow(found: ClaimedPayment, running: Promise<ReceiptRow> | null): Promise<Admit | Refuse> {
    if (running !== null) {
      const receipt = await within(running, inProgressMs, deps.time);
      if (receipt !== 'late') return answerOf(found.payment, receipt, true);
      return refuse(paymentInProgress(found.receipt.receiptId));
    }
    const untilMs = deps.time.nowMs() + inProgressMs;
    while (deps.time.nowMs() < untilMs) {
      await new Promise<void>((resolve) => deps.time.after(peekMs, resolve));
      const latest = await ledger.findClaim(found.payment.claimKey);
      const status = latest?.receipt.chargeStatus;
      if (latest !== null && status !== 'authorized' && status !== 'submitted')
        return answerOf(latest.payment, latest.receipt, true);
    }
    return refuse(paymentInProgress(found.receipt.receiptId));
  }

  function failedAgain({ payment, receipt }: ClaimedPayment): Refuse {
    const reason = receipt.failureReason ?? 'unspecified';
    // a recorded failure is the payment's end, whoever was at fault (I5.25)
    return settlementRefused(payment, reason, 'recorded');
  }

  /** Check 7: the payer's signature, or the way of contract wallets (P2.24, P2.30, P2.31). */
  async function checkSignature(
    payment: FittingPayment,
    request: AccessRequest,
  ): Promise<'account' | 'contract'> {
    if (checks.signedByPayer(payment)) return 'account';
    const failed = (detail?: string): IssuerError => {
      deps.limiter.take('badpay', request.clientAddress);
      return verificationFailed('invalid_signature', detail);
    };
    if (payment.provider === 'gateway_batched')
      throw failed('The gateway takes signatures of accounts only, not of contract wallets.');
    if (policy.contractWallets === 'refuse' || deps.providers.x402_exact?.verifyAlways === undefined)
      throw failed('Contract wallets are not accepted here.');
    const short = payment.payload.signature.length === 2 + 130;
    if (!short) return 'contract';
    // a short signature may be a contract's only where there is a contract
    const code = deps.chain === null ? 'none' : await deps.chain.hasCode(payment.payload.authorization.from);
    if (code !== 'contract') throw failed();
    return 'contract';
  }

  /**
   * Check 8, once per authorization at a time (P2.43). A provider may say no because the same authorization was settled
   * since it was looked up: the claim that did it decides then, not the provider (I5.27).
   */
  async function verify(
    payment: FittingPayment,
    request: AccessRequest,
    signer: 'account' | 'contract',
  ): Promise<Admit | Refuse | null> {
    const provider = deps.providers[payment.provider];
    const call = signer === 'contract' ? provider?.verifyAlways : provider?.verify;
    if (call === null || call === undefined) return null;
    const refused = deps.limiter.peek('badpay', request.clientAddress);
    if (refused !== null && !refused.allowed) throw rateLimited(refused);
    const outcome = await verifyOnce(payment, call);
    if (outcome.kind === 'unavailable') throw railUnavailable('x402');
    if (outcome.kind === 'valid') return null;
    const found = await ledger.findClaim(payment.claimKey);
    if (found !== null) return again(found, payment, request);
    deps.limiter.take('badpay', request.clientAddress);
    throw verificationFailed(outcome.reason);
  }

  function verifyOnce(
    payment: FittingPayment,
    call: (payment: FittingPayment) => Promise<VerifyOutcome>,
  ): Promise<VerifyOutcome> {
    const key = Buffer.from(payment.payloadHash).toString('hex');
    const running = verifying.get(key);
    if (running !== undefined) return running;
    const started = call(payment).finally(() => verifying.delete(key));
    verifying.set(key, started);
    return started;
  }

  /** Check 9 and the bound on what the gateway owes us (I5.14, P3.11). */
  async function checkBatchable(payment: FittingPayment): Promise<Refuse | null> {
    if (payment.provider !== 'gateway_batched') return null;
    const payer = payment.payload.authorization.from;
    const watched = await ledger.watchlist.has({ payer, provider: 'gateway_batched' });
    const amount = Number(payment.requirement.amount);
    const exposure = watched ? null : await ledger.queuedExposure(payer);
    const fits =
      exposure !== null &&
      exposure.payerMicro + amount <= policy.maxQueuedPerPayerMicro &&
      exposure.totalMicro + amount <= policy.maxQueuedTotalMicro;
    return fits ? null : refuse(notBatchable(), { provider: 'x402_exact' });
  }

  /** An earlier answer of this payer to this request that never arrived (P2.46, I5.53). */
  async function undelivered(
    payment: FittingPayment,
    request: AccessRequest,
  ): Promise<Admit | Refuse | null> {
    if (!policy.doubleGuard) return null;
    const payer = payment.payload.authorization.from;
    const { fingerprint, nowMs } = request;
    const here = undeliveredHere.find(payer, fingerprint);
    const earlier =
      here === null
        ? await ledger.findUndelivered({ payer, fingerprint, sinceMs: nowMs - replayWindowMs })
        : await ledger.findClaim(here);
    if (earlier === null || earlier.payment.createdMs < nowMs - replayWindowMs) return null;
    // another server may have delivered it since
    if (earlier.receipt.delivery === 'delivered') return null;
    const { chargeStatus, receiptId } = earlier.receipt;
    if (chargeStatus === 'settled' || chargeStatus === 'queued_for_batch')
      return serve(earlier.payment, earlier.receipt, true);
    return chargeStatus === 'authorized' || chargeStatus === 'submitted'
      ? refuse(settlementPending(receiptId))
      : null;
  }

  async function claim(payment: FittingPayment, request: AccessRequest): Promise<Refuse | Admit | Claimed> {
    const provider = deps.providers[payment.provider];
    if (provider === null) throw railUnavailable(railOf(payment));
    const input = claimInput({ payment, request, job: provider.job(payment), ...deps });
    const result = await claimOrPending(input.receipt.receiptId, () => ledger.claim(input));
    if (!result.won) {
      if (result.conflict !== null) return refuse(identifierConflict());
      return again(result, payment, request);
    }
    const open = { payment: input, receipt: result.receipt };
    return {
      kind: 'claimed',
      async settle() {
        const running = settlements.start(open, () =>
          provider.settle({
            payment,
            claimKey: payment.claimKey,
            noteTransaction: (transaction) => ledger.noteTx(payment.claimKey, transaction),
          }),
        );
        const receipt = await within(running, policy.settleWaitMs, deps.time);
        return answerOf(input, receipt === 'late' ? result.receipt : receipt, false);
      },
    };
  }

  /** Verified and never submitted (I5.19). */
  function shadow(payment: FittingPayment, request: AccessRequest): Admit {
    const { servable } = request;
    const responseId = `resp_${deps.ulid()}`;
    const receipt = {
      receiptId: `rcpt_${deps.ulid()}`,
      reconciliationKey: reconciliationKeyOfResponse(responseId),
      responseId,
      requestId: request.requestId,
      routeId: servable.route.id,
      routeUri: servable.routeUri,
      fingerprint: request.fingerprint,
      quotedMicro: servable.priceMicroUsd,
      settlementMode: 'shadow_unsettled',
      payerIdentity: `${payment.requirement.network}:${payment.payload.authorization.from}`,
      artifactKey: servable.artifactKey,
      artifactVersion: servable.artifactVersion,
      sourceDate: servable.sourceDate,
      qualityFlags: ['shadow_mode'],
      actor: 'handler',
      createdMs: request.nowMs,
    } as const;
    ledger.noteNotCharged(receipt);
    const shown = {
      ...receipt,
      chargeStatus: 'not_charged',
      chargedMicro: 0,
      updatedMs: request.nowMs,
    } as const;
    return {
      kind: 'admit',
      receipt: shown,
      apiKeyId: null,
      replayed: false,
      headers: [],
      done: (delivery) => ledger.delivered(receipt.receiptId, delivery),
    };
  }

  return {
    name: 'x402',
    presented: ({ presented, servable, head }) =>
      !head && servable.route.family !== 'mpp' && headerOf(presented.credentials) !== null,
    async check(request) {
      const header = headerOf(request.presented.credentials);
      if (header === null) throw railUnavailable('x402');
      const payment = checks.fit(request, header);
      const provider = deps.providers[payment.provider];
      if (provider === null) throw railUnavailable(railOf(payment));
      const found = await ledger.findClaim(payment.claimKey);
      // a known payload holds the signature that was verified when it was claimed: equal bytes need no second look
      if (found !== null) return again(found, payment, request);
      if (payment.late !== null) throw payment.late;
      const signer = await checkSignature(payment, request);
      const limit = deps.limiter.take('payer', payment.payload.authorization.from);
      if (limit !== null && !limit.allowed) throw rateLimited(limit);
      if (!provider.allows()) throw railUnavailable(railOf(payment));
      const known = await verify(payment, request, signer);
      if (known !== null) return known;
      const notBatched = await checkBatchable(payment);
      if (notBatched !== null) return notBatched;
      if (policy.shadow) return shadow(payment, request);
      const earlier = await undelivered(payment, request);
      if (earlier !== null) return earlier;
      return { kind: 'payable', claim: () => claim(payment, request) } satisfies Payable;
    },
  };
}

// a claim whose write has no known outcome may be committed: nothing was sent, and the same payment tells (P8.10)
async function claimOrPending<T>(receiptId: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof IssuerError && error.code === 'store_unwritable') throw settlementPending(receiptId);
    throw error;
  }
}

type Credentials = AccessRequest['presented']['credentials'];

function headerOf(credentials: Credentials): { text: string; v1: boolean } | null {
  if (credentials.payment !== null) return { text: credentials.payment, v1: false };
  return credentials.paymentV1 === null ? null : { text: credentials.paymentV1, v1: true };
}

function railOf({ provider }: { readonly provider: X402Provider }): string {
  return provider === 'gateway_batched' ? 'gateway_batched' : 'x402';
}

function notBatchable(): IssuerError {
  return new IssuerError({
    code: 'payer_not_batchable',
    message: 'Batched payments of this payer are not taken at the moment.',
    hint: 'Pay the exact entry of accepts.',
  });
}
