import { z } from 'zod';
import type { TransferAuthorization } from '../evm/transferDigest.ts';

/** A transfer as the job queue hands it over. */
export type SignedTransfer = {
  readonly authorization: TransferAuthorization;
  readonly signature: string;
};

/** What a dry run of the transfer says (P9.6 b). */
export type Simulation =
  | { readonly kind: 'ok'; readonly gas: bigint }
  | { readonly kind: 'nonce_used' }
  | { readonly kind: 'reverted'; readonly reason: string };

/** Fees of one transaction in wei per gas (EIP-1559). */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** A mined transaction of ours. */
export type MinedJob = {
  readonly transaction: string;
  readonly succeeded: boolean;
  readonly blockNumber: number;
  readonly gasUsed: bigint;
  readonly effectiveGasPrice: bigint;
};

/**
 * The node and the signing account as the settler needs them. Every method rejects with `RpcFailure` when the node
 * does not answer.
 */
export type SettlerChain = {
  /** Signing address, lower case. */
  readonly signer: string;
  simulate(transfer: SignedTransfer): Promise<Simulation>;
  /** Fees for now; null while the base fee is above the cap. */
  fees(): Promise<Fees | null>;
  /** Wei of the signing account. */
  balance(): Promise<bigint>;
  /** The next account nonce of this process, never assigned twice until a reset (P9.7). */
  allocateNonce(): Promise<number>;
  /** Counts again from the node's pending transactions, after a failure between allocation and sending. */
  resetNonces(): void;
  sign(input: {
    transfer: SignedTransfer;
    accountNonce: number;
    gas: bigint;
    fees: Fees;
  }): Promise<{ readonly rawTx: Uint8Array; readonly txHash: string }>;
  /** `known`: the node has it, or its nonce is taken. */
  send(rawTx: Uint8Array): Promise<'sent' | 'known' | 'no_funds'>;
  mined(txHash: string): Promise<MinedJob | null>;
};

/** The node did not answer, or not in a way that decides anything. */
export class RpcFailure extends Error {}

const address = z.string().regex(/^0x[0-9a-f]{40}$/);
const uint = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/)
  .transform(BigInt);

const jobPayload = z.strictObject({
  authorization: z.strictObject({
    from: address,
    nonce: z.string().regex(/^0x[0-9a-f]{64}$/),
    to: address,
    validAfter: uint,
    validBefore: uint,
    value: uint,
  }),
  signature: z.string().regex(/^0x[0-9a-f]{130}$/),
});

/** The transfer a job was written with (`canonicalPayment`); null when the bytes are no such thing. */
export function transferOfJob(payload: Uint8Array | null): SignedTransfer | null {
  if (payload === null) return null;
  try {
    return jobPayload.parse(JSON.parse(Buffer.from(payload).toString('utf8')));
  } catch {
    return null;
  }
}
