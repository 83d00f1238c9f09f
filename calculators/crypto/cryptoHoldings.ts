import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { TrailRoot, TrailRung } from '../trail/resolutionTrail.ts';

/** The coins of one filing in USD at its period end, exact. */
export type CryptoHoldings = {
  /** C; zero when the filing states none, the proven part where it is not proven. */
  readonly amount: ExactDecimal;
  /** False where the filing may hold more coins than {@link CryptoHoldings.amount} (M2.1b, M2.4b, M3.3b). */
  readonly isProven: boolean;
  /** C_bs, the amount inside the filed balance sheet (M3.12). */
  readonly carried: ExactDecimal;
  /** What the totals of the walked side are above their items: there may be coins in it (M2.4c). */
  readonly unexplained: ExactDecimal;
  /** Asset lines beside the coins whose names do not say what they are: there may be coins in them (M2.4d). */
  readonly unnamed: ExactDecimal;
  /** What the amount measures; null when the filing states no coins. */
  readonly measurement: 'fair_value' | 'units_at_close' | 'carrying_lower_bound' | null;
  /** Two fair-value totals are too far apart (M2.5): quality Low. */
  readonly disagreement: boolean;
  /** The network whose walk found the coins; null where tags or the notes state them (M2.3). */
  readonly walkedSide: 'linkbase' | 'face_order' | null;
  /** Accepted extension concepts among the roots, sorted. */
  readonly extensionRoots: readonly string[];
  /** Roots of the network that hold coins (M1.43). */
  readonly rootedConcepts: readonly string[];
  readonly notes: readonly string[];
  /** Every step of the ladder, in its order, with the reason it was taken or not. */
  readonly rungs: readonly TrailRung[];
  readonly roots: readonly TrailRoot[];
};

export const noHoldings: CryptoHoldings = {
  amount: ExactDecimal.zero,
  isProven: true,
  carried: ExactDecimal.zero,
  unexplained: ExactDecimal.zero,
  unnamed: ExactDecimal.zero,
  measurement: null,
  disagreement: false,
  walkedSide: null,
  extensionRoots: [],
  rootedConcepts: [],
  notes: [],
  rungs: [],
  roots: [],
};
