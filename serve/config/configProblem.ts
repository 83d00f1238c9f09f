import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { checkoutVariables, keyFitsMode } from './checkoutConfig.ts';
import type { Variables } from './configVariables.ts';
import { isLoopback } from './hostAddress.ts';
import { v1NetworkOf } from './knownNetworks.ts';

/** A variable that is needed because of another setting. */
function missing(name: string, because: string): IssuerError {
  return wrong(name, `is missing although ${because} is set`, `Set ${name}, or leave ${because} out.`);
}

/** A variable with a value the service cannot run with. */
export function wrong(name: string, what: string, hint: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `${name} ${what}.`,
    hint,
    details: { variable: name },
  });
}

/** The problem a check ends with, or none. */
export function foundBy(check: () => void): IssuerError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof IssuerError) return [error];
    throw error;
  }
}

/** The problems but those that are only there because another variable was refused. */
export function withoutEchoes(
  problems: readonly IssuerError[],
  faulty: readonly IssuerError[],
): IssuerError[] {
  const refused = faulty.map(({ details }) => new RegExp(`\\b${details['variable']}\\b`));
  return problems.filter(({ message }) => !refused.some((name) => name.test(message)));
}

/** One error that tells every problem, each with its next step, so that one start finds them all. */
export function together(problems: readonly IssuerError[]): IssuerError {
  const [first] = problems;
  if (first === undefined) throw new Error('there is no problem to tell');
  if (problems.length === 1) return first;
  return new IssuerError({
    code: 'configuration',
    message: `${problems.length} variables stand in the way.`,
    hint: problems.map(({ message, hint }) => `${message} ${hint}`).join('\n  '),
    details: { variables: problems.map(({ details }) => details['variable']) },
  });
}

const safeUrls = [
  'II_PAY_FACILITATOR_URL',
  'II_PAY_GATEWAY_URL',
  'II_PAY_RPC_URL',
  'II_PAY_MPP_RPC_URL',
  'II_PAY_CHECKOUT_API_BASE',
] as const;

/** What of each rail is set without what it needs, and what may not be set in production (P0.6). */
export function halfConfigured(v: Variables, production: boolean): IssuerError[] {
  const challengeOnly = v.II_PAY_CHALLENGE_ONLY === 'on';
  const notInProduction = (['II_PAY_CHALLENGE_ONLY', 'II_PAY_SHADOW'] as const).filter(
    (name) => production && v[name] === 'on',
  );
  return [
    ...notInProduction.map((name) => wrong(name, 'is on in production', 'Set it to off.')),
    ...halfX402(v, challengeOnly),
    ...safeUrls
      .filter((name) => v[name] !== undefined && !isSafeUrl(v[name]))
      .map((name) => wrong(name, 'is not https', 'Use https, or an address of this machine.')),
    ...halfMpp(v, challengeOnly),
    ...halfCheckout(v, challengeOnly),
  ];
}

function halfX402(v: Variables, challengeOnly: boolean): IssuerError[] {
  const gatewayOn = v.II_PAY_GATEWAY === 'on';
  const payTo = v.II_PAY_TO !== undefined;
  const settles = payTo && !challengeOnly;
  const needsChain = v.II_PAY_EXACT === 'self' || v.II_PAY_CONFIRM === 'receipt';
  const needed: readonly (readonly [boolean, keyof Variables, string])[] = [
    [gatewayOn, 'II_PAY_TO', 'II_PAY_GATEWAY'],
    [gatewayOn, 'II_PAY_GATEWAY_WALLET', 'II_PAY_GATEWAY'],
    [gatewayOn && !challengeOnly, 'II_PAY_GATEWAY_URL', 'II_PAY_GATEWAY'],
    [settles && v.II_PAY_EXACT === 'facilitator', 'II_PAY_FACILITATOR_URL', 'II_PAY_TO'],
    [settles && needsChain, 'II_PAY_RPC_URL', 'II_PAY_EXACT'],
  ];
  const nameless = v.II_PAY_V1_COMPAT === 'on' && v1NetworkOf(v.II_PAY_NETWORK) === null;
  return [
    ...needed
      .filter(([asked, name]) => asked && v[name] === undefined)
      .map(([, name, because]) => missing(name, because)),
    ...(nameless
      ? [wrong('II_PAY_V1_COMPAT', 'is on for a chain version 1 has no name for', 'Set it to off.')]
      : []),
  ];
}

function halfMpp(v: Variables, challengeOnly: boolean): IssuerError[] {
  const shown = ['II_PAY_MPP_RECIPIENT', 'II_PAY_MPP_CURRENCY', 'II_PAY_MPP_CHAIN_ID'] as const;
  const settled = challengeOnly ? [] : (['II_PAY_MPP_SECRET', 'II_PAY_MPP_RPC_URL'] as const);
  const previousAlone = v.II_PAY_MPP_SECRET_PREVIOUS !== undefined && v.II_PAY_MPP_SECRET === undefined;
  const half = allOrNone(v, [...shown, ...settled]);
  const told = half.some(({ details }) => details['variable'] === 'II_PAY_MPP_SECRET');
  return [
    ...(previousAlone && !told ? [missing('II_PAY_MPP_SECRET', 'II_PAY_MPP_SECRET_PREVIOUS')] : []),
    ...half,
  ];
}

// a bought budget is spent with a token, and money of one mode never meets a key of the other (P5.10)
function halfCheckout(v: Variables, challengeOnly: boolean): IssuerError[] {
  const half = allOrNone(v, checkoutVariables);
  if (v.II_PAY_CHECKOUT_PROVIDER === undefined) return half;
  const { II_PAY_CHECKOUT_SECRET_KEY: key, II_PAY_CHECKOUT_LIVE: live } = v;
  const otherMode = key !== undefined && live !== undefined && !keyFitsMode(key, live === 'true');
  return [
    ...half,
    ...(v.II_PAY_GRANT_SECRETS === undefined && !challengeOnly
      ? [missing('II_PAY_GRANT_SECRETS', 'II_PAY_CHECKOUT_PROVIDER')]
      : []),
    ...(otherMode
      ? [
          wrong(
            'II_PAY_CHECKOUT_SECRET_KEY',
            'is not a key of the mode II_PAY_CHECKOUT_LIVE names',
            'Use a live key with true and a test key with false.',
          ),
        ]
      : []),
  ];
}

/** A problem for each variable that is not set although another of its family is. */
function allOrNone(v: Variables, names: readonly (keyof Variables)[]): IssuerError[] {
  const set = names.find((name) => v[name] !== undefined);
  if (set === undefined) return [];
  return names.filter((name) => v[name] === undefined).map((name) => missing(name, set));
}

// payments travel over TLS, or not at all off this machine (P2.35)
function isSafeUrl(value: string): boolean {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
