import type { Deployment } from '../contract/deployment.ts';
import { IssuerError } from '../contract/issuerError.ts';
import type { Route } from '../contract/route.ts';
import {
  type Credentials,
  checkCredentialSyntax,
  invalidApiKey,
  invalidGrantToken,
  readCredentials,
  wellFormedKey,
} from './access/credentials.ts';
import type { Servable } from './answer/servable.ts';
import type { Delivery, Incoming } from './exchange.ts';
import type { RatePolicy } from './http/rateLimit.ts';
import type { KeyCheck } from './keys/keyRing.ts';
import type { KeyScope, Ledger, ReceiptInput, ReceiptView } from './ledger/ledger.ts';
import { notChargedView, reconciliationKeyOfResponse } from './ledger/receipt.ts';
import { decodePayment } from './payments/x402/paymentPayload.ts';

/** The credentials of a request, read once; only the gate looks inside. */
export type Presented = {
  readonly credentials: Credentials;
  readonly key: KeyCheck | null;
  /** Limit the request falls under and whose bucket it takes from (I8.3). */
  readonly ratePolicy: RatePolicy;
  readonly rateHolder: string;
};

/** One request to be decided, with the answer it would get (P1.3). */
export type AccessRequest = {
  readonly presented: Presented;
  readonly servable: Servable;
  readonly requestId: string;
  readonly head: boolean;
  readonly nowMs: number;
  /** SHA-256 of the request (I5.24). */
  readonly fingerprint: Uint8Array;
};

/** Access is given; `done` is called exactly once when the answer has left (P1.14). */
export type Admit = {
  readonly kind: 'admit';
  readonly mode: 'api_key_not_charged';
  /** null on HEAD, which writes nothing (I4.5). */
  readonly receipt: ReceiptView | null;
  readonly apiKeyId: string;
  done(delivery: Delivery): void;
};

/** Access is refused with an error that is no 402. */
export type Refuse = { readonly kind: 'refuse'; readonly error: IssuerError };

/** Nothing was presented: the answer is the challenge, a 402 and nothing else (P1.12). */
export type Challenge = {
  readonly kind: 'challenge';
  /** Restriction the client asked for (I5.11). */
  readonly provider: 'x402_exact' | 'gateway_batched' | null;
};

export type Gate = {
  /** Reads the credentials of a request without judging them (stage 2). */
  present(request: Incoming): Presented;
  /** Judges their syntax (stage 4). @throws IssuerError, see `checkCredentialSyntax` */
  check(o: { presented: Presented; request: Incoming; route: Route; canonicalPath: string | null }): void;
  /** Decides access to a servable answer and writes its receipt (stages 6 and 7). */
  decide(request: AccessRequest): Admit | Refuse | Challenge;
};

/**
 * The one place that decides access (P1.1): API key, then payment, then grant, then the challenge (P1.11). A
 * credential that is present and wrong ends the decision with its own error.
 */
export function createGate(o: {
  ledger: Pick<Ledger, 'noteNotCharged' | 'delivered'>;
  /** Checks a well-formed key in memory (P6.3). */
  checkKey(presented: string): KeyCheck;
  deployment: Deployment;
  ulid(): string;
}): Gate {
  function payWithKey(request: AccessRequest, keyId: string): Admit {
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
    // moves neither money nor budget: handed over, not awaited (I3.6, P6.6)
    o.ledger.noteNotCharged(receipt);
    return {
      kind: 'admit',
      mode: 'api_key_not_charged',
      receipt: notChargedView(receipt),
      apiKeyId: keyId,
      done: (delivery) => o.ledger.delivered(receipt.receiptId, delivery),
    };
  }

  function decideKey(request: AccessRequest, key: KeyCheck | null): Admit | Refuse {
    if (key === null || key.kind === 'invalid') return refuse(invalidApiKey());
    if (!key.scopes.includes('rest')) return refuse(scopeMissing('rest'));
    if (request.head) {
      return {
        kind: 'admit',
        mode: 'api_key_not_charged',
        receipt: null,
        apiKeyId: key.keyId,
        done: () => {},
      };
    }
    return payWithKey(request, key.keyId);
  }

  return {
    present(request) {
      const credentials = readCredentials(request.headers);
      const wellFormed = wellFormedKey(credentials);
      const key = wellFormed === null ? null : o.checkKey(wellFormed);
      if (key?.kind === 'valid') return { credentials, key, ratePolicy: 'key', rateHolder: key.keyId };
      const paid = credentials.payment !== null || credentials.mpp !== null;
      return { credentials, key, ratePolicy: paid ? 'payer' : 'ip', rateHolder: request.clientAddress };
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
      const mpp = request.servable.route.family === 'mpp';
      if (credentials.apiKey !== null) return decideKey(request, key);
      if (mpp) return refuse(railUnavailable('mpp', 'The MPP rail does not settle on this deployment.'));
      if (credentials.payment !== null && !request.head) return decidePayment(credentials.payment);
      // no secret mints tokens yet, so no token can verify (P7.7)
      if (credentials.grant !== null) return refuse(invalidGrantToken());
      return challenge(credentials.provider, o.deployment);
    },
  };
}

// a well-formed payment waits for a settlement provider; nothing is verified, claimed or written (P0.7)
function decidePayment(header: string): Refuse {
  try {
    decodePayment(header);
  } catch (error) {
    if (error instanceof IssuerError) return refuse(error);
    throw error;
  }
  return refuse(
    railUnavailable('x402', 'Payments are not settled on this deployment yet; nothing was charged.'),
  );
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

function refuse(error: IssuerError): Refuse {
  return { kind: 'refuse', error };
}

function railUnavailable(rail: string, message: string): IssuerError {
  return new IssuerError({
    code: 'settlement_unavailable',
    message,
    hint: 'API keys keep working.',
    details: { rail },
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
