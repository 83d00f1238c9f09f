import type { Deployment, MppRail } from '../../../data/contract/emit/deployment.ts';

/** What every challenge of one deployment says, whatever the route (I5.20). */
export type MppTerms = {
  /** Host of the public origin; no header and no environment decides it (P4.17, S21). */
  readonly realm: string;
  readonly method: string;
  readonly intent: 'charge';
  /** CAIP-2. */
  readonly network: string;
  readonly chainId: number;
  /** As configured; compared without case. */
  readonly currency: string;
  readonly recipient: string;
};

/** The terms of a deployment whose MPP family is on. */
export function mppTerms(deployment: Pick<Deployment, 'baseUrl'>, rail: MppRail): MppTerms {
  return {
    realm: new URL(deployment.baseUrl).hostname,
    method: rail.method,
    intent: 'charge',
    network: rail.network,
    chainId: Number(rail.network.slice('eip155:'.length)),
    currency: rail.currency,
    recipient: rail.recipient,
  };
}

/**
 * The `request` parameter of a price: unpadded base64url over RFC 8785 bytes (P4.1). Amounts are base units on the
 * wire, which for a token of six decimals are micro-USD.
 */
export function requestParameter(terms: MppTerms, amountMicro: number): string {
  const { currency, chainId, recipient } = terms;
  // RFC 8785 order; addresses and decimals need no escaping
  const text =
    `{"amount":"${amountMicro}","currency":"${currency}",` +
    `"methodDetails":{"chainId":${chainId},"supportedModes":["pull"]},"recipient":"${recipient}"}`;
  return Buffer.from(text).toString('base64url');
}

/** Micro-USD as the library takes amounts: decimal units of a token of six decimals (P4.17). */
export function decimalUnits(amountMicro: number): string {
  const whole = Math.floor(amountMicro / 1_000_000);
  const fraction = String(amountMicro % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return fraction === '' ? String(whole) : `${whole}.${fraction}`;
}
