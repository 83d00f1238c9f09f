import { toolsForKeys } from '../tools/intelTools.ts';

/** What discovery documents and challenges need to know of one deployment; no secret is in it. */
export type Deployment = {
  /** Public origin without trailing slash; the only source of `resource.url` (S21). */
  readonly baseUrl: string;
  readonly x402: X402Rail;
  /** null while the MPP family is off. */
  readonly mpp: MppRail | null;
  readonly checkoutEnabled: boolean;
  /** Tools that an API key alone opens (I4.MCP.14). */
  readonly disabledTools: readonly string[];
};

export type X402Rail = {
  /** CAIP-2 chain id, `eip155:8453`. */
  readonly network: string;
  readonly asset: string;
  /** EIP-712 domain name and version of the asset. */
  readonly assetName: string;
  readonly assetVersion: string;
  /** null while the rail is off. */
  readonly payTo: string | null;
  /** null while batched settlement is off. */
  readonly gateway: { readonly verifyingContract: string; readonly timeoutSeconds: number } | null;
};

/** The one method of MPP that is implemented (P4.18). */
export const defaultMppMethod = 'tempo';

export type MppRail = {
  readonly method: string;
  readonly network: string;
  readonly currency: string;
  readonly recipient: string;
};

/** The deployment the committed documents are made with: documented test addresses, nothing reachable. */
export const documentationDeployment: Deployment = {
  baseUrl: 'https://api.example.com',
  x402: {
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    assetName: 'USD Coin',
    assetVersion: '2',
    payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    gateway: { verifyingContract: '0x77777777Dcc4d5A8B6E418Fd04D8997ef11000eE', timeoutSeconds: 604_900 },
  },
  mpp: {
    method: defaultMppMethod,
    network: 'eip155:42431',
    currency: '0x20c0000000000000000000000000000000000000',
    recipient: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  },
  checkoutEnabled: false,
  disabledTools: toolsForKeys,
};
