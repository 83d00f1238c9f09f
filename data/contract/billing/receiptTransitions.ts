import type { chargeStatuses, settlementModes } from './billingEnvelope.ts';

type ChargeStatus = (typeof chargeStatuses)[number];
type SettlementMode = (typeof settlementModes)[number];

/** Who moves a receipt; an operator's name follows the class, as in `operator:ada` (I3.5). */
export type ActorClass = 'handler' | 'recovery' | 'reconciler' | 'operator';

type Step = {
  readonly from: ChargeStatus | null;
  readonly to: ChargeStatus;
  readonly by: readonly ActorClass[];
};

/** Every allowed change of a receipt's charge_status with who may make it (I3.2); from null a receipt is made. */
export const receiptTransitions = [
  { from: null, to: 'not_charged', by: ['handler'] },
  { from: null, to: 'authorized', by: ['handler'] },
  { from: 'authorized', to: 'submitted', by: ['handler'] },
  { from: 'submitted', to: 'settled', by: ['handler', 'recovery'] },
  { from: 'submitted', to: 'failed', by: ['handler', 'recovery'] },
  { from: 'authorized', to: 'queued_for_batch', by: ['handler', 'recovery'] },
  { from: 'queued_for_batch', to: 'settled', by: ['reconciler'] },
  { from: 'queued_for_batch', to: 'failed', by: ['reconciler'] },
  { from: 'authorized', to: 'failed', by: ['handler', 'recovery'] },
  { from: 'settled', to: 'refunded', by: ['operator'] },
  { from: 'settled', to: 'disputed', by: ['operator'] },
  { from: 'disputed', to: 'settled', by: ['operator'] },
  { from: 'disputed', to: 'refunded', by: ['operator'] },
] as const satisfies readonly Step[];

const directStates = ['authorized', 'submitted', 'settled', 'failed', 'refunded', 'disputed'] as const;

/** The states a receipt of each mode may have (I3.10). */
export const statusesOfMode = {
  x402_direct: directStates,
  mpp: directStates,
  gateway_batched: ['authorized', 'queued_for_batch', 'settled', 'failed', 'refunded', 'disputed'],
  api_key_not_charged: ['not_charged'],
  grant_covered: ['not_charged'],
  shadow_unsettled: ['not_charged'],
} as const satisfies Readonly<Record<SettlementMode, readonly ChargeStatus[]>>;
