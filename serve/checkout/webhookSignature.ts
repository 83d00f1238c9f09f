import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far the time of a notification may lie from ours, either way (P5.7). */
const toleranceSeconds = 300;
const mostSignatures = 16;

/** Why a notification is not taken for one of the provider. */
export type SignatureFault = 'unsigned' | 'wrong_signature' | 'wrong_time';

/**
 * Checks that a notification was signed with our secret over its raw bytes, not long ago (P5.7, S25): header
 * `t=<seconds>,v1=<hex>[,v1=<hex>]`, HMAC-SHA256 over `t`, a dot and the body. Null when it was.
 */
export function signatureFault({
  header,
  body,
  secret,
  nowMs,
}: {
  readonly header: string | null;
  readonly body: Uint8Array;
  readonly secret: string;
  readonly nowMs: number;
}): SignatureFault | null {
  const parts = (header ?? '').split(',', mostSignatures + 1).map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith('t='));
  const time = /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1];
  if (time === undefined || times.length !== 1) return 'unsigned';
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  let same = false;
  for (const part of parts) {
    const hex = /^v1=([0-9a-f]{64})$/.exec(part)?.[1];
    if (hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected)) same = true;
  }
  if (!same) return 'wrong_signature';
  return Math.abs(nowMs / 1000 - Number(time)) <= toleranceSeconds ? null : 'wrong_time';
}
