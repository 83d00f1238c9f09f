import type { Variables } from './configVariables.ts';

/** What the MPP rail needs beside its public terms; null where it is not set. */
export type MppConfig = {
  /** Never printed (S16). */
  readonly secret: string | null;
  /** Verifies for a while after a rotation (P4.19). */
  readonly previousSecret: string | null;
  readonly rpcUrl: string | null;
};

/** How this deployment settles payments (PAYMENTS 0). */
export type PaymentsConfig = {
  readonly challengeOnly: boolean;
  readonly exact: 'facilitator' | 'self' | 'off';
  readonly facilitatorUrl: string | null;
  /** Never printed (S16). */
  readonly facilitatorAuth: string | null;
  readonly verifySeparately: boolean;
  readonly contractWallets: 'facilitator' | 'refuse';
  readonly confirmReceipt: boolean;
  readonly rpcUrl: string | null;
  readonly gatewayUrl: string | null;
  /** Read by the settlement process alone (P9.1). */
  readonly signerKeyFile: string | null;
  /** Signs offers and receipts; null: they are not signed (P2.57). */
  readonly proofKeyFile: string | null;
  /** Above this base fee the settler waits (P9.10). */
  readonly maxFeeGwei: number;
  /** Network name for version 1 clients; null while they are not served (P2.49). */
  readonly v1Network: string | null;
  readonly bazaar: boolean;
  readonly doubleGuard: boolean;
  readonly shadow: boolean;
  readonly settleWaitMs: number;
  readonly settleCallMs: number;
  readonly maxQueuedPerPayerMicro: number;
  readonly maxQueuedTotalMicro: number;
  readonly mpp: MppConfig;
};

/** Names version 1 of the protocol has for chains. */
const v1Networks: Readonly<Record<string, string>> = {
  'eip155:8453': 'base',
  'eip155:84532': 'base-sepolia',
};

/** Name of a chain for version 1 clients; null when that version has none. */
export function v1NetworkOf(network: string): string | null {
  return v1Networks[network] ?? null;
}

/** The payment settings of validated variables. */
export function paymentsConfig(v: Variables): PaymentsConfig {
  const [perPayer = 0, total = 0] = v.II_PAY_GATEWAY_MAX_QUEUED_MICRO.split(',').map(Number);
  return {
    challengeOnly: v.II_PAY_CHALLENGE_ONLY === 'on',
    exact: v.II_PAY_TO === undefined ? 'off' : v.II_PAY_EXACT,
    facilitatorUrl: v.II_PAY_FACILITATOR_URL ?? null,
    facilitatorAuth: v.II_PAY_FACILITATOR_AUTH ?? null,
    verifySeparately: v.II_PAY_EXACT_VERIFY === 'facilitator',
    contractWallets: v.II_PAY_CONTRACT_WALLETS,
    confirmReceipt: v.II_PAY_CONFIRM === 'receipt',
    rpcUrl: v.II_PAY_RPC_URL ?? null,
    gatewayUrl: v.II_PAY_GATEWAY === 'on' ? (v.II_PAY_GATEWAY_URL ?? null) : null,
    signerKeyFile: v.II_PAY_SIGNER_KEY_FILE ?? null,
    proofKeyFile: v.II_PAY_PROOF_KEY_FILE ?? null,
    maxFeeGwei: v.II_PAY_MAX_FEE_GWEI,
    v1Network: v.II_PAY_V1_COMPAT === 'on' ? v1NetworkOf(v.II_PAY_NETWORK) : null,
    bazaar: v.II_PAY_BAZAAR === 'on',
    doubleGuard: v.II_PAY_DOUBLE_GUARD === 'on',
    shadow: v.II_PAY_SHADOW === 'on',
    settleWaitMs: v.II_PAY_SETTLE_WAIT_MS,
    settleCallMs: v.II_PAY_SETTLE_CALL_MS,
    maxQueuedPerPayerMicro: perPayer,
    maxQueuedTotalMicro: total,
    mpp: {
      secret: v.II_PAY_MPP_SECRET ?? null,
      previousSecret: v.II_PAY_MPP_SECRET_PREVIOUS ?? null,
      rpcUrl: v.II_PAY_MPP_RPC_URL ?? null,
    },
  };
}
