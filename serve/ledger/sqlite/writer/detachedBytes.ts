import type { ClaimInput } from '../../port/payment.ts';

/** The same bytes in memory of their own: a view would carry the whole buffer behind it to the writer. */
export function detachedBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

/** A receipt whose fingerprint is bytes of its own. */
export function detachedReceipt<R extends { readonly fingerprint: Uint8Array }>(receipt: R): R {
  const fingerprint = detachedBytes(receipt.fingerprint);
  return fingerprint === receipt.fingerprint ? receipt : { ...receipt, fingerprint };
}

/** A claim whose keys and hashes are bytes of their own. */
export function detachedClaim(claim: ClaimInput): ClaimInput {
  return {
    ...claim,
    claimKey: detachedBytes(claim.claimKey),
    nonce: detachedBytes(claim.nonce),
    payloadHash: detachedBytes(claim.payloadHash),
    fingerprint: detachedBytes(claim.fingerprint),
    job: claim.job === null ? null : { ...claim.job, payload: detachedBytes(claim.job.payload) },
    receipt: detachedReceipt(claim.receipt),
  };
}

/** An input whose own bytes are bytes of their own. */
export function detachedInput<Input extends object>(input: Input): Input {
  const members = Object.entries(input).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? detachedBytes(value) : value,
  ]);
  return Object.fromEntries(members) as Input;
}
