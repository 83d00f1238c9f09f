import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { Dimension } from '../../filing/xbrlFiling.ts';
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
  /** `*` where several coins are in it and no member divides them. */
  readonly asset: string;
  /** Members of its stocks and rows; empty for the whole entity. */
  readonly dimensions: readonly Dimension[];
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
  /** The stocks, opening first; none where the opening is filed as nil. */
  readonly facts: readonly CapitalFact[];
  readonly notes: readonly string[];
};

/** Cost and freedom of the coins at the period end, by asset (M18.73–M18.75); `*` where no asset is named. */
export type CoinStock = {
  readonly asset: string;
  readonly units: Figure;
  /** Fair value where it is filed, at cost less impairment a lower bound. */
  readonly value: Figure;
  readonly costBasis: Figure;
  readonly unrealisedGain: Figure;
  readonly averageCost: Figure;
  /** Units; the value of the same pledge beside it where no units are filed. */
  readonly pledged: Figure;
  readonly pledgedValue: Figure;
  readonly restricted: Figure;
  readonly staked: Figure;
  readonly free: Figure;
  readonly freeValue: Figure;
  readonly notes: readonly string[];
};

export type CoinFlows = {
  readonly flows: readonly CoinFlow[];
  readonly stocks: readonly CoinStock[];
  readonly notes: readonly string[];
};
