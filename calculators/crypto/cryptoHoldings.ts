import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { FaceOrder } from '../faceOrder/faceOrder.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { FiledFact, Issuer } from '../filing/rows.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import type { FilingNetworks } from '../network/filingNetworks.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { TrailRoot, TrailRung } from '../trail/resolutionTrail.ts';
import { trailFact } from '../trail/trailFact.ts';
import type { CoinFacts } from './coinFacts.ts';

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
  /** Counted lines whose names speak of coins and of another thing: they may be none (M2.3a). */
  readonly doubtful: ExactDecimal;
  /** What the amount measures; null when the filing states no coins. */
  readonly measurement:
    | 'fair_value'
    | 'fair_value_disclosed'
    | 'units_at_close'
    | 'carrying_lower_bound'
    | null;
  /** Two fair-value totals are too far apart (M2.5): quality Low. */
  readonly disagreement: boolean;
  /** The network whose walk found the coins; null where tags or the notes state them (M2.3). */
  readonly walkedSide: 'linkbase' | 'face_order' | null;
  /** Accepted extension concepts among the roots, sorted. */
  readonly extensionRoots: readonly string[];
  /** Roots of the network with coins (M1.43). */
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
  doubtful: ExactDecimal.zero,
  measurement: null,
  disagreement: false,
  walkedSide: null,
  extensionRoots: [],
  rootedConcepts: [],
  notes: [],
  rungs: [],
  roots: [],
};

/** What the coins of one filing are resolved from. */
export type CryptoInputs = {
  readonly issuer: Issuer;
  readonly sheet: FactSheet;
  /** Facts of later filings known on the slice's date, for the adoption-date value (M2.6 a). */
  readonly supporting: readonly FiledFact[];
  readonly networks: FilingNetworks;
  /** The balance sheet by document order (M1.24c). */
  readonly face: FaceOrder;
  /** The filing's own files; null when they are not available. */
  readonly filing: XbrlFiling | null;
  /** Coin figures of the instance; null when it is not available. */
  readonly facts: CoinFacts | null;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

/** A root of coins that no network places, with the fact of its concept. */
export function coinRoot(
  sheet: FactSheet,
  { concept, value, rung, reason }: Pick<TrailRoot, 'concept' | 'value' | 'rung' | 'reason'>,
): TrailRoot {
  const fact = trailFact(sheet, concept, 1);
  const children = fact === null ? [] : [fact];
  return {
    kind: 'root',
    bucket: 'T',
    concept,
    value,
    weight: 1,
    parent: null,
    role: null,
    rung,
    reason,
    children,
  };
}
