import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { KeyScope } from '../../data/contract/routes/route.ts';
import type { KeyCheck } from '../keys/keyRing.ts';
import type { Ledger, ReceiptInput } from '../ledger/port/ledger.ts';
import { reconciliationKeyOfResponse } from '../ledger/rows/receipt.ts';
import { type AccessRequest, type Admit, type Refuse, receiptOfRequest, refuse } from './accessDecision.ts';
import { idempotencyKeyReused, invalidApiKey } from './credentials.ts';

/** Life of an `Idempotency-Key` (I5.30). */
const idempotencyMs = 86_400_000;

/** What access with an API key writes. */
export type KeyLedger = Pick<Ledger, 'noteNotCharged' | 'insertNotCharged' | 'replayed' | 'delivered'>;

/** Decides a call that carries an API key: admitted without a charge, or refused with the error of the key (P6.3). */
export type KeyAccess = (request: AccessRequest, key: KeyCheck | null) => Promise<Admit | Refuse>;

/** Access with an API key. */
export function keyAccess({ ledger, ulid }: { ledger: KeyLedger; ulid(): string }): KeyAccess {
  /** With an Idempotency-Key the row decides which receipt the answer quotes, so it is awaited (I5.30, P6.6). */
  async function answerAgain({
    request,
    keyId,
    receipt,
    idempotencyKey,
  }: {
    request: AccessRequest;
    keyId: string;
    receipt: ReceiptInput;
    idempotencyKey: string;
  }): Promise<Admit | Refuse> {
    const outcome = await ledger.insertNotCharged(receipt, {
      holder: `apikey:${keyId}`,
      key: idempotencyKey,
      fingerprint: request.fingerprint,
      expiresMs: request.nowMs + idempotencyMs,
    });
    if (outcome === 'idem_conflict') return refuse(idempotencyKeyReused());
    const replayed = 'replayOf' in outcome;
    const row = replayed ? outcome.replayOf : outcome;
    if (replayed) ledger.replayed(row.receiptId);
    return admitted(keyId, {
      receipt: replayed ? { ...row, qualityFlags: [...row.qualityFlags, 'replayed'] } : row,
      replayed,
      headers: replayed ? ['Idempotent-Replay', 'true'] : [],
      done: (delivery) => {
        // a replay that breaks off does not change the delivery of an answer that arrived
        if (!replayed || delivery === 'delivered') ledger.delivered(row.receiptId, delivery);
      },
    });
  }

  return async (request, key) => {
    const held = keyWithScope(key, request.servable.route.keyScope);
    if (held.kind === 'refused') return refuse(held.error);
    const { keyId } = held;
    if (request.head) return admitted(keyId, { receipt: null, done: () => {} });
    const receipt = keyReceipt(request, keyId, ulid);
    const { idempotencyKey } = request.presented.credentials;
    if (idempotencyKey !== null) return answerAgain({ request, keyId, receipt, idempotencyKey });
    // moves neither money nor budget: written behind the answer, not awaited (I3.6, P6.6)
    return admitted(keyId, {
      receipt: ledger.noteNotCharged(receipt),
      done: (delivery) => ledger.delivered(receipt.receiptId, delivery),
    });
  };
}

/** Id of a key that is good for a scope, or why it is not (P6.3). */
export function keyWithScope(
  key: KeyCheck | null,
  scope: KeyScope,
):
  | { readonly kind: 'held'; readonly keyId: string }
  | { readonly kind: 'refused'; readonly error: IssuerError } {
  if (key === null || key.kind === 'invalid') return { kind: 'refused', error: invalidApiKey() };
  if (key.kind === 'unread') return { kind: 'refused', error: keysUnread() };
  if (!key.scopes.includes(scope)) return { kind: 'refused', error: scopeMissing(scope) };
  return { kind: 'held', keyId: key.keyId };
}

function admitted(
  apiKeyId: string,
  rest: Pick<Admit, 'receipt' | 'done'> & Partial<Pick<Admit, 'replayed' | 'headers'>>,
): Admit {
  return { kind: 'admit', apiKeyId, replayed: false, headers: noHeaders, meta: noMeta, ...rest };
}

const noHeaders: readonly string[] = [];
const noMeta = {};

function keyReceipt(request: AccessRequest, keyId: string, ulid: () => string): ReceiptInput {
  const receipt = receiptOfRequest(request, { ulid, nowMs: request.nowMs });
  return {
    ...receipt,
    reconciliationKey: reconciliationKeyOfResponse(receipt.responseId),
    settlementMode: 'api_key_not_charged',
    quotedMicro: request.servable.priceMicroUsd,
    payerIdentity: `apikey:${keyId}`,
    apiKeyId: keyId,
  };
}

// a revocation may have come since they were last read (P6.3, X49)
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
