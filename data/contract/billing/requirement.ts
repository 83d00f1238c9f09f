import type { Deployment } from '../emit/deployment.ts';

/** One entry of `accepts`, as printed and as sent to a provider: ours, byte for byte (S6). */
export type Requirement = {
  readonly scheme: 'exact';
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: Readonly<Record<string, string | number>>;
};

export type X402Provider = 'x402_exact' | 'gateway_batched';

/** EIP-712 name and version of the gateway's domain (P3.1). */
export const gatewayDomain = { name: 'GatewayWalletBatched', version: '1' } as const;

/** How long an authorization must still be valid when the gateway gets it (P3.3). */
export const gatewayMinValiditySeconds = 604_800;

/** What an exact authorization may be valid for, and must still be when it is checked (I5.9, P2.19). */
export const exactTimeoutSeconds = 60;
export const exactMinValiditySeconds = 6;

/** The entries offered for one amount, exact first: a client without special support takes the first (P2.3, P2.5). */
export function requirements(input: {
  deployment: Deployment;
  amountMicroUsd: number;
  payTo: string;
  /** Restricts the entries (I5.11). */
  provider: X402Provider | null;
}): Requirement[] {
  const entries: Requirement[] = [];
  if (input.provider !== 'gateway_batched') entries.push(exactRequirement(input));
  if (input.provider !== 'x402_exact') {
    const gateway = gatewayRequirement(input);
    if (gateway !== null) entries.push(gateway);
  }
  return entries;
}

type Amount = { readonly deployment: Deployment; readonly amountMicroUsd: number; readonly payTo: string };

function exactRequirement(amount: Amount): Requirement {
  const { assetName, assetVersion } = amount.deployment.x402;
  return {
    ...shared(amount),
    maxTimeoutSeconds: exactTimeoutSeconds,
    extra: { name: assetName, version: assetVersion },
  };
}

function gatewayRequirement(amount: Amount): Requirement | null {
  const { gateway } = amount.deployment.x402;
  if (gateway === null) return null;
  return {
    ...shared(amount),
    maxTimeoutSeconds: gateway.timeoutSeconds,
    extra: {
      ...gatewayDomain,
      verifyingContract: gateway.verifyingContract,
      minValiditySeconds: gatewayMinValiditySeconds,
    },
  };
}

function shared({ deployment, amountMicroUsd, payTo }: Amount) {
  const { network, asset } = deployment.x402;
  return { scheme: 'exact', network, asset, amount: String(amountMicroUsd), payTo } as const;
}

/** Name of the x402 extension of signed offers and receipts, in a challenge and in a settlement response (P2.57). */
export const offerReceipt = 'offer-receipt';

/** The form of what the extension says, as small as it may be: it travels in a header. */
export function offerReceiptSchema(member: 'offers' | 'receipt'): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { [member]: { type: member === 'offers' ? 'array' : 'object' } },
    required: [member],
  };
}
