import type { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import {
  type AccessRequest,
  type Admit,
  type Claimed,
  type Payable,
  type Rail,
  type Refuse,
  receiptOfRequest,
} from '../../access/accessDecision.ts';
import { paymentOf } from '../../access/credentials.ts';
import type { ChainReader } from '../../evm/chainReader.ts';
import { boundedJson } from '../../http/boundedJson.ts';
import { RateLimited } from '../../http/rateLimit.ts';
import type { ClaimInput } from '../../ledger/port/payment.ts';
import { reconciliationKeyOfAuthorization } from '../../ledger/rows/receipt.ts';
import type { Breaker } from '../../outbound/breaker.ts';
import { knownClaims, type RailDeps } from '../claims/knownClaims.ts';
import { type Purse, reasonFromPurse } from '../settle/emptyPurse.ts';
import { claimOwnerMs } from '../settle/settlements.ts';
import { isTransportFailure } from '../settle/settleOutcome.ts';
import { railUnavailable } from '../x402/paymentAnswers.ts';
import { decodeCredential, type MppCredential, mppClaimKey, mppPayloadHash } from './credential.ts';
import {
  challengeExpired,
  invalidChallenge,
  methodUnsupported,
  mppRefused,
  mppVerificationFailed,
  paymentInsufficient,
} from './mppAnswers.ts';
import { type MppChallenges, type MppTerms, opaqueParameter, requestParameter } from './mppChallenge.ts';
import type { ChargeCall, MppLibrary, ValidCharge } from './mppLibrary.ts';

const notSettled = 'MPP payments are not settled at the moment.';

export type MppDeps = RailDeps & {
  readonly terms: MppTerms;
  readonly challenges: MppChallenges;
  readonly library: MppLibrary;
  readonly breaker: Breaker;
  /** Says what a wallet holds; null where no node is configured. */
  readonly chain: Pick<ChainReader, 'balanceOf'> | null;
};

/** The MPP rail: the Payment scheme with one charge a request, on `/mpp/v1/*` and inside the frames of tool calls (PAYMENTS 4, P10.16). */
export function mppRail(deps: MppDeps): Rail {
  const { ledger, library } = deps;
  const claims = knownClaims({ ...deps, refused: (payment, reason) => mppRefused(reason, payment) });
  const seen = (paid: ReadCredential, { fingerprint, nowMs }: AccessRequest) => ({
    claimKey: paid.claimKey,
    payloadHash: paid.payloadHash,
    fingerprint,
    nowMs,
  });

  /** What the chain says of the purse where the node says nothing (P2.56). */
  function purseReason(reason: string, payer: Pick<Purse, 'payer' | 'amountMicro'>): Promise<string> {
    const { chain, terms } = deps;
    return reasonFromPurse(reason, { chain, asset: terms.currency, purse: { kind: 'wallet', ...payer } });
  }

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
    if (!deps.breaker.allows()) throw railUnavailable('mpp', notSettled);
    const validation = await library.validate(call);
    deps.breaker.note({ transport: validation.kind === 'unavailable' && validation.transport });
    switch (validation.kind) {
      case 'valid':
        return validation.charge;
      case 'unavailable':
        throw railUnavailable('mpp', notSettled);
      case 'invalid': {
        const found = await ledger.findClaim(paid.claimKey);
        if (found !== null) return claims.again(found, seen(paid, request));
        deps.limiter.take('badpay', request.clientAddress);
        const payer = { payer: validation.sender, amountMicro: call.amountMicro };
        throw mppVerificationFailed(await purseReason(validation.reason, payer), payer);
      }
    }
  }

  function claim(given: {
    paid: ReadCredential;
    call: ChargeCall;
    charge: ValidCharge;
    request: AccessRequest;
  }): Promise<Refuse | Admit | Claimed> {
    return claims.claim({
      input: mppClaim({ ...given, ...deps, nowMs: deps.time.nowMs() }),
      seen: seen(given.paid, given.request),
      // the same transaction under another challenge
      conflict: () => invalidChallenge('transaction_used'),
      async call() {
        const outcome = await library.broadcast({ ...given.call, txHash: given.charge.txHash });
        deps.breaker.note({ transport: isTransportFailure(outcome) });
        if (outcome.kind !== 'refused' || outcome.unavailable) return outcome;
        // the node says no more than that it was reverted, where the wallet is empty
        const payer = { payer: given.charge.sender, amountMicro: given.call.amountMicro };
        return { ...outcome, reason: await purseReason(outcome.reason, payer) };
      },
    });
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

/** Binds a challenge and its transaction to this request: unique challenge id, unique hash (P4.13, P8.20–P8.23). */
function mppClaim({
  paid,
  charge,
  terms,
  request,
  owner,
  nowMs,
  ulid,
}: {
  paid: ReadCredential;
  charge: ValidCharge;
  terms: MppTerms;
  request: AccessRequest;
  owner: string;
  nowMs: number;
  ulid(): string;
}): ClaimInput {
  return {
    claimKey: paid.claimKey,
    provider: 'mpp',
    network: terms.network,
    domainContract: terms.currency.toLowerCase(),
    payer: charge.sender,
    // the nonce of this rail is the challenge: its id is the 32 bytes of our HMAC
    nonce: new Uint8Array(Buffer.from(paid.credential.challenge.id, 'base64url')),
    clientRef: null,
    payTo: terms.recipient.toLowerCase(),
    amountMicro: paid.amountMicro,
    validAfter: BigInt(charge.validAfter),
    validBefore: BigInt(charge.validBefore),
    payloadHash: paid.payloadHash,
    fingerprint: request.fingerprint,
    txHash: charge.txHash,
    owner,
    ownerUntilMs: nowMs + claimOwnerMs,
    next: 'submitted',
    job: null,
    receipt: {
      ...receiptOfRequest(request, { ulid, nowMs }),
      reconciliationKey: reconciliationKeyOfAuthorization(Buffer.from(paid.claimKey).toString('hex')),
      quotedMicro: paid.amountMicro,
      settlementMode: 'mpp',
      payerIdentity: provenSource(paid.credential.source, charge.sender, terms.chainId),
    },
  };
}

/** The credential's source where it names the sender of the transaction; a name that was not proven is none (I5.46). */
function provenSource(source: string | null, sender: string, chainId: number): string | null {
  const proven = `did:pkh:eip155:${chainId}:${sender}`;
  return source?.toLowerCase() === proven ? source : null;
}

/** A credential that was read, with what its claim is found by. */
type ReadCredential = {
  readonly credential: MppCredential;
  readonly claimKey: Uint8Array;
  readonly payloadHash: Uint8Array;
  /** What the challenge asks: the price in force, or the one before it within its grace (P1.6). */
  readonly amountMicro: number;
  /** Why it pays nothing now, null when it does; a claim that is known is served without asking (I5.26). */
  fault(): IssuerError | null;
};

const transactionSyntax = /^0x(?:[0-9a-fA-F]{2}){1,4096}$/;

/**
 * The cheap checks of a credential, without library and ledger: decoding, HMAC, expiry, request, price, payload
 * (P4.9).
 *
 * @throws IssuerError `malformed_credential` or `method_unsupported`
 */
function readCredential(
  text: string,
  input: {
    readonly terms: MppTerms;
    readonly challenges: MppChallenges;
    readonly amountMicro: number;
    /** null: no price before it is accepted. */
    readonly formerMicro: number | null;
    readonly fingerprint: Uint8Array;
    readonly nowMs: number;
  },
): ReadCredential {
  const credential = decodeCredential(text);
  const { challenge } = credential;
  if (challenge.method !== input.terms.method) throw methodUnsupported(input.terms.method);
  const asksFormer = input.formerMicro !== null && asks(challenge.request, input.terms, input.formerMicro);
  const amountMicro = asksFormer ? input.formerMicro : input.amountMicro;
  return {
    credential,
    claimKey: mppClaimKey(challenge.id),
    payloadHash: mppPayloadHash(credential),
    amountMicro,
    fault: () => faultOf(credential, { ...input, amountMicro }),
  };
}

// byte-equal to what we would mint for that price
function asks(request: string, terms: MppTerms, amountMicro: number): boolean {
  return request === requestParameter(terms, amountMicro);
}

function faultOf(
  credential: MppCredential,
  { terms, challenges, nowMs, fingerprint, amountMicro }: Parameters<typeof readCredential>[1],
): IssuerError | null {
  const { challenge, payload } = credential;
  if (!challenges.isOurs(challenge)) return invalidChallenge('not_issued_here');
  if (Date.parse(challenge.expires) <= nowMs) return challengeExpired();
  // an id of ours vouches for all slots, so these three differ only when the configuration changed
  if (challenge.realm !== terms.realm || challenge.intent !== terms.intent)
    return invalidChallenge('other_terms');
  if (challenge.opaque !== opaqueParameter(fingerprint)) return invalidChallenge('other_request');
  if (!asks(challenge.request, terms, amountMicro))
    return lowersAmountOnly(challenge.request, terms, amountMicro)
      ? paymentInsufficient()
      : invalidChallenge('other_terms');
  if (payload.type !== 'transaction') return mppVerificationFailed('mode_not_offered');
  if (payload.signature === null || !transactionSyntax.test(payload.signature))
    return mppVerificationFailed('invalid_transaction');
  return null;
}

// an older, lower price under the terms of today
function lowersAmountOnly(request: string, terms: MppTerms, amountMicro: number): boolean {
  const parsed = boundedJson(Buffer.from(request, 'base64url'));
  if ('fault' in parsed) return false;
  const { amount } = (parsed.value ?? {}) as { readonly amount?: unknown };
  if (typeof amount !== 'string' || !/^[1-9][0-9]{0,15}$/.test(amount)) return false;
  const asked = Number(amount);
  return asked < amountMicro && asks(request, terms, asked);
}
