import type { AccessRequest, Admit, Refuse } from '../../access/accessDecision.ts';
import { refuse } from '../../access/accessDecision.ts';
import { paymentOf } from '../../access/credentials.ts';
import type { Claimed, Payable, Rail } from '../../access/rail.ts';
import { RateLimited, type RateLimiter } from '../../http/rateLimit.ts';
import type { Ledger, LedgerTime, ReceiptRow } from '../../ledger/port/ledger.ts';
import type { ClaimedPayment } from '../../ledger/port/payment.ts';
import type { Breaker } from '../../outbound/breaker.ts';
import { claimOrPending } from '../claims/claimOrPending.ts';
import { knownClaims } from '../claims/knownClaims.ts';
import type { ProofOf } from '../claims/paymentProof.ts';
import type { UndeliveredClaims } from '../claims/undeliveredClaims.ts';
import type { Settlements } from '../settle/settlements.ts';
import { isTransportFailure } from '../settle/settleOutcome.ts';
import { within } from '../settle/within.ts';
import { invalidChallenge, mppRefused, mppUnavailable, mppVerificationFailed } from './mppAnswers.ts';
import type { MppChallenges } from './mppChallenge.ts';
import { type ReadCredential, readCredential } from './mppChecks.ts';
import { mppClaim } from './mppClaim.ts';
import type { ChargeCall, MppLibrary, ValidCharge } from './mppLibrary.ts';
import type { MppTerms } from './mppTerms.ts';

export type MppDeps = {
  readonly ledger: Ledger;
  readonly terms: MppTerms;
  readonly challenges: MppChallenges;
  readonly library: MppLibrary;
  readonly breaker: Breaker;
  readonly settlements: Settlements;
  readonly limiter: RateLimiter;
  readonly doubleGuard: boolean;
  readonly settleWaitMs: number;
  readonly time: LedgerTime;
  /** Name of this server in claims (P8.40). */
  readonly owner: string;
  ulid(): string;
  /** Rechecks an open claim on the chain (I5.25). */
  recheck(found: ClaimedPayment): Promise<ReceiptRow | null>;
  readonly proofOf: ProofOf;
  readonly undeliveredHere: UndeliveredClaims;
};

/** The MPP rail: the Payment scheme with one charge a request, on `/mpp/v1/*` and inside the frames of tool calls (PAYMENTS 4, P10.16). */
export function mppRail(deps: MppDeps): Rail {
  const { ledger, library, settlements } = deps;
  const claims = knownClaims({ ...deps, refused: (_, reason) => mppRefused(reason) });
  const seen = (paid: ReadCredential, { fingerprint, nowMs }: AccessRequest) => ({
    claimKey: paid.claimKey,
    payloadHash: paid.payloadHash,
    fingerprint,
    nowMs,
  });

  /**
   * The expensive part, in the worker: sender, calls, memo and the chain's own opinion (P4.11, P4.12). A copy of the
   * credential may have been settled since the look-up. The chain then refuses the same transaction, and the payer must
   * not be asked for a second payment (S9).
   */
  async function validate(
    paid: ReadCredential,
    call: ChargeCall,
    request: AccessRequest,
  ): Promise<ValidCharge | Refuse | Admit> {
    const spent = deps.limiter.peek('badpay', request.clientAddress);
    if (spent !== null && !spent.allowed) throw new RateLimited(spent);
    if (!deps.breaker.allows()) throw mppUnavailable();
    const validation = await library.validate(call);
    deps.breaker.note({ transport: validation.kind === 'unavailable' && validation.transport });
    switch (validation.kind) {
      case 'valid':
        return validation.charge;
      case 'unavailable':
        throw mppUnavailable();
      case 'invalid': {
        const found = await ledger.findClaim(paid.claimKey);
        if (found !== null) return claims.again(found, seen(paid, request));
        deps.limiter.take('badpay', request.clientAddress);
        throw mppVerificationFailed(validation.reason);
      }
    }
  }

  async function claim(given: {
    paid: ReadCredential;
    call: ChargeCall;
    charge: ValidCharge;
    request: AccessRequest;
  }): Promise<Refuse | Admit | Claimed> {
    const input = mppClaim({ ...given, ...deps, nowMs: deps.time.nowMs() });
    const result = await claimOrPending(input.receipt.receiptId, () => ledger.claim(input));
    if (!result.won) {
      // the same transaction under another challenge (P8.22a)
      if (result.conflict !== null) return refuse(invalidChallenge('transaction_used'));
      return claims.again(result, seen(given.paid, given.request));
    }
    const open = { payment: input, receipt: result.receipt };
    return {
      kind: 'claimed',
      async settle() {
        const running = settlements.start(open, async () => {
          const outcome = await library.broadcast({ ...given.call, txHash: given.charge.txHash });
          deps.breaker.note({ transport: isTransportFailure(outcome) });
          return outcome;
        });
        const receipt = await within(running, deps.settleWaitMs, deps.time);
        return claims.answerOf(input, receipt === 'late' ? result.receipt : receipt, false);
      },
    };
  }

  return {
    name: 'mpp',
    presented: ({ presented, servable, head }) =>
      !head && paymentOf(presented.credentials, servable.route)?.rail === 'mpp',
    async check(request) {
      const { fingerprint, nowMs } = request;
      const text = paymentOf(request.presented.credentials, request.servable.route)?.text ?? '';
      const prices = { amountMicro: request.servable.priceMicroUsd, formerMicro: request.formerMicroUsd };
      const paid = readCredential(text, { ...deps, ...prices, fingerprint, nowMs });
      // what was paid stays served after its challenge, and its secret, have run out (I5.26)
      const found = await ledger.findClaim(paid.claimKey);
      if (found !== null) return claims.again(found, seen(paid, request));
      const fault = paid.fault();
      if (fault !== null) throw fault;
      const call = {
        challenge: paid.credential.challenge,
        transaction: paid.credential.payload.signature ?? '',
        fingerprint: Buffer.from(fingerprint).toString('hex'),
        amountMicro: paid.amountMicro,
      };
      const charge = await validate(paid, call, request);
      if ('kind' in charge) return charge;
      const limit = deps.limiter.take('payer', charge.sender);
      if (limit !== null && !limit.allowed) throw new RateLimited(limit);
      const earlier = await claims.undelivered({ ...seen(paid, request), payer: charge.sender });
      if (earlier !== null) return earlier;
      return { kind: 'payable', claim: () => claim({ paid, call, charge, request }) } satisfies Payable;
    },
  };
}
