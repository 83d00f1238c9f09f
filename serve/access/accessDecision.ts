import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { PaymentWay } from '../../data/contract/routes/paymentRail.ts';
import type { Settlement } from '../body/envelope.ts';
import type { Delivery } from '../exchange.ts';
import type { Servable } from '../find/servable/servable.ts';
import type { RatePolicy } from '../http/rateLimit.ts';
import type { KeyCheck } from '../keys/keyRing.ts';
import type { ReceiptView } from '../ledger/port/ledger.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import type { Credentials } from './credentials.ts';

// what the gate is asked and what it answers (PAYMENTS 1.C)

/** What a signed grant token says (I5.40). */
export type GrantClaims = {
  readonly sessionId: string;
  readonly grantId: string;
  readonly wallet: string | null;
  /** Unix seconds. */
  readonly issuedSeconds: number;
  readonly expiresSeconds: number;
};

/** What a presented grant token came to before the ledger is asked (P7.6). */
export type GrantCheck =
  | { readonly kind: 'valid'; readonly claims: GrantClaims }
  | { readonly kind: 'invalid' | 'expired' };

/** The credentials of a request, read once; only the gate reads them. */
export type Presented = {
  readonly credentials: Credentials;
  readonly key: KeyCheck | null;
  readonly grant: GrantCheck | null;
  /** Limit the request falls under and whose bucket it takes from (I8.3). */
  readonly ratePolicy: RatePolicy;
  readonly rateHolder: string;
};

/** One request to be decided, with the answer it would get (P1.3). */
export type AccessRequest = {
  readonly presented: Presented;
  readonly servable: Servable;
  /**
   * The price before that of the servable, while a payment of it is still accepted; null otherwise. Payments alone
   * read it: a key is quoted, and a grant debited, the price in force (P1.6, I5.42 b).
   */
  readonly formerMicroUsd: number | null;
  /** How a payment of it would travel; null where keys alone open it. */
  readonly way: PaymentWay | null;
  readonly plan: RoutePlan;
  readonly requestId: string;
  readonly head: boolean;
  readonly nowMs: number;
  /** SHA-256 of the request (I5.24). */
  readonly fingerprint: Uint8Array;
  /** Address the limits are counted for. */
  readonly clientAddress: string;
  /** True once the client has closed its connection (P1.13). */
  clientGone(): boolean;
};

/** The receipt an answer shows: what every mode has, and what payments and grants add (I5.48). */
export type AnswerReceipt = ReceiptView & { readonly settlement?: Settlement };

/** Access is given; `done` is called exactly once when the answer has left (P1.14). */
export type Admit = {
  readonly kind: 'admit';
  /** null on HEAD, which writes nothing (I4.5). */
  readonly receipt: AnswerReceipt | null;
  readonly apiKeyId: string | null;
  /** The receipt was served before (I5.26); its artifact version may be an older one. */
  readonly replayed: boolean;
  /** Flat list of the headers this mode adds: `PAYMENT-RESPONSE`, `Payment-Receipt`, `Idempotent-Replay`. */
  readonly headers: readonly string[];
  /** What `_meta` of a tool's result says of the payment; nothing where none was made (I4.MCP.20, I4.MCP.20a). */
  readonly meta: Readonly<Record<string, unknown>>;
  /** `serverFault`: it was we who broke off, so a grant's hold is given back (P7.9). */
  done(delivery: Delivery, serverFault?: boolean): void;
};

/** Access is refused. Every 402 carries a fresh challenge, nothing else ever does (P1.12). */
export type Refuse = {
  readonly kind: 'refuse';
  readonly error: IssuerError;
  /** null: no 402. */
  readonly challenge: { readonly provider: ChallengeProvider } | null;
  /** Flat list of the headers this refusal adds. */
  readonly headers: readonly string[];
};

/** Nothing was presented: the answer is the challenge (P1.12). */
export type Challenge = {
  readonly kind: 'challenge';
  readonly provider: ChallengeProvider;
  /** A grant token came to a family that takes none (I5.12). */
  readonly grantIgnored?: boolean;
};

/** Restriction of `accepts` to one entry (I5.11). */
export type ChallengeProvider = 'x402_exact' | 'gateway_batched' | null;

export type Decision = Admit | Refuse | Challenge;

/** A refusal whose error decides whether a challenge goes with it. */
export function refuse(
  error: IssuerError,
  { provider, headers }: { readonly provider?: ChallengeProvider; readonly headers?: readonly string[] } = {},
): Refuse {
  const asksForPayment = error.toProblem().status === 402;
  return {
    kind: 'refuse',
    error,
    challenge: asksForPayment ? { provider: provider ?? null } : null,
    headers: headers ?? [],
  };
}

/** A refusal that is a 402 although its code is a 409 elsewhere (I5.25, row failed). */
export function refuseWithChallenge(error: IssuerError): Refuse {
  return { kind: 'refuse', error, challenge: { provider: null }, headers: [] };
}

/** The end of a call whose client disconnected: nothing is claimed, recorded or sent for it (P1.13). */
export function clientLeft(): IssuerError {
  return new IssuerError({ code: 'overloaded', message: 'The client left.', hint: '' });
}

// one way to be paid, in three steps that the gate drives: check, claim, settle (PAYMENTS 1.A)

/** A payment or grant that may be claimed; nothing is written yet. */
export type Payable = {
  readonly kind: 'payable';
  /** Step 2: claims or holds, durably. An admission here serves what was paid before (I5.26). */
  claim(): Promise<Refuse | Admit | Claimed>;
};

/** A claim of ours that still has to be settled. */
export type Claimed = {
  readonly kind: 'claimed';
  /** Step 3: moves the money, or says why not. */
  settle(): Promise<Refuse | Admit>;
};

/** One rail of the gate's table: x402, MPP or grants. */
export type Rail = {
  readonly name: 'x402' | 'mpp' | 'grant';
  /** True when the request carries this rail's credential on a route of its family (P1.11). */
  presented(request: AccessRequest): boolean;
  /**
   * Step 1: everything that can be refused without writing (stage 6).
   *
   * @throws IssuerError for every refusal that needs no header of its own
   */
  check(request: AccessRequest): Promise<Refuse | Admit | Payable>;
};

/** What every receipt says of the request and of the answer it is for, on every rail (I5.48). */
export function receiptOfRequest(
  { servable, requestId, fingerprint }: AccessRequest,
  { ulid, nowMs }: { readonly ulid: () => string; readonly nowMs: number },
) {
  return {
    receiptId: `rcpt_${ulid()}`,
    responseId: `resp_${ulid()}`,
    requestId,
    routeId: servable.route.id,
    routeUri: servable.routeUri,
    tool: servable.tool,
    fingerprint,
    artifactKey: servable.artifactKey,
    artifactVersion: servable.artifactVersion,
    sourceDate: servable.sourceDate,
    qualityFlags: [],
    actor: 'handler',
    createdMs: nowMs,
  } as const;
}
