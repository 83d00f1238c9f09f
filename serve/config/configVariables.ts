import { isIP } from 'node:net';
import { z } from 'zod';
import { checksumAddress } from '../evm/checksumAddress.ts';
import { defaultRateLimits, type RatePolicy } from '../http/rateLimit.ts';
import { priceDecimals } from './knownNetworks.ts';

// the II_* names of PAYMENTS P0.6; one schema, one place

const onOff = z.enum(['on', 'off']);
// money sent to the zero address or a mistyped one is lost
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits')
  .refine((value) => !/^0x0{40}$/.test(value), 'an address other than the zero address')
  .refine(
    isSpelledRight,
    'an address whose EIP-55 checksum, its pattern of capitals, is right: check every digit, or write it in lower case',
  );
const url = z.string().refine(isHttpUrl, 'an http or https URL');
const milliseconds = (least: number, most: number) => wholeNumber(least, most);
const text = z.string().min(1);
// prices are micro-USD, printed as base units of the token (P0.2)
const decimals = z.enum([priceDecimals], `${priceDecimals}: a token of other decimals cannot be charged`);
const ratePolicies = Object.keys(defaultRateLimits) as RatePolicy[];

/** Schema of every variable the service knows; values are what the environment holds, defaults are filled in. */
export const variables = z.object({
  II_DATA: text.default('./data'),
  II_LISTEN: z.string().refine(isListenAddress, 'host:port').default('127.0.0.1:8402'),
  II_ADMIN_LISTEN: z.string().refine(isListenAddress, 'host:port').default('127.0.0.1:8403'),
  II_BASE_URL: z.string().refine(isOrigin, 'an origin such as https://api.example.com, without path'),
  II_LEDGER: text.optional(),
  DATABASE_URL: text.optional(),
  II_EDGAR_CONTACT: text.optional(),
  II_TRUSTED_PROXIES: z
    .string()
    .refine(isAddressList, 'IP addresses or networks, separated by commas')
    .optional(),
  II_MCP_TOOLS_DISABLED: text.optional(),
  II_PAY_NETWORK: z
    .string()
    .regex(/^eip155:[1-9]\d{0,18}$/, 'a CAIP-2 chain such as eip155:8453')
    .default('eip155:8453'),
  // without them USDC of the network (P0.8)
  II_PAY_ASSET: address.optional(),
  II_PAY_ASSET_NAME: text.optional(),
  II_PAY_ASSET_VERSION: text.optional(),
  II_PAY_ASSET_DECIMALS: decimals.optional(),
  II_PAY_TO: address.optional(),
  II_PAY_CHALLENGE_ONLY: onOff.default('off'),
  II_PAY_EXACT: z.enum(['facilitator', 'self', 'off']).default('facilitator'),
  II_PAY_FACILITATOR_URL: url.optional(),
  II_PAY_FACILITATOR_AUTH: text.optional(),
  II_PAY_EXACT_VERIFY: z.enum(['facilitator', 'settle']).default('facilitator'),
  II_PAY_CONTRACT_WALLETS: z.enum(['facilitator', 'refuse']).default('facilitator'),
  II_PAY_CONFIRM: z.enum(['trust', 'receipt']).default('trust'),
  II_PAY_RPC_URL: url.optional(),
  II_PAY_SIGNER_KEY_FILE: text.optional(),
  II_PAY_MAX_FEE_GWEI: wholeNumber(1, 10_000).default(5),
  II_PAY_V1_COMPAT: onOff.default('off'),
  II_PAY_BAZAAR: onOff.default('on'),
  II_PAY_GATEWAY: onOff.default('off'),
  II_PAY_GATEWAY_URL: url.optional(),
  II_PAY_GATEWAY_WALLET: address.optional(),
  II_PAY_GATEWAY_TIMEOUT_S: wholeNumber(604_800, 31_536_000).default(604_900),
  II_PAY_SETTLE_WAIT_MS: milliseconds(1, 19_999).default(10_000),
  II_PAY_SETTLE_CALL_MS: milliseconds(1, 600_000).default(60_000),
  II_PAY_MPP_RECIPIENT: address.optional(),
  II_PAY_MPP_CURRENCY: address.optional(),
  II_PAY_MPP_CURRENCY_DECIMALS: decimals.optional(),
  II_PAY_MPP_CHAIN_ID: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  II_PAY_MPP_RPC_URL: url.optional(),
  II_PAY_MPP_SECRET: z.string().min(32, 'at least 32 characters').optional(),
  II_PAY_MPP_SECRET_PREVIOUS: z.string().min(32, 'at least 32 characters').optional(),
  // another name has no implementation (P4.18)
  II_PAY_MPP_METHOD: z.enum(['tempo'], 'tempo').default('tempo'),
  II_PAY_CHECKOUT_PROVIDER: z.enum(['stripe']).optional(),
  II_PAY_CHECKOUT_SECRET_KEY: text.optional(),
  II_PAY_CHECKOUT_WEBHOOK_SECRET: text.optional(),
  II_PAY_CHECKOUT_API_BASE: url.optional(),
  II_PAY_CHECKOUT_SUCCESS_URL: url.optional(),
  II_PAY_CHECKOUT_CANCEL_URL: url.optional(),
  II_PAY_CHECKOUT_LIVE: z.enum(['true', 'false']).optional(),
  II_PAY_GRANT_SECRETS: text.optional(),
  II_PAY_SHADOW: onOff.default('off'),
  II_PAY_MCP_INBAND: z.enum(['auto', 'explicit']).default('auto'),
  II_PAY_DOUBLE_GUARD: onOff.default('on'),
  II_PAY_GATEWAY_MAX_QUEUED_MICRO: z
    .string()
    .regex(/^[1-9]\d{0,15},[1-9]\d{0,15}$/, 'two whole numbers, per payer and in total')
    .default('100000000,5000000000'),
  ...Object.fromEntries(
    ratePolicies.map((policy) => [
      rateVariable(policy),
      z
        .string()
        .regex(/^(off|[1-9]\d{0,6})$/, 'a whole number a minute, or off')
        .optional(),
    ]),
  ),
});

export type Variables = z.infer<typeof variables>;

/** Variables whose values are never shown (P0.6). URLs of nodes often carry a key, so they count. */
export const secretVariables: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'II_PAY_FACILITATOR_AUTH',
  'II_PAY_RPC_URL',
  'II_PAY_MPP_RPC_URL',
  'II_PAY_MPP_SECRET',
  'II_PAY_MPP_SECRET_PREVIOUS',
  'II_PAY_CHECKOUT_SECRET_KEY',
  'II_PAY_CHECKOUT_WEBHOOK_SECRET',
  'II_PAY_GRANT_SECRETS',
]);

/** Name of the variable that sets the limit of one policy: `II_RATE_KEY`. */
export function rateVariable(policy: RatePolicy): `II_RATE_${string}` {
  return `II_RATE_${policy.toUpperCase()}`;
}

/** Host and port of a listen address; null when it is none. */
export function parseListenAddress(value: string): { host: string; port: number } | null {
  const found = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(value);
  const host = found?.[1] ?? found?.[2];
  const port = Number(found?.[3]);
  return host === undefined || port > 65_535 ? null : { host, port };
}

function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,16}$/, 'a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `a whole number from ${least} to ${most}`);
}

// one case throughout carries no checksum (EIP-55)
function isSpelledRight(value: string): boolean {
  const digits = value.slice(2);
  const lowerCase = digits.toLowerCase();
  const mixed = digits !== lowerCase && digits !== digits.toUpperCase();
  return !mixed || checksumAddress(`0x${lowerCase}`) === value;
}

function isListenAddress(value: string): boolean {
  return parseListenAddress(value) !== null;
}

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isOrigin(value: string): boolean {
  return isHttpUrl(value) && new URL(value).origin === value;
}

function isAddressList(value: string): boolean {
  return value.split(',').every((part) => {
    const [ip = '', prefix] = part.trim().split('/');
    const family = isIP(ip);
    return (
      family !== 0 &&
      (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)))
    );
  });
}
