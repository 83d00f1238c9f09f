import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Deployment } from '../../contract/emit/deployment.ts';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { defaultRateLimits, type RateLimits, type RatePolicy } from '../http/rateLimit.ts';
import type { LedgerAddress } from '../ledger/port/ledgerAddress.ts';
import { isPrivateHost } from './adminAddress.ts';
import { type CheckoutConfig, checkoutConfig, checkoutVariables, keyFitsMode } from './checkoutConfig.ts';
import { missing, wrong } from './configProblem.ts';
import {
  parseListenAddress,
  rateVariable,
  secretVariables,
  type Variables,
  variables,
} from './configVariables.ts';
import { type GrantsConfig, grantsConfig } from './grantsConfig.ts';
import { priceDecimals } from './knownNetworks.ts';
import { type PaymentsConfig, paymentsConfig, v1NetworkOf } from './paymentsConfig.ts';
import { paymentToken, refuseMisplacedAddresses } from './paymentTokens.ts';

/** The configuration of one server, read once (P0.6). */
export type Config = {
  readonly dataRoot: string;
  readonly artifactsRoot: string;
  readonly ledger: LedgerAddress;
  readonly listen: { readonly host: string; readonly port: number; readonly loopback: boolean };
  /** Metrics and the operations page; loopback or a private address. */
  readonly adminListen: { readonly host: string; readonly port: number };
  readonly trustedProxies: readonly string[];
  readonly rateLimits: RateLimits;
  readonly deployment: Deployment;
  /** Every configured rail shows its challenge and settles nothing (P0.7). */
  readonly challengeOnly: boolean;
  readonly payments: PaymentsConfig;
  readonly grants: GrantsConfig;
  /** null: nothing is sold by card. */
  readonly checkout: CheckoutConfig | null;
  /** Every variable with its effective value; secrets as `set` or `unset`. */
  readonly effective: Readonly<Record<string, string>>;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from the environment and, under it, an env file; the environment wins (P0.6).
 *
 * @throws IssuerError `configuration`, naming the variable, on an unknown `II_*` name, a value out of range or a
 * half-configured rail.
 */
export function readConfig({
  environment,
  envFile,
}: {
  environment: Environment;
  envFile: string | null;
}): Config {
  const merged = { ...(envFile === null ? {} : readEnvFile(envFile)), ...environment };
  const known = new Set(Object.keys(variables.shape));
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(merged)) {
    if (known.has(name) && value !== undefined && value !== '') given[name] = value;
    else if (name.startsWith('II_') && !known.has(name)) {
      throw wrong(name, 'is no variable of this service', 'Remove it or correct its name.');
    }
  }
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0] ?? 'II_*');
    if (given[name] === undefined)
      throw wrong(name, 'is required', 'Set it, or start with --env-file serve/demo.env.');
    throw wrong(name, 'has a value that is not valid', `It takes ${issue?.message ?? 'another value'}.`);
  }
  const values = parsed.data;
  const production = merged['NODE_ENV'] === 'production';
  refuseHalfConfigured(values, production);
  const listen = parseListenAddress(values.II_LISTEN) ?? { host: '127.0.0.1', port: 0 };
  const loopback = isLoopback(listen.host);
  return {
    dataRoot: resolve(values.II_DATA),
    artifactsRoot: join(resolve(values.II_DATA), 'artifacts'),
    ledger: ledgerAddress(values),
    listen: { ...listen, loopback },
    adminListen: adminListen(values, listen),
    trustedProxies: values.II_TRUSTED_PROXIES?.split(',').map((part) => part.trim()) ?? [],
    rateLimits: rateLimits(given, loopback),
    deployment: deployment(values),
    challengeOnly: values.II_PAY_CHALLENGE_ONLY === 'on',
    payments: paymentsConfig(values),
    grants: grantsConfig(values.II_PAY_GRANT_SECRETS),
    checkout: checkoutConfig(values),
    effective: effective(values),
  };
}

const safeUrls = [
  'II_PAY_FACILITATOR_URL',
  'II_PAY_GATEWAY_URL',
  'II_PAY_RPC_URL',
  'II_PAY_MPP_RPC_URL',
  'II_PAY_CHECKOUT_API_BASE',
] as const;

// never public: what it shows is for the operator alone (P0.6)
function adminListen(v: Variables, listen: { host: string; port: number }): Config['adminListen'] {
  const found = parseListenAddress(v.II_ADMIN_LISTEN) ?? { host: '127.0.0.1', port: 0 };
  if (!isPrivateHost(found.host))
    throw wrong(
      'II_ADMIN_LISTEN',
      'is not an address of this machine or of a private network',
      'Use 127.0.0.1.',
    );
  if (found.port !== 0 && found.port === listen.port && found.host === listen.host)
    throw wrong('II_ADMIN_LISTEN', 'is the public listener', 'Give it a port of its own.');
  return found;
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new IssuerError({
      code: 'input_missing',
      message: `The env file ${path} cannot be read.`,
      hint: 'Give the path of a file with NAME=value lines.',
      cause,
    });
  }
}

function refuseHalfConfigured(v: Variables, production: boolean): void {
  const challengeOnly = v.II_PAY_CHALLENGE_ONLY === 'on';
  if (production && challengeOnly)
    throw wrong('II_PAY_CHALLENGE_ONLY', 'is on in production', 'Set it to off.');
  if (production && v.II_PAY_SHADOW === 'on')
    throw wrong('II_PAY_SHADOW', 'is on in production', 'Set it to off.');
  const gatewayOn = v.II_PAY_GATEWAY === 'on';
  if (gatewayOn && v.II_PAY_TO === undefined) throw missing('II_PAY_TO', 'II_PAY_GATEWAY');
  if (gatewayOn && v.II_PAY_GATEWAY_WALLET === undefined)
    throw missing('II_PAY_GATEWAY_WALLET', 'II_PAY_GATEWAY');
  if (!challengeOnly) {
    if (gatewayOn && v.II_PAY_GATEWAY_URL === undefined)
      throw missing('II_PAY_GATEWAY_URL', 'II_PAY_GATEWAY');
    if (
      v.II_PAY_TO !== undefined &&
      v.II_PAY_EXACT === 'facilitator' &&
      v.II_PAY_FACILITATOR_URL === undefined
    ) {
      throw missing('II_PAY_FACILITATOR_URL', 'II_PAY_TO');
    }
    const needsChain = v.II_PAY_EXACT === 'self' || v.II_PAY_CONFIRM === 'receipt';
    if (v.II_PAY_TO !== undefined && needsChain && v.II_PAY_RPC_URL === undefined)
      throw missing('II_PAY_RPC_URL', 'II_PAY_EXACT');
  }
  for (const name of safeUrls) {
    if (v[name] !== undefined && !isSafeUrl(v[name]))
      throw wrong(name, 'is not https', 'Use https, or an address of this machine.');
  }
  if (v.II_PAY_MPP_SECRET_PREVIOUS !== undefined && v.II_PAY_MPP_SECRET === undefined)
    throw missing('II_PAY_MPP_SECRET', 'II_PAY_MPP_SECRET_PREVIOUS');
  if (v.II_PAY_V1_COMPAT === 'on' && v1NetworkOf(v.II_PAY_NETWORK) === null)
    throw wrong('II_PAY_V1_COMPAT', 'is on for a chain version 1 has no name for', 'Set it to off.');
  const mpp = ['II_PAY_MPP_RECIPIENT', 'II_PAY_MPP_CURRENCY', 'II_PAY_MPP_CHAIN_ID'] as const;
  requireTogether(v, [
    ...mpp,
    ...(challengeOnly ? [] : (['II_PAY_MPP_SECRET', 'II_PAY_MPP_RPC_URL'] as const)),
  ]);
  refuseMisplacedAddresses(v);
  requireTogether(v, checkoutVariables);
  if (v.II_PAY_CHECKOUT_PROVIDER !== undefined) refuseHalfCheckout(v, challengeOnly);
}

// a bought budget is spent with a token, and money of one mode never meets a key of the other (P5.10)
function refuseHalfCheckout(v: Variables, challengeOnly: boolean): void {
  if (v.II_PAY_GRANT_SECRETS === undefined && !challengeOnly)
    throw missing('II_PAY_GRANT_SECRETS', 'II_PAY_CHECKOUT_PROVIDER');
  if (!keyFitsMode(v.II_PAY_CHECKOUT_SECRET_KEY ?? '', v.II_PAY_CHECKOUT_LIVE === 'true')) {
    throw wrong(
      'II_PAY_CHECKOUT_SECRET_KEY',
      'is not a key of the mode II_PAY_CHECKOUT_LIVE names',
      'Use a live key with true and a test key with false.',
    );
  }
}

function requireTogether(v: Variables, names: readonly (keyof Variables)[]): void {
  const set = names.find((name) => v[name] !== undefined);
  const unset = names.find((name) => v[name] === undefined);
  if (set !== undefined && unset !== undefined) throw missing(unset, set);
}

function ledgerAddress(v: Variables): LedgerAddress {
  if (v.II_LEDGER !== undefined && v.DATABASE_URL !== undefined && v.II_LEDGER !== v.DATABASE_URL) {
    throw wrong('DATABASE_URL', 'differs from II_LEDGER', 'Set one of them.');
  }
  const name = v.II_LEDGER === undefined && v.DATABASE_URL !== undefined ? 'DATABASE_URL' : 'II_LEDGER';
  const value = v.II_LEDGER ?? v.DATABASE_URL;
  const directory = join(resolve(v.II_DATA), 'ledger');
  if (value === undefined) return { kind: 'sqlite', path: join(directory, 'ledger.db') };
  if (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value)) {
    return { kind: 'postgres', connection: value, markPath: join(directory, 'postgres.mark') };
  }
  const path = /^sqlite:(.+)$/.exec(value)?.[1];
  if (path === undefined)
    throw wrong(name, 'names no ledger', 'Use sqlite:<path> or postgres://user@host/database.');
  return { kind: 'sqlite', path: resolve(path) };
}

function rateLimits(given: Readonly<Record<string, string>>, loopback: boolean): RateLimits {
  const limits: Record<RatePolicy, number | 'off'> = { ...defaultRateLimits };
  for (const policy of Object.keys(defaultRateLimits) as RatePolicy[]) {
    const name = rateVariable(policy);
    const value = given[name];
    if (value === undefined) continue;
    if (value === 'off' && !loopback)
      throw wrong(name, 'is off on a public listener', 'Set a limit a minute.');
    limits[policy] = value === 'off' ? 'off' : Number(value);
  }
  return limits;
}

function deployment(v: Variables): Deployment {
  const token = paymentToken(v);
  const mppOn = v.II_PAY_MPP_RECIPIENT !== undefined && v.II_PAY_MPP_CURRENCY !== undefined;
  return {
    baseUrl: v.II_BASE_URL,
    x402: {
      network: v.II_PAY_NETWORK,
      asset: token.address,
      assetName: token.name,
      assetVersion: token.version,
      payTo: v.II_PAY_EXACT === 'off' ? null : (v.II_PAY_TO ?? null),
      gateway:
        v.II_PAY_GATEWAY === 'on' && v.II_PAY_GATEWAY_WALLET !== undefined
          ? { verifyingContract: v.II_PAY_GATEWAY_WALLET, timeoutSeconds: v.II_PAY_GATEWAY_TIMEOUT_S }
          : null,
    },
    mpp: mppOn
      ? {
          method: v.II_PAY_MPP_METHOD,
          network: `eip155:${v.II_PAY_MPP_CHAIN_ID}`,
          currency: v.II_PAY_MPP_CURRENCY ?? '',
          recipient: v.II_PAY_MPP_RECIPIENT ?? '',
        }
      : null,
    checkoutEnabled: v.II_PAY_CHECKOUT_PROVIDER !== undefined,
  };
}

function effective(given: Variables): Record<string, string> {
  const shown: Record<string, string> = {};
  const { address, name, version } = paymentToken(given);
  const token = { II_PAY_ASSET: address, II_PAY_ASSET_NAME: name, II_PAY_ASSET_VERSION: version };
  const v = { ...given, ...token, II_PAY_ASSET_DECIMALS: priceDecimals };
  for (const name of Object.keys(variables.shape).sort()) {
    const value = (v as Readonly<Record<string, unknown>>)[name];
    const secret = secretVariables.has(name) || (name === 'II_LEDGER' && /^postgres/.test(String(value)));
    shown[name] = value === undefined ? 'unset' : secret ? 'set' : String(value);
  }
  return shown;
}

// payments travel over TLS, or not at all off this machine (P2.35)
function isSafeUrl(value: string): boolean {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
