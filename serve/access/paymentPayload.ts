import { invalidPayment } from './credentials.ts';

/** What the payer chose and signed, fields checked for syntax only (P2.8, P2.17). */
export type PaymentPayload = {
  readonly accepted: {
    readonly scheme: string;
    readonly network: string;
    readonly asset: string;
    readonly amount: string;
    readonly payTo: string;
    readonly extraName: string;
    readonly extraVersion: string;
  };
  readonly signature: string;
  readonly authorization: {
    readonly from: string;
    readonly to: string;
    readonly value: bigint;
    readonly validAfter: bigint;
    readonly validBefore: bigint;
    readonly nonce: string;
  };
  readonly resourceUrl: string | null;
};

const maxDepth = 8;
const maxMembers = 64;
const address = /^0x[0-9a-fA-F]{40}$/;
const nonce = /^0x[0-9a-fA-F]{64}$/;
const uint = /^(0|[1-9][0-9]{0,77})$/;
const signature = /^0x([0-9a-fA-F]{2}){65,1024}$/;
const uint256End = 1n << 256n;

/**
 * Decodes a PAYMENT-SIGNATURE whose alphabet and length were checked: UTF-8, JSON of bounded depth and width,
 * shape, field syntax (P2.16, P2.17).
 *
 * @throws IssuerError `invalid_payment` with a reason; nothing of the payload is repeated.
 */
export function decodePayment(base64: string): PaymentPayload {
  const bytes = Buffer.from(base64, 'base64');
  // a decoder that drops trailing bits would give one payment several spellings
  if (bytes.toString('base64') !== base64) throw invalidPayment('not_base64', 'Send padded standard base64.');
  const root = object(parseBounded(bytes), 'payment');
  if (root['x402Version'] !== 2) throw invalidPayment('x402_version', 'Send an x402 version 2 payment.');
  const accepted = object(root['accepted'], 'accepted');
  const extra = object(accepted['extra'], 'accepted.extra');
  const payload = object(root['payload'], 'payload');
  const authorization = object(payload['authorization'], 'payload.authorization');
  const resource = root['resource'] === undefined ? null : object(root['resource'], 'resource');
  if (root['extensions'] !== undefined) object(root['extensions'], 'extensions');
  return {
    accepted: {
      scheme: text(accepted['scheme'], 'accepted.scheme'),
      network: text(accepted['network'], 'accepted.network'),
      asset: text(accepted['asset'], 'accepted.asset', address),
      amount: text(accepted['amount'], 'accepted.amount', uint),
      payTo: text(accepted['payTo'], 'accepted.payTo', address),
      extraName: text(extra['name'], 'accepted.extra.name'),
      extraVersion: text(extra['version'], 'accepted.extra.version'),
    },
    signature: text(payload['signature'], 'payload.signature', signature),
    authorization: {
      from: text(authorization['from'], 'authorization.from', address),
      to: text(authorization['to'], 'authorization.to', address),
      value: integer(authorization['value'], 'authorization.value'),
      validAfter: integer(authorization['validAfter'], 'authorization.validAfter'),
      validBefore: integer(authorization['validBefore'], 'authorization.validBefore'),
      nonce: text(authorization['nonce'], 'authorization.nonce', nonce),
    },
    resourceUrl: resource === null ? null : text(resource['url'], 'resource.url'),
  };
}

type Members = Readonly<Record<string, unknown>>;

function parseBounded(bytes: Buffer): unknown {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidPayment('not_utf8', 'Encode the JSON as UTF-8.');
  }
  if (hasDuplicateMembers(source))
    throw invalidPayment('not_json', 'Send one JSON object without repeated members.');
  let json: unknown;
  try {
    json = JSON.parse(source);
  } catch {
    throw invalidPayment('not_json', 'Send one JSON object.');
  }
  if (!withinBounds(json, maxDepth)) throw invalidPayment('too_complex', 'Send a smaller JSON object.');
  return json;
}

// JSON.parse keeps the last of two equal names and says nothing; a payment must mean one thing
function hasDuplicateMembers(source: string): boolean {
  const open: (Set<string> | null)[] = [];
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;
  let pending: string | null = null;
  for (let found = token.exec(source); found !== null; found = token.exec(source)) {
    const [piece] = found;
    if (piece === '{') open.push(new Set());
    else if (piece === '[') open.push(null);
    else if (piece === '}' || piece === ']') open.pop();
    else if (piece === ':' && pending !== null) {
      const names = open.at(-1);
      if (names instanceof Set) {
        if (names.has(pending)) return true;
        names.add(pending);
      }
    }
    pending = piece.startsWith('"') ? unescapeText(piece) : null;
  }
  return false;
}

function unescapeText(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

function withinBounds(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  const children = Array.isArray(value) ? value : Object.values(value);
  return children.length <= maxMembers && children.every((child) => withinBounds(child, depth - 1));
}

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
    `bad_${name.replaceAll('.', '_')}`,
    'Build the payment from the challenge of a 402 answer.',
  );
}
