import { hash } from 'node:crypto';
import type { TransferAuthorization } from '../../evm/transferDigest.ts';
import type { PaymentPayload } from './paymentPayload.ts';

/** Where an authorization counts: the nonce spaces of token and gateway differ (P3.2). */
export type AuthorizationDomain = {
  readonly network: string;
  /** lower case */
  readonly asset: string;
  /** the asset for exact, the GatewayWallet for the gateway; lower case (P8.20) */
  readonly verifyingContract: string;
};

/** Key of the claim, `payment_authorization_hash` as raw bytes (I5.23, P8.20). */
export function claimKeyOf(authorization: TransferAuthorization, domain: AuthorizationDomain): Uint8Array {
  // RFC 8785 order of members; every value is ASCII that needs no escaping
  const text =
    `{"asset":"${domain.asset}","from":"${authorization.from}","network":"${domain.network}",` +
    `"nonce":"${authorization.nonce}","rail":"x402","verifying_contract":"${domain.verifyingContract}"}`;
  return new Uint8Array(hash('sha256', text, 'buffer'));
}

/** Canonical authorization and signature, which the settler works from (P9.3). */
export function canonicalPayment({
  authorization,
  signature,
}: Pick<PaymentPayload, 'authorization' | 'signature'>): string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return (
    `{"authorization":{"from":"${from}","nonce":"${nonce}","to":"${to}","validAfter":"${validAfter}",` +
    `"validBefore":"${validBefore}","value":"${value}"},"signature":"${signature}"}`
  );
}

/** Identity of one full payment: SHA-256 of its canonical form, not of the header (P8.31). */
export function payloadHashOf(payload: Pick<PaymentPayload, 'authorization' | 'signature'>): Uint8Array {
  return new Uint8Array(hash('sha256', canonicalPayment(payload), 'buffer'));
}
