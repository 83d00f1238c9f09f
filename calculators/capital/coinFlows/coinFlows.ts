import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { CapitalFact, Figure } from '../figure.ts';

export const flowClasses = [
  'bought',
  'mined',
  'received',
  'sold',
  'paid',
  'transferred',
  'gain',
  'other',
] as const;

export type FlowClass = (typeof flowClasses)[number];

/** From one stock of coins to the next, in units or in dollars (M18.70–M18.71). */
export type CoinFlow = {
  readonly asset: string;
  readonly measure: 'units' | 'value';
  readonly start: string;
  readonly end: string;
  readonly opening: ExactDecimal;
  readonly rows: readonly {
    readonly kind: FlowClass;
    /** With its sign in the sum. */
    readonly amount: ExactDecimal;
    readonly fact: CapitalFact;
  }[];
  readonly closing: ExactDecimal;
  readonly residual: ExactDecimal;
  readonly status: 'proven' | 'unproven';
  readonly notes: readonly string[];
};

/** Cost and freedom of the coins at the period end, by asset (M18.73–M18.75); `*` where no asset is named. */
export type CoinStock = {
  readonly asset: string;
  readonly units: Figure;
  readonly costBasis: Figure;
  readonly unrealisedGain: Figure;
  readonly averageCost: Figure;
  readonly pledged: Figure;
  readonly restricted: Figure;
  readonly staked: Figure;
  readonly free: Figure;
};

export type CoinFlows = {
  readonly flows: readonly CoinFlow[];
  readonly stocks: readonly CoinStock[];
  readonly notes: readonly string[];
};
