import type { ClaimInput } from '../port/payment.ts';

/** The same bytes in memory of their own: a view would carry the whole buffer behind it to the writer. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

/** A receipt whose fingerprint is bytes of its own. */
export function ownReceipt<R extends { readonly fingerprint: Uint8Array }>(receipt: R): R {
  const fingerprint = ownBytes(receipt.fingerprint);
  return fingerprint === receipt.fingerprint ? receipt : { ...receipt, fingerprint };
}

/** A claim whose keys and hashes are bytes of their own. */
export function ownClaim(claim: ClaimInput): ClaimInput {
  return {
    ...claim,
    claimKey: ownBytes(claim.claimKey),
    nonce: ownBytes(claim.nonce),
    payloadHash: ownBytes(claim.payloadHash),
    fingerprint: ownBytes(claim.fingerprint),
    job: claim.job === null ? null : { ...claim.job, payload: ownBytes(claim.job.payload) },
    receipt: ownReceipt(claim.receipt),
  };
}
