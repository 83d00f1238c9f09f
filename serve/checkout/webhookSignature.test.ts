import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { signatureFault } from './takeWebhook.ts';

const nowMs = 1_770_000_000_000;
const body = Buffer.from('{"id":"evt_1"}');
const mac = (secret: string, seconds: number) =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
const signed = (secret: string, ageSeconds: number) => {
  const seconds = nowMs / 1000 - ageSeconds;
  return `t=${seconds},v1=${mac(secret, seconds)}`;
};

it.each([
  ['of the secret, now', signed('whsec_1', 0), null],
  ['300 s old', signed('whsec_1', 300), null],
  ['behind another one', signed('whsec_1', 0).replace(',v1', `,v1=${'0'.repeat(64)},v1`), null],
  ['301 s old', signed('whsec_1', 301), 'wrong_time'],
  ['from the future', signed('whsec_1', -301), 'wrong_time'],
  ['of another secret', signed('whsec_2', 0), 'wrong_signature'],
  // a forged one does not learn that its time was wrong too
  ['of another secret, old', signed('whsec_2', 301), 'wrong_signature'],
  ['without a code', `t=${nowMs / 1000}`, 'wrong_signature'],
  ['without a time', `v1=${'0'.repeat(64)}`, 'unsigned'],
  ['of two times', `t=1,${signed('whsec_1', 0)}`, 'unsigned'],
  ['missing', null, 'unsigned'],
] as const)('a signature %s: %s is %s (P5.7, S25)', (_, header, fault) => {
  expect(signatureFault({ header, body, secret: 'whsec_1', nowMs })).toBe(fault);
});
