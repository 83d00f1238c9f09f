import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Deployment } from '../../data/contract/emit/deployment.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { defaultRateLimits, type RateLimits, type RatePolicy } from '../http/rateLimit.ts';
import type { LedgerAddress } from '../ledger/port/ledgerAddress.ts';
import { checkoutConfig } from './checkoutConfig.ts';
import { foundBy, halfConfigured, together, withoutEchoes, wrong } from './configProblem.ts';
import {
  parseListenAddress,
  rateVariable,
  secretVariables,
  type Variables,
  variables,
} from './configVariables.ts';
import { grantsConfig } from './grantsConfig.ts';
import { isLoopback, isPrivateHost } from './hostAddress.ts';
import { priceDecimals } from './knownNetworks.ts';
import { paymentsConfig, paymentToken, refuseMisplacedAddresses } from './paymentsConfig.ts';
import { storeConfig } from './storeConfig.ts';

/** The configuration of one server, read once (P0.6). */
export type Config = Readonly<ReturnType<typeof configOf>>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from the environment and, under it, an env file; the environment wins (P0.6).
 *
 * @throws IssuerError `configuration`, naming every variable that is an unknown `II_*` name, has a value out of range or
 * belongs to a half-configured rail.
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
  for (const [name, value] of Object.entries(merged))
    if (known.has(name) && value !== undefined && value !== '') given[name] = value;
  const strangers = Object.keys(merged).filter((name) => name.startsWith('II_') && !known.has(name));
  const { values, faulty } = readValues(given);
  const problems = [
    ...strangers.map((name) =>
      wrong(name, 'is no variable of this service', 'Remove it or correct its name.'),
    ),
    ...faulty,
    ...withoutEchoes(crossProblems(values, given, merged), faulty),
  ];
  if (problems.length > 0) throw together(problems);
  return configOf(values, given, merged);
}

/** Values of what is valid, and a problem for each variable that is not. */
function readValues(given: Readonly<Record<string, string>>): { values: Variables; faulty: IssuerError[] } {
  const parsed = variables.safeParse(given);
  if (parsed.success) return { values: parsed.data, faulty: [] };
  const byName = new Map(parsed.error.issues.toReversed().map((issue) => [String(issue.path[0]), issue]));
  const faulty = [...byName]
    .reverse()
    .map(([name, issue]) =>
      given[name] === undefined
        ? wrong(name, 'is required', 'Set it, or start with --env-file serve/demo.env.')
        : wrong(name, 'has a value that is not valid', `It takes ${issue.message}.`),
    );
  const valid = Object.fromEntries(Object.entries(given).filter(([name]) => !byName.has(name)));
  // a stand-in, so that the rest can be checked; nothing starts with it
  return { values: variables.parse({ II_BASE_URL: 'http://127.0.0.1', ...valid }), faulty };
}

/** What contradicts itself although each value is valid. */
function crossProblems(
  v: Variables,
  given: Readonly<Record<string, string>>,
  merged: Environment,
): IssuerError[] {
  const { host, port } = listenAddress(v);
  return [
    ...halfConfigured(v, merged['NODE_ENV'] === 'production'),
    ...foundBy(() => storeConfig(v, merged)),
    ...foundBy(() => refuseMisplacedAddresses(v)),
    ...foundBy(() => paymentToken(v)),
    ...foundBy(() => ledgerAddress(v)),
    ...foundBy(() => adminListen(v, { host, port })),
    ...offInPublic(given, isLoopback(host)),
    ...foundBy(() => paymentsConfig(v)),
    ...foundBy(() => grantsConfig(v.II_PAY_GRANT_SECRETS)),
  ];
}

function configOf(values: Variables, given: Readonly<Record<string, string>>, merged: Environment) {
  const store = storeConfig(values, merged);
  const listen = listenAddress(values);
  const loopback = isLoopback(listen.host);
  return {
    dataRoot: resolve(values.II_DATA),
    /** The artifacts of this machine; with a bucket, those are its own alone. */
    artifactsRoot: store.kind === 'directory' ? store.root : join(resolve(values.II_DATA), 'artifacts'),
    store,
    ledger: ledgerAddress(values),
    listen: { ...listen, loopback },
    /** Metrics and the operations page; loopback or a private address. */
    adminListen: adminListen(values, listen),
    trustedProxies: values.II_TRUSTED_PROXIES?.split(',').map((part) => part.trim()) ?? [],
    rateLimits: rateLimits(given),
    inFlight: { all: values.II_IN_FLIGHT, address: values.II_IN_FLIGHT_ADDRESS },
    deployment: deployment(values),
    /** Every configured rail shows its challenge and settles nothing (P0.7). */
    challengeOnly: values.II_PAY_CHALLENGE_ONLY === 'on',
    payments: paymentsConfig(values),
    grants: grantsConfig(values.II_PAY_GRANT_SECRETS),
    /** null: nothing is sold by card. */
    checkout: checkoutConfig(values),
    tools: toolsConfig(values),
    /** Whom to tell of a weakness, a URI; null: none is named. */
    securityContact: values.II_SECURITY_CONTACT ?? null,
    /** Every variable with its effective value; secrets as `set` or `unset`. */
    effective: effective(values),
  };
}

type Address = { readonly host: string; readonly port: number };

function listenAddress(v: Variables): Address {
  return parseListenAddress(v.II_LISTEN) ?? { host: '127.0.0.1', port: 0 };
}

// never public: what it shows is for the operator alone (P0.6)
function adminListen(v: Variables, listen: Address): Address {
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

function rateLimits(given: Readonly<Record<string, string>>): RateLimits {
  const limits: Record<RatePolicy, number | 'off'> = { ...defaultRateLimits };
  for (const policy of Object.keys(defaultRateLimits) as RatePolicy[]) {
    const value = given[rateVariable(policy)];
    if (value !== undefined) limits[policy] = value === 'off' ? 'off' : Number(value);
  }
  return limits;
}

function offInPublic(given: Readonly<Record<string, string>>, loopback: boolean): IssuerError[] {
  if (loopback) return [];
  return Object.keys(defaultRateLimits)
    .map((policy) => rateVariable(policy as RatePolicy))
    .filter((name) => given[name] === 'off')
    .map((name) => wrong(name, 'is off on a public listener', 'Set a limit a minute.'));
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
    disabledTools: [...toolsConfig(v).disabled].sort(),
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

/** How tools are called on this deployment. */
function toolsConfig(v: Variables) {
  return {
    disabled: new Set(listed(v.II_MCP_TOOLS_DISABLED).filter((name) => name !== 'none')),
    hosts: listed(v.II_MCP_HOSTS),
    /** null: any */
    origins: v.II_MCP_ORIGINS === undefined ? null : listed(v.II_MCP_ORIGINS),
    /** a client that names its revision is asked for payment inside the call (P10.4) */
    inBandAuto: v.II_PAY_MCP_INBAND === 'auto',
  };
}

function listed(text: string | undefined): string[] {
  return text === undefined
    ? []
    : text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
}
