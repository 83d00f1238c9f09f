import type { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { checkoutVariables, keyFitsMode } from './checkoutConfig.ts';
import { missing, wrong } from './configProblem.ts';
import type { Variables } from './configVariables.ts';
import { isLoopback } from './hostAddress.ts';
import { v1NetworkOf } from './paymentsConfig.ts';

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
  const half = together(v, [...shown, ...settled]);
  const told = half.some(({ details }) => details['variable'] === 'II_PAY_MPP_SECRET');
  return [
    ...(previousAlone && !told ? [missing('II_PAY_MPP_SECRET', 'II_PAY_MPP_SECRET_PREVIOUS')] : []),
    ...half,
  ];
}

// a bought budget is spent with a token, and money of one mode never meets a key of the other (P5.10)
function halfCheckout(v: Variables, challengeOnly: boolean): IssuerError[] {
  const half = together(v, checkoutVariables);
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
function together(v: Variables, names: readonly (keyof Variables)[]): IssuerError[] {
  const set = names.find((name) => v[name] !== undefined);
  if (set === undefined) return [];
  return names.filter((name) => v[name] === undefined).map((name) => missing(name, set));
}

// payments travel over TLS, or not at all off this machine (P2.35)
function isSafeUrl(value: string): boolean {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
