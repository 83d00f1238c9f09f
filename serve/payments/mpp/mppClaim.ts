import type { AccessRequest } from '../../access/accessDecision.ts';
import { receiptOfRequest } from '../../access/receiptOfRequest.ts';
import type { ClaimInput } from '../../ledger/port/payment.ts';
import { reconciliationKeyOfAuthorization } from '../../ledger/rows/receipt.ts';
import { claimOwnerMs } from '../settle/settlements.ts';
import type { ReadCredential } from './mppChecks.ts';
import type { ValidCharge } from './mppLibrary.ts';
import type { MppTerms } from './mppTerms.ts';

/** Binds a challenge and its transaction to this request: unique challenge id, unique hash (P4.13, P8.20–P8.23). */
export function mppClaim({
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
