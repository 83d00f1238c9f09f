import type { Deployment } from '../../contract/deployment.ts';
import { IssuerError } from '../../contract/issuerError.ts';
import type { Route } from '../../contract/route.ts';
import type { Incoming } from '../exchange.ts';
import type { KeyCheck } from '../keys/keyRing.ts';
import type { KeyScope, Ledger, ReceiptInput } from '../ledger/ledger.ts';
import { notChargedView, reconciliationKeyOfResponse } from '../ledger/receipt.ts';
import { decodeCredential } from '../payments/mpp/credential.ts';
import type { Rail } from '../payments/rail.ts';
import { decodePayment } from '../payments/x402/paymentPayload.ts';
import {
  type AccessRequest,
  type Admit,
  type Challenge,
  type Decision,
  type GrantCheck,
  type Presented,
  type Refuse,
  refuse,
} from './accessDecision.ts';
import {
  checkCredentialSyntax,
  idempotencyKeyReused,
  invalidApiKey,
  invalidGrantToken,
  readCredentials,
  wellFormedKey,
  wellFormedToken,
} from './credentials.ts';

export type Gate = {
  /** Reads the credentials of a request without judging them (stage 2). */
  present(request: Incoming): Presented;
  /** Judges their syntax (stage 4). @throws IssuerError, see `checkCredentialSyntax` */
  check(o: { presented: Presented; request: Incoming; route: Route; canonicalPath: string | null }): void;
  /**
   * Decides access to a servable answer, and claims and settles where money moves (stages 6 and 7). At once for keys
   * and for calls without a payment.
   */
  decide(request: AccessRequest): Decision | Promise<Decision>;
};

/**
 * The one place that decides access (P1.1): API key, then payment, then grant, then the challenge (P1.11). A
 * credential that is present and wrong ends the decision with its own error.
 */
export function createGate(o: {
  ledger: Pick<Ledger, 'noteNotCharged' | 'insertNotCharged' | 'replayed' | 'delivered'>;
  /** Checks a well-formed key in memory (P6.3). */
  checkKey(presented: string): KeyCheck;
  /** Checks a well-formed grant token as far as no ledger is needed (P7.6); absent: no token is good. */
  checkGrant?(token: string): GrantCheck;
  deployment: Deployment;
  /** The rails that settle, in order of precedence: payments before grants (P1.11). */
  rails: readonly Rail[];
  /** Version 1 clients are served (P2.49). */
  v1: boolean;
  ulid(): string;
}): Gate {
  function payWithKey(request: AccessRequest, keyId: string): Admit | Promise<Admit | Refuse> {
    const { servable } = request;
    const responseId = `resp_${o.ulid()}`;
    const receipt: ReceiptInput = {
      receiptId: `rcpt_${o.ulid()}`,
      reconciliationKey: reconciliationKeyOfResponse(responseId),
      responseId,
      requestId: request.requestId,
      routeId: servable.route.id,
      routeUri: servable.routeUri,
      fingerprint: request.fingerprint,
      settlementMode: 'api_key_not_charged',
      quotedMicro: servable.priceMicroUsd,
      payerIdentity: `apikey:${keyId}`,
      apiKeyId: keyId,
      artifactKey: servable.artifactKey,
      artifactVersion: servable.artifactVersion,
      sourceDate: servable.sourceDate,
      qualityFlags: [],
      actor: 'handler',
      createdMs: request.nowMs,
    };
    const { idempotencyKey } = request.presented.credentials;
    if (idempotencyKey !== null) return keyedOnce({ request, keyId, receipt, idempotencyKey });
    // moves neither money nor budget: handed over, not awaited (I3.6, P6.6)
    o.ledger.noteNotCharged(receipt);
    return {
      kind: 'admit',
      receipt: notChargedView(receipt),
      apiKeyId: keyId,
      replayed: false,
      headers: noHeaders,
      done: (delivery) => o.ledger.delivered(receipt.receiptId, delivery),
    };
  }

  /** With an Idempotency-Key the row decides which receipt the answer quotes, so it is awaited (I5.30, P6.6). */
  async function keyedOnce(call: {
    request: AccessRequest;
    keyId: string;
    receipt: ReceiptInput;
    idempotencyKey: string;
  }): Promise<Admit | Refuse> {
    const { request, keyId } = call;
    const outcome = await o.ledger.insertNotCharged(call.receipt, {
      holder: `apikey:${keyId}`,
      key: call.idempotencyKey,
      fingerprint: request.fingerprint,
      expiresMs: request.nowMs + idempotencyMs,
    });
    if (outcome === 'idem_conflict') return refuse(idempotencyKeyReused());
    const replayed = 'replayOf' in outcome;
    const row = replayed ? outcome.replayOf : outcome;
    if (replayed) o.ledger.replayed(row.receiptId);
    return {
      kind: 'admit',
      receipt: replayed ? { ...row, qualityFlags: [...row.qualityFlags, 'replayed'] } : row,
      apiKeyId: keyId,
      replayed,
      headers: replayed ? ['Idempotent-Replay', 'true'] : noHeaders,
      done: (delivery) => {
        // a replay that breaks off takes nothing back from an answer that arrived
        if (!replayed || delivery === 'delivered') o.ledger.delivered(row.receiptId, delivery);
      },
    };
  }

  function decideKey(request: AccessRequest, key: KeyCheck | null): Admit | Refuse | Promise<Admit | Refuse> {
    if (key === null || key.kind === 'invalid') return refuse(invalidApiKey());
    if (key.kind === 'unread') return refuse(keysUnread());
    if (!key.scopes.includes('rest')) return refuse(scopeMissing('rest'));
    if (request.head) {
      return {
        kind: 'admit',
        receipt: null,
        apiKeyId: key.keyId,
        replayed: false,
        headers: noHeaders,
        done: () => {},
      };
    }
    return payWithKey(request, key.keyId);
  }

  return {
    present(request) {
      const credentials = readCredentials(request.headers, o.v1);
      const wellFormed = wellFormedKey(credentials);
      const key = wellFormed === null ? null : o.checkKey(wellFormed);
      const token = wellFormedToken(credentials);
      const grant = token === null ? null : (o.checkGrant?.(token) ?? null);
      if (key?.kind === 'valid') return { credentials, key, grant, ratePolicy: 'key', rateHolder: key.keyId };
      const paid = credentials.payment ?? credentials.paymentV1 ?? credentials.mpp;
      if (paid === null && grant?.kind === 'valid')
        return { credentials, key, grant, ratePolicy: 'grant', rateHolder: grant.claims.grantId };
      return {
        credentials,
        key,
        grant,
        ratePolicy: paid === null ? 'ip' : 'payer',
        rateHolder: request.clientAddress,
      };
    },

    check({ presented, request, route, canonicalPath }) {
      checkCredentialSyntax({
        credentials: presented.credentials,
        route,
        canonicalPath,
        head: request.method === 'HEAD',
        secureTransport: request.secureTransport,
      });
    },

    decide(request) {
      const { credentials, key } = request.presented;
      if (credentials.apiKey !== null) return decideKey(request, key);
      const rail = o.rails.find((one) => one.presented(request));
      if (rail !== undefined) return pay(rail, request);
      if (request.servable.route.family === 'mpp') return challengeMpp(request, o.deployment);
      const { payment } = credentials;
      if (payment !== null && !request.head) return unsettled('x402', () => decodePayment(payment));
      // no secret signs tokens here, so no token can verify (P7.7)
      if (credentials.grant !== null) return refuse(invalidGrantToken());
      return challenge(credentials.provider, o.deployment);
    },
  };
}

/** Drives one rail: check, claim, settle; whatever it throws as an error of ours is the refusal (P1.2). */
async function pay(rail: Rail, request: AccessRequest): Promise<Admit | Refuse> {
  try {
    const checked = await rail.check(request);
    if (checked.kind !== 'payable') return checked;
    // nobody is left to answer: nothing is claimed (P1.13)
    if (request.clientGone()) return refuse(clientLeft());
    const claimed = await checked.claim();
    return claimed.kind === 'claimed' ? await claimed.settle() : claimed;
  } catch (error) {
    if (error instanceof IssuerError) return refuse(error);
    throw error;
  }
}

const noHeaders: readonly string[] = [];
/** Life of an `Idempotency-Key` (I5.30). */
const idempotencyMs = 86_400_000;

// a well-formed payment where nothing settles: nothing is verified, claimed or written (P0.7)
function unsettled(rail: string, decode: () => unknown): Refuse {
  try {
    decode();
  } catch (error) {
    if (error instanceof IssuerError) return refuse(error);
    throw error;
  }
  return refuse(
    railUnavailable(rail, 'Payments are not settled on this deployment yet; nothing was charged.'),
  );
}

// the family has no grants: a token is ignored, and the answer says so (I5.12)
function challengeMpp({ presented, head }: AccessRequest, deployment: Deployment): Refuse | Challenge {
  if (deployment.mpp === null)
    return refuse(railUnavailable('mpp', 'The MPP rail is switched off on this deployment.'));
  const { mpp, grant } = presented.credentials;
  if (mpp !== null && !head) return unsettled('mpp', () => decodeCredential(mpp));
  return { kind: 'challenge', provider: null, grantIgnored: grant !== null };
}

function challenge(provider: string | null, deployment: Deployment): Refuse | Challenge {
  const { payTo, gateway } = deployment.x402;
  if (payTo === null)
    return refuse(railUnavailable('x402', 'The x402 rail is switched off on this deployment.'));
  if (provider === 'gateway_batched' && gateway === null) {
    return refuse(
      railUnavailable('gateway_batched', 'Batched settlement is switched off on this deployment.'),
    );
  }
  return {
    kind: 'challenge',
    provider: provider === 'gateway_batched' || provider === 'x402_exact' ? provider : null,
  };
}

function clientLeft(): IssuerError {
  return new IssuerError({ code: 'overloaded', message: 'The client left.', hint: '' });
}

function railUnavailable(rail: string, message: string): IssuerError {
  return new IssuerError({
    code: 'settlement_unavailable',
    message,
    hint: 'API keys keep working.',
    details: { rail },
  });
}

// whether this one was revoked meanwhile nobody knows (P6.3, X49)
function keysUnread(): IssuerError {
  return new IssuerError({
    code: 'settlement_unavailable',
    message: 'The API keys cannot be read at the moment.',
    hint: 'Nothing was charged; send the same request again later.',
    details: { rail: 'api_key' },
  });
}

function scopeMissing(scope: KeyScope): IssuerError {
  return new IssuerError({
    code: 'api_key_scope',
    message: `This key does not have the scope ${scope}.`,
    hint: 'Ask the operator for a key with it.',
    details: { required_scope: scope },
  });
}
