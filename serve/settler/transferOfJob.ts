import { z } from 'zod';
import type { SignedTransfer } from './settlerChain.ts';

const address = z.string().regex(/^0x[0-9a-f]{40}$/);
const uint = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/)
  .transform(BigInt);

const jobPayload = z.strictObject({
  authorization: z.strictObject({
    from: address,
    nonce: z.string().regex(/^0x[0-9a-f]{64}$/),
    to: address,
    validAfter: uint,
    validBefore: uint,
    value: uint,
  }),
  signature: z.string().regex(/^0x[0-9a-f]{130}$/),
});

/** The transfer a job was written with (`canonicalPayment`); null when the bytes are no such thing. */
export function transferOfJob(payload: Uint8Array | null): SignedTransfer | null {
  if (payload === null) return null;
  try {
    return jobPayload.parse(JSON.parse(Buffer.from(payload).toString('utf8')));
  } catch {
    return null;
  }
}
