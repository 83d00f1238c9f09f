import { isIP } from 'node:net';
import { z } from 'zod';
import { intelTools, toolsForKeys } from '../../data/contract/tools/intelTools.ts';
import { checksumAddress } from '../evm/ethereumBytes.ts';
import { defaultInFlight } from '../http/inFlight.ts';
import { defaultRateLimits, type RatePolicy } from '../http/rateLimit.ts';
import { priceDecimals } from './knownNetworks.ts';

// the II_* names of PAYMENTS P0.6; one schema, one place

const unreleased = { since: 'Unreleased' };
/** A variable that may be unset. */
const maybe = <S extends z.ZodType>(schema: S, meaning: string, more: { since?: string } = {}) =>
  schema.optional().meta({ meaning, ...more });
const onOff = (otherwise: 'on' | 'off', meaning: string) =>
  z.enum(['on', 'off']).default(otherwise).meta({ meaning });
// money sent to the zero address or a mistyped one is lost
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits')
  .refine((value) => !/^0x0{40}$/.test(value), 'an address other than the zero address')
  .refine(
    isSpelledRight,
    'an address whose EIP-55 checksum, its pattern of capitals, is right: check every digit, or write it in lower case',
  )
  .meta({ type: 'address' });
const url = z.string().refine(isHttpUrl, 'an http or https URL').meta({ type: 'URL' });
const text = z.string().min(1).meta({ type: 'text' });
const secret = z.string().min(32, 'at least 32 characters').meta({ type: 'text of 32 characters or more' });
const listener = z.string().refine(isListenAddress, 'host:port').meta({ type: 'host:port' });
// prices are micro-USD, printed as base units of the token (P0.2)
const decimals = z.enum([priceDecimals], `${priceDecimals}: a token of other decimals cannot be charged`);
const rateMeanings: Readonly<Record<RatePolicy, string>> = {
  ip: 'requests of one address or IPv6 network',
  payer: 'paid requests of one payer',
  grant: 'requests of one grant',
  key: 'requests of one API key',
  challenge: 'sign-in messages one address may fetch',
  wallet: 'sign-ins of one wallet',
  badpay: 'refused payments of one address',
  probe: 'requests of one address to `/health` and `/ready`',
};
const ratePolicies = Object.keys(defaultRateLimits) as RatePolicy[];

/**
 * Schema of every variable the service knows; values are what the environment holds, defaults are filled in. The meaning
 * and the unit of each go into the reference of variables; `since` where it is younger than 1.0.0.
 */
export const variables = z.object({
  II_DATA: text
    .default('./data')
    .meta({ meaning: 'root of what exists at run time: artifacts, ledger, raw files, warehouse' }),
  II_STORE: maybe(
    text,
    'where artifacts are: a directory, or `s3://<bucket>/<prefix>` with the usual `AWS_*` variables; unset: `<II_DATA>/artifacts`',
    unreleased,
  ),
  II_STORE_CACHE_BYTES: wholeNumber(67_108_864, 1_125_899_906_842_624)
    .default(8_589_934_592)
    .meta({
      meaning: 'most disk that the local replica of a bucket takes, `<II_DATA>/replica`',
      unit: 'bytes',
      ...unreleased,
    }),
  II_LISTEN: listener.default('127.0.0.1:8402').meta({ meaning: 'public listener' }),
  II_ADMIN_LISTEN: listener
    .default('127.0.0.1:8403')
    .meta({ meaning: 'listener of metrics and the operations page; loopback or a private address' }),
  II_BASE_URL: z
    .string()
    .refine(isOrigin, 'an origin such as https://api.example.com, without path')
    .meta({ type: 'origin' })
    .meta({ meaning: 'public origin; what challenges, receipts and sign-in messages name' }),
  II_SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\S+)$/, 'a mailto:, https: or tel: address')
    .meta({ type: 'URI' })
    .optional()
    .meta({
      meaning: 'whom to tell of a weakness; unset: there is no `/.well-known/security.txt`',
      ...unreleased,
    }),
  II_LEDGER: maybe(text, 'the books: `sqlite:<path>` or `postgres://…`; unset: `<II_DATA>/ledger/ledger.db`'),
  DATABASE_URL: maybe(text, 'another name of `II_LEDGER`'),
  II_EDGAR_CONTACT: maybe(text, 'name and address SEC sees; read by the night only'),
  II_COINGECKO_KEY: maybe(text, 'key of a plan of the price source; read by the night only'),
  II_BUILD_MEMORY_BYTES: wholeNumber(64_000_000, 1_125_899_906_842_624)
    .default(256_000_000)
    .meta({
      meaning: 'most memory the database may hold of the warehouse it builds; read by the night only',
      unit: 'bytes',
      ...unreleased,
    }),
  II_ALERT_COMMAND: maybe(
    text,
    'shell command that is run when a unit failed; read by `issuer-failed@` only',
    unreleased,
  ),
  II_BRIEF_MODEL_URL: maybe(
    text,
    'language model that may choose the sentences of briefs; read by the night only',
    unreleased,
  ),
  II_BRIEF_MODEL: maybe(text, 'name of that model; read by the night only', unreleased),
  II_BRIEF_MODEL_ENABLED: maybe(text, '`true` lets it choose; read by the night only', unreleased),
  II_BRIEF_MODEL_KEY: maybe(text, 'its bearer token; read by the night only', unreleased),
  II_TRUSTED_PROXIES: z
    .string()
    .refine(isAddressList, 'IP addresses or networks, separated by commas')
    .meta({ type: 'addresses, networks' })
    .optional()
    .meta({ meaning: 'proxies whose forwarding headers count; unset: none' }),
  II_MCP_TOOLS_DISABLED: text
    .refine(areTools, 'names of intel_ tools, separated by commas, or none')
    .default(toolsForKeys.join(','))
    .meta({
      meaning: 'tools that a payment does not open, an API key alone, separated by commas; or `none`',
    }),
  II_MCP_HOSTS: maybe(
    text,
    'further names in `Host` that tools are called by, separated by commas; that of the base URL always counts',
    unreleased,
  ),
  II_MCP_ORIGINS: maybe(
    text,
    'origins of pages that may call tools, separated by commas; unset: any on a public address',
    unreleased,
  ),
  II_PAY_NETWORK: z
    .string()
    .regex(/^eip155:[1-9]\d{0,18}$/, 'a CAIP-2 chain such as eip155:8453')
    .meta({ type: 'CAIP-2 chain' })
    .default('eip155:8453')
    .meta({ meaning: 'chain of the x402 rail' }),
  // without them USDC of the network (P0.8)
  II_PAY_ASSET: maybe(address, 'token of the x402 rail; unset: USDC of the network'),
  II_PAY_ASSET_NAME: maybe(text, 'EIP-712 name of a token the program does not know'),
  II_PAY_ASSET_VERSION: maybe(text, 'EIP-712 version of a token the program does not know'),
  II_PAY_ASSET_DECIMALS: maybe(decimals, 'decimals of a token the program does not know', unreleased),
  II_PAY_TO: maybe(address, 'address x402 payments go to; unset: the rail is off'),
  II_PAY_CHALLENGE_ONLY: onOff('off', '`on`: complete challenges, nothing is settled; not in production'),
  II_PAY_EXACT: z
    .enum(['facilitator', 'self', 'off'])
    .default('facilitator')
    .meta({ meaning: 'who settles x402 payments: a facilitator, the settlement process, nobody' }),
  II_PAY_FACILITATOR_URL: maybe(url, 'where the facilitator is'),
  II_PAY_FACILITATOR_AUTH: maybe(text, 'bearer token for the facilitator'),
  II_PAY_EXACT_VERIFY: z
    .enum(['facilitator', 'settle'])
    .default('facilitator')
    .meta({ meaning: 'a call of its own to check a payment, or the settlement call alone' }),
  II_PAY_CONTRACT_WALLETS: z
    .enum(['facilitator', 'refuse'])
    .default('facilitator')
    .meta({ meaning: 'payments of contract wallets: checked by the facilitator, or refused' }),
  II_PAY_CONFIRM: z
    .enum(['trust', 'receipt'])
    .default('trust')
    .meta({ meaning: 'believe the facilitator, or read the transfer on the chain before serving' }),
  II_PAY_RPC_URL: maybe(
    url,
    'node of the x402 chain; needed to settle by oneself, to confirm, to check books with the chain',
  ),
  II_PAY_SIGNER_KEY_FILE: maybe(
    text,
    'file with the key of the settlement process, readable by its owner only',
  ),
  II_PAY_MAX_FEE_GWEI: wholeNumber(1, 10_000)
    .default(5)
    .meta({ meaning: 'most it pays for gas', unit: 'gwei' }),
  II_PAY_V1_COMPAT: onOff('off', '`on`: challenges for version 1 clients as well'),
  II_PAY_PROOF_KEY_FILE: maybe(
    text,
    'file with the Ed25519 key (PEM) that signs offers and receipts, readable by its owner only; unset: they are not signed',
    unreleased,
  ),
  II_PAY_BAZAAR: onOff('on', 'adds the discovery extension to challenges'),
  II_PAY_GATEWAY: onOff('off', 'batched x402 beside the exact one'),
  II_PAY_GATEWAY_URL: maybe(url, 'where the gateway is'),
  II_PAY_GATEWAY_WALLET: maybe(address, 'wallet contract of the gateway'),
  II_PAY_GATEWAY_TIMEOUT_S: wholeNumber(604_800, 31_536_000)
    .default(604_900)
    .meta({ meaning: 'how long a batched payment stays valid, as published', unit: 'seconds' }),
  II_PAY_SETTLE_WAIT_MS: wholeNumber(1, 19_999)
    .default(10_000)
    .meta({ meaning: 'how long a request waits for its settlement', unit: 'milliseconds' }),
  II_PAY_SETTLE_CALL_MS: wholeNumber(1, 600_000)
    .default(60_000)
    .meta({ meaning: 'how long the settlement call may go on behind it', unit: 'milliseconds' }),
  II_PAY_MPP_RECIPIENT: maybe(address, 'address MPP payments go to; the family is set together'),
  II_PAY_MPP_CURRENCY: maybe(address, 'token of MPP payments'),
  II_PAY_MPP_CURRENCY_DECIMALS: maybe(
    decimals,
    'decimals of a currency the program does not know',
    unreleased,
  ),
  II_PAY_MPP_CHAIN_ID: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ meaning: 'chain of MPP payments' }),
  II_PAY_MPP_RPC_URL: maybe(url, 'node of that chain'),
  II_PAY_MPP_SECRET: maybe(secret, 'secret that binds MPP challenges'),
  II_PAY_MPP_SECRET_PREVIOUS: maybe(secret, 'the one before it, while challenges of it are out'),
  // another name has no implementation (P4.18)
  II_PAY_MPP_METHOD: z.enum(['tempo'], 'tempo').default('tempo').meta({ meaning: 'method of MPP payments' }),
  II_PAY_CHECKOUT_PROVIDER: z
    .enum(['stripe'])
    .optional()
    .meta({ meaning: 'sells budgets by card; the family is set together' }),
  II_PAY_CHECKOUT_SECRET_KEY: maybe(text, 'API key at the provider'),
  II_PAY_CHECKOUT_WEBHOOK_SECRET: maybe(text, 'secret of its notifications'),
  II_PAY_CHECKOUT_API_BASE: maybe(url, 'where its API is'),
  II_PAY_CHECKOUT_SUCCESS_URL: maybe(url, 'where a buyer lands who paid'),
  II_PAY_CHECKOUT_CANCEL_URL: maybe(url, 'where a buyer lands who left'),
  II_PAY_CHECKOUT_LIVE: z
    .enum(['true', 'false'])
    .optional()
    .meta({ meaning: '`true`: real cards; must fit the key' }),
  II_PAY_GRANT_SECRETS: maybe(
    text,
    'secrets that sign grant tokens, JSON `{"<kid>":"<base64 of 32 bytes>"}`, newest first; unset: grants are off',
  ),
  II_PAY_SHADOW: onOff('off', '`on`: charges nothing and records what it would; not in production'),
  II_PAY_MCP_INBAND: z
    .enum(['auto', 'explicit'])
    .default('auto')
    .meta({ meaning: 'how tool calls are paid inside the call' }),
  II_PAY_DOUBLE_GUARD: onOff('on', 'keeps one payer from paying twice for one answer by accident'),
  II_PAY_GATEWAY_MAX_QUEUED_MICRO: z
    .string()
    .regex(/^[1-9]\d{0,15},[1-9]\d{0,15}$/, 'two whole numbers, per payer and in total')
    .meta({ type: 'two whole numbers' })
    .default('100000000,5000000000')
    .meta({ meaning: 'what the gateway may owe: one payer, all together', unit: 'micro-USD' }),
  II_IN_FLIGHT: wholeNumber(8, 65_536)
    .default(defaultInFlight.all)
    .meta({
      meaning: 'most requests that are answered at a time; above it the answer is 503',
      unit: 'requests',
      ...unreleased,
    }),
  II_IN_FLIGHT_ADDRESS: wholeNumber(8, 65_536)
    .default(defaultInFlight.address)
    .meta({
      meaning: 'the same of one address or IPv6 /64; all of it where a proxy is not in `II_TRUSTED_PROXIES`',
      unit: 'requests',
      ...unreleased,
    }),
  ...Object.fromEntries(
    ratePolicies.map((policy) => [
      rateVariable(policy),
      z
        .string()
        .regex(/^(off|[1-9]\d{0,6})$/, 'a whole number a minute, or off')
        .meta({ type: 'whole number, or `off` on loopback' })
        .optional()
        .meta({
          meaning: rateMeanings[policy],
          unit: 'requests a minute',
          default: String(defaultRateLimits[policy]),
          since: policy === 'probe' ? 'Unreleased' : '1.0.0',
        }),
    ]),
  ),
});

export type Variables = z.infer<typeof variables>;

/** Variables whose values are never shown (P0.6). URLs of nodes often carry a key, so they count. */
export const secretVariables: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'II_COINGECKO_KEY',
  // a webhook's address is a credential
  'II_ALERT_COMMAND',
  'II_BRIEF_MODEL_KEY',
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
    .refine((value) => value >= least && value <= most, `a whole number from ${least} to ${most}`)
    .meta({ type: 'whole number' });
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

function areTools(value: string): boolean {
  const names = new Set(intelTools.map(({ name }) => name));
  return value.trim() === 'none' || value.split(',').every((part) => names.has(part.trim()));
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
