import type { SettleOutcome } from '../settle/settleOutcome.ts';
import type { ChallengeParameters, MppTerms } from './mppChallenge.ts';

// what the worker that holds the payment library is asked and what it answers (P4.11–P4.14)

/** A credential whose cheap checks passed. */
export type ChargeCall = {
  readonly challenge: ChallengeParameters;
  /** 0x + hex */
  readonly transaction: string;
  /** lower-case hex of the request fingerprint */
  readonly fingerprint: string;
  readonly amountMicro: number;
};

/** What is known of a transaction that pays a challenge, before it is sent (P4.12). */
export type ValidCharge = {
  /** lower case */
  readonly sender: string;
  /** Keccak-256 of the canonical bytes, so that spellings of one transaction give one hash. */
  readonly txHash: string;
  /** chain seconds */
  readonly validAfter: number;
  readonly validBefore: number;
};

export type Validation =
  | { readonly kind: 'valid'; readonly charge: ValidCharge }
  /** the client's fault, in one machine word (402) */
  | { readonly kind: 'invalid'; readonly reason: string; readonly sender: string | null }
  /** nothing is known: 503, nothing claimed (P4.17); `transport`: the node did not answer, which says nothing about this payment */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly transport: boolean };

/** Validates without effect, and broadcasts; the mutating call with the harmless name is not here (P4.17). */
export type MppLibrary = {
  validate(call: ChargeCall): Promise<Validation>;
  broadcast(call: ChargeCall & { readonly txHash: string }): Promise<SettleOutcome>;
  /** Loads the library before the first payment. */
  warm(): void;
  close(): Promise<void>;
};

/** What a worker is started with; the secrets never leave the process (S16). */
export type WorkerSettings = {
  readonly terms: MppTerms;
  readonly secrets: readonly string[];
  readonly rpcUrl: string;
  readonly callMs: number;
};

export type ToWorker =
  | { readonly id: number; readonly kind: 'validate'; readonly call: ChargeCall }
  | {
      readonly id: number;
      readonly kind: 'broadcast';
      readonly call: ChargeCall & { readonly txHash: string };
    };

export type FromWorker =
  | { readonly id: number; readonly kind: 'validate'; readonly answer: Validation }
  | { readonly id: number; readonly kind: 'broadcast'; readonly answer: SettleOutcome };
