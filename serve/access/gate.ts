import type { Deployment } from '../../data/contract/emit/deployment.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { isRailOn, type PaymentRail, paidRails } from '../../data/contract/routes/paymentRail.ts';
import type { KeyScope, Route } from '../../data/contract/routes/route.ts';
import type { Incoming } from '../exchange.ts';
import { pathOf } from '../http/parseTarget.ts';
import type { KeyCheck } from '../keys/keyRing.ts';
import type { Ledger, ReceiptInput } from '../ledger/port/ledger.ts';
import { reconciliationKeyOfResponse } from '../ledger/rows/receipt.ts';
import {
  type AccessRequest,
  type Admit,
  type Challenge,
  clientLeft,
  type Decision,
  type GrantCheck,
  type Presented,
  type Rail,
  type Refuse,
  receiptOfRequest,
  refuse,
} from './accessDecision.ts';
import {
  checkCredentialSyntax,
  framedPayment,
  idempotencyKeyReused,
  invalidApiKey,
  invalidGrantToken,
  isWellFormedToken,
  paymentShown,
  readCredentials,
} from './credentials.ts';

export type Gate = {
  /** Reads the credentials of a request without judging them (stage 2). */
  present(request: Incoming): Presented;
  /** Whether they hold a payment of x402, and an API key; nothing is judged. */
  shown(presented: Presented): { readonly payment: boolean; readonly apiKey: boolean };
  /** The same with a payment that came inside the body, and the rail it names (P10.2, P10.16). @throws IssuerError `invalid_payment` */
  withPayment(
    presented: Presented,
    framed: { readonly rail: PaymentRail; readonly payment: unknown },
  ): Presented;
  /** Judges their syntax (stage 4). @throws IssuerError, see `checkCredentialSyntax` */
  check(o: { presented: Presented; request: Incoming; route: Route; canonicalPath: string | null }): void;
  /**
   * The id of the API key that is presented, which an answer is made for; nothing is written yet.
   *
   * @throws IssuerError `api_key_required`, or what is wrong with the key
   */
  keyHolder(presented: Presented, scope: KeyScope): string;
  /**
   * Decides access to a servable answer, and claims and settles where money moves (stages 6 and 7).
   */
  decide(request: AccessRequest): Promise<Decision>;
};

/** What the gate decides with. */
export type GateDeps = {
  readonly ledger: KeyLedger;
  /** Checks a key in memory; one of another form is none (P1.9, P6.3). */
  checkKey(presented: string): KeyCheck;
  /** Checks a well-formed grant token as far as no ledger is needed (P7.6); absent: no token is good. */
  checkGrant?(token: string): GrantCheck;
  readonly deployment: Deployment;
  /** Paths of the free routes: a payment shown there counts as none (I8.3). */
  readonly freePaths: ReadonlySet<string>;
  /** In order of precedence: payments before grants, and last what refuses a payment that no rail settles (P1.11). */
  readonly rails: readonly Rail[];
  /** Version 1 clients are served (P2.49). */
  readonly v1: boolean;
  ulid(): string;
};

/**
 * The one place that decides access (P1.1): API key, then payment, then grant, then the challenge (P1.11). A
 * credential that is present and wrong ends the decision with its own error.
 */
export function createGate(deps: GateDeps): Gate {
  const { deployment, rails } = deps;
  const mppOn = isRailOn(deployment, 'mpp');
  return {
    present(request) {
      const credentials = readCredentials(request.headers, deps.v1);
      const key = credentials.apiKey === null ? null : deps.checkKey(credentials.apiKey);
      const token = credentials.grant;
      const grant = token !== null && isWellFormedToken(token) ? (deps.checkGrant?.(token) ?? null) : null;
      if (key?.kind === 'valid') return { credentials, key, grant, ratePolicy: 'key', rateHolder: key.keyId };
      const { method, target } = request;
      const paid = paymentShown({ method, path: pathOf(target), free: deps.freePaths, credentials });
      const mayPay = credentials.payment ?? credentials.paymentV1 ?? credentials.mpp;
      if (mayPay === null && grant?.kind === 'valid')
        return { credentials, key, grant, ratePolicy: 'grant', rateHolder: grant.claims.grantId };
      return {
        credentials,
        key,
        grant,
        ratePolicy: paid ? 'payer' : 'ip',
        rateHolder: request.clientAddress,
      };
    },

    shown({ credentials: { payment, paymentV1, apiKey } }) {
      return { payment: (payment ?? paymentV1) !== null, apiKey: apiKey !== null };
    },

    withPayment(presented, { rail, payment }) {
      const framed = framedPayment(rail, payment);
      return { ...presented, credentials: { ...presented.credentials, framed } };
    },

    check({ presented: { credentials }, ...asked }) {
      checkCredentialSyntax({ credentials, ...asked, mppOn });
    },

    keyHolder({ credentials, key }, scope) {
      if (credentials.apiKey === null)
        throw new IssuerError({
          code: 'api_key_required',
          message: 'This needs an API key; payments and grants are not taken for it.',
          hint: 'Send a key of the operator as Authorization: Bearer or x-api-key.',
        });
      return keyWithScope(key, scope);
    },

    async decide(request) {
      const { credentials } = request.presented;
      let refusal: Refuse;
      try {
        if (credentials.apiKey !== null) return await decideKey(deps, request);
        const rail = rails.find((one) => one.presented(request));
        if (rail === undefined) return challenge(request, deployment);
        const paid = await pay(rail, request);
        if (paid.kind === 'admit') return paid;
        refusal = paid;
      } catch (error) {
        // an IssuerError on the way is the refusal (P1.2)
        if (!(error instanceof IssuerError)) throw error;
        refusal = refuse(error);
      }
      // where nothing else can be paid, a refusal has no challenge to carry
      return refusal.challenge === null || canBePaid(request, deployment)
        ? refusal
        : { ...refusal, challenge: null };
    },
  };
}

/** Drives one rail: check, claim, settle. */
async function pay(rail: Rail, request: AccessRequest): Promise<Admit | Refuse> {
  const checked = await rail.check(request);
  if (checked.kind !== 'payable') return checked;
  // without a client nothing is claimed (P1.13)
  if (request.clientGone()) throw clientLeft();
  const claimed = await checked.claim();
  return claimed.kind === 'claimed' ? claimed.settle() : claimed;
}

/** Nothing was presented that a rail takes: the price, where it can be paid. @throws IssuerError */
function challenge(request: AccessRequest, deployment: Deployment): Challenge {
  const { provider, grant } = request.presented.credentials;
  if (request.servable.route.family === 'mpp') {
    if (deployment.mpp === null)
      throw railUnavailable('mpp', 'The MPP rail is switched off on this deployment.');
    // the family has no grants: a token is ignored, and the answer says so (I5.12)
    return { kind: 'challenge', provider: null, grantIgnored: grant !== null };
  }
  // no secret signs tokens here, so no token can verify (P7.7)
  if (grant !== null) throw invalidGrantToken();
  if (!canBePaid(request, deployment))
    throw railUnavailable('x402', 'The x402 rail is switched off on this deployment.');
  if (provider === 'gateway_batched' && deployment.x402.gateway === null)
    throw railUnavailable('gateway_batched', 'Batched settlement is switched off on this deployment.');
  return {
    kind: 'challenge',
    provider: provider === 'gateway_batched' || provider === 'x402_exact' ? provider : null,
  };
}

function canBePaid({ plan, way }: AccessRequest, deployment: Deployment): boolean {
  return way !== null && paidRails(plan.route, way, deployment).length > 0;
}

function railUnavailable(rail: string, message: string): IssuerError {
  return new IssuerError({
    code: 'settlement_unavailable',
    message,
    hint: 'API keys keep working.',
    details: { rail },
  });
}

/** Life of an `Idempotency-Key` (I5.30). */
const idempotencyMs = 86_400_000;

/** What access with an API key writes. */
type KeyLedger = Pick<Ledger, 'noteNotCharged' | 'insertNotCharged' | 'replayed' | 'delivered'>;

/** A call that carries an API key: admitted without a charge (P6.3). @throws IssuerError what is wrong with the key */
async function decideKey(
  { ledger, ulid }: Pick<GateDeps, 'ledger' | 'ulid'>,
  request: AccessRequest,
): Promise<Admit> {
  const keyId = keyWithScope(request.presented.key, request.servable.route.keyScope);
  const admit = {
    kind: 'admit',
    apiKeyId: keyId,
    replayed: false,
    headers: noHeaders,
    meta: noMeta,
  } as const;
  if (request.head) return { ...admit, receipt: null, done: () => {} };
  const facts = receiptOfRequest(request, { ulid, nowMs: request.nowMs });
  const receipt: ReceiptInput = {
    ...facts,
    reconciliationKey: reconciliationKeyOfResponse(facts.responseId),
    settlementMode: 'api_key_not_charged',
    quotedMicro: request.servable.priceMicroUsd,
    payerIdentity: `apikey:${keyId}`,
    apiKeyId: keyId,
  };
  if (request.presented.credentials.idempotencyKey !== null)
    return { ...admit, ...(await answerAgain(ledger, { request, receipt })) };
  // moves neither money nor budget: one row handed to the writer, not awaited (I3.6, P6.6)
  return {
    ...admit,
    receipt: ledger.noteNotCharged(receipt),
    done: (delivery) => ledger.delivered(receipt.receiptId, delivery),
  };
}

/** With an Idempotency-Key the row decides which receipt the answer quotes, so it is awaited (I5.30, P6.6). */
async function answerAgain(
  ledger: KeyLedger,
  { request, receipt }: { request: AccessRequest; receipt: ReceiptInput & { payerIdentity: string } },
): Promise<Pick<Admit, 'receipt' | 'replayed' | 'headers' | 'done'>> {
  const outcome = await ledger.insertNotCharged(receipt, {
    holder: receipt.payerIdentity,
    key: request.presented.credentials.idempotencyKey ?? '',
    fingerprint: request.fingerprint,
    expiresMs: request.nowMs + idempotencyMs,
  });
  if (outcome === 'idem_conflict') throw idempotencyKeyReused();
  const replayed = 'replayOf' in outcome;
  const row = replayed ? outcome.replayOf : outcome;
  if (replayed) ledger.replayed(row.receiptId);
  return {
    receipt: replayed ? { ...row, qualityFlags: [...row.qualityFlags, 'replayed'] } : row,
    replayed,
    headers: replayed ? ['Idempotent-Replay', 'true'] : [],
    done: (delivery) => {
      // a replay that breaks off does not change the delivery of an answer that arrived
      if (!replayed || delivery === 'delivered') ledger.delivered(row.receiptId, delivery);
    },
  };
}

/** Id of a key that is good for a scope (P6.3). @throws IssuerError why it is not */
function keyWithScope(key: KeyCheck | null, scope: KeyScope): string {
  if (key === null || key.kind === 'invalid') throw invalidApiKey();
  // a revocation may have come since they were last read (P6.3, X49)
  if (key.kind === 'unread')
    throw new IssuerError({
      code: 'settlement_unavailable',
      message: 'The API keys cannot be read at the moment.',
      hint: 'Nothing was charged; send the same request again later.',
      details: { rail: 'api_key' },
    });
  if (!key.scopes.includes(scope))
    throw new IssuerError({
      code: 'api_key_scope',
      message: `This key does not have the scope ${scope}.`,
      hint: 'Ask the operator for a key with it.',
      details: { required_scope: scope },
    });
  return key.keyId;
}

const noHeaders: readonly string[] = [];
const noMeta = {};
