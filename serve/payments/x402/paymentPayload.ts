import { hash } from 'node:crypto';
import { invalidPayment } from '../../access/credentials.ts';
import type { TransferAuthorization } from '../../evm/transferDigest.ts';
import { boundedJson, type JsonFault } from '../../http/boundedJson.ts';

/** The requirement the payer says it chose; addresses are lower case (P2.8, P0.3). */
export type AcceptedOffer = {
  readonly version: 2;
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
  readonly extraName: string;
  readonly extraVersion: string;
  readonly verifyingContract: string | null;
};

/** What a version 1 client says of its choice (P2.50). */
export type AcceptedV1 = { readonly version: 1; readonly scheme: string; readonly network: string };

/** What the payer chose and signed, fields checked for syntax only (P2.8, P2.17). */
export type PaymentPayload = {
  readonly accepted: AcceptedOffer | AcceptedV1;
  /** lower-case hex of 65 to 1024 bytes */
  readonly signature: string;
  readonly authorization: TransferAuthorization;
  readonly resourceUrl: string | null;
  /** `payment-identifier` of the client (I5.29). */
  readonly clientRef: string | null;
};

const address = /^0x[0-9a-fA-F]{40}$/;
const nonce = /^0x[0-9a-fA-F]{64}$/;
const uint = /^(0|[1-9][0-9]{0,77})$/;
const signature = /^0x(?:[0-9a-fA-F]{2}){65,1024}$/;
const identifier = /^[\x21-\x7e]{16,128}$/;
const uint256End = 1n << 256n;

const hints: Readonly<Record<JsonFault, string>> = {
  not_utf8: 'Encode the JSON as UTF-8.',
  not_json: 'Send one JSON object without repeated members.',
  too_complex: 'Send a smaller JSON object.',
};

/**
 * Decodes a payment header whose alphabet and length were checked: UTF-8, JSON of bounded depth and width, shape,
 * field syntax (P2.16, P2.17). Addresses, nonce and signature come out in lower case (P0.3).
 *
 * @throws IssuerError `invalid_payment` with a reason; nothing of the payload is repeated.
 */
export function decodePayment(
  base64: string,
  input: { readonly v1: boolean } = { v1: false },
): PaymentPayload {
  const bytes = Buffer.from(base64, 'base64');
  // a decoder that drops trailing bits would give one payment several spellings
  if (bytes.toString('base64') !== base64) throw invalidPayment('not_base64', 'Send padded standard base64.');
  const parsed = boundedJson(bytes);
  if ('fault' in parsed) throw invalidPayment(parsed.fault, hints[parsed.fault]);
  return readPayment(parsed.value, input);
}

/** The same for a payment that arrived as an object (P10.2). @throws IssuerError `invalid_payment` */
export function readPayment(
  value: unknown,
  { v1 }: { readonly v1: boolean } = { v1: false },
): PaymentPayload {
  const root = object(value, 'payment');
  const version = root['x402Version'];
  if (version !== 2 && !(version === 1 && v1))
    throw invalidPayment('x402_version', 'Send an x402 version 2 payment.');
  const payload = object(root['payload'], 'payload');
  const authorization = object(payload['authorization'], 'payload.authorization');
  const resource = root['resource'] === undefined ? null : object(root['resource'], 'resource');
  return {
    accepted: version === 2 ? acceptedOffer(root) : acceptedV1(root),
    signature: text(payload['signature'], 'payload.signature', signature).toLowerCase(),
    authorization: {
      from: text(authorization['from'], 'authorization.from', address).toLowerCase(),
      to: text(authorization['to'], 'authorization.to', address).toLowerCase(),
      value: integer(authorization['value'], 'authorization.value'),
      validAfter: integer(authorization['validAfter'], 'authorization.validAfter'),
      validBefore: integer(authorization['validBefore'], 'authorization.validBefore'),
      nonce: text(authorization['nonce'], 'authorization.nonce', nonce).toLowerCase(),
    },
    resourceUrl: version === 1 || resource === null ? null : text(resource['url'], 'resource.url'),
    clientRef: clientRef(root['extensions']),
  };
}

function acceptedOffer(root: Members): AcceptedOffer {
  const accepted = object(root['accepted'], 'accepted');
  const extra = object(accepted['extra'], 'accepted.extra');
  const contract = extra['verifyingContract'];
  return {
    version: 2,
    scheme: text(accepted['scheme'], 'accepted.scheme'),
    network: text(accepted['network'], 'accepted.network'),
    asset: text(accepted['asset'], 'accepted.asset', address).toLowerCase(),
    amount: text(accepted['amount'], 'accepted.amount', uint),
    payTo: text(accepted['payTo'], 'accepted.payTo', address).toLowerCase(),
    extraName: text(extra['name'], 'accepted.extra.name'),
    extraVersion: text(extra['version'], 'accepted.extra.version'),
    verifyingContract:
      contract === undefined
        ? null
        : text(contract, 'accepted.extra.verifyingContract', address).toLowerCase(),
  };
}

function acceptedV1(root: Members): AcceptedV1 {
  return { version: 1, scheme: text(root['scheme'], 'scheme'), network: text(root['network'], 'network') };
}

function clientRef(extensions: unknown): string | null {
  if (extensions === undefined) return null;
  const extension = object(extensions, 'extensions')['payment-identifier'];
  if (extension === undefined) return null;
  const info = object(object(extension, 'payment-identifier')['info'] ?? {}, 'payment-identifier.info');
  return info['id'] === undefined ? null : text(info['id'], 'payment-identifier.info.id', identifier);
}

type Members = Readonly<Record<string, unknown>>;

function object(value: unknown, name: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad(name);
  return value as Members;
}

function text(value: unknown, name: string, syntax?: RegExp): string {
  if (typeof value !== 'string' || (syntax !== undefined && !syntax.test(value))) throw bad(name);
  return value;
}

function integer(value: unknown, name: string): bigint {
  const number = BigInt(text(value, name, uint));
  if (number >= uint256End) throw bad(name);
  return number;
}

function bad(name: string) {
  return invalidPayment(
    `bad_${name.replaceAll(/[.-]/g, '_')}`,
    'Build the payment from the challenge of a 402 answer.',
  );
}

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
