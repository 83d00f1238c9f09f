import type { AlphaSignals } from '../../../data/contract/payloads/issuer/alphaSignals.ts';
import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import type { DailyChangesArtifact } from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import type { ReadinessArtifact } from '../../../data/contract/payloads/universe/readiness.ts';
import type { RiskDistribution } from '../../../data/contract/payloads/universe/riskDistribution.ts';
import type { PressureBands, ProductPressure } from '../chart/pressureRows.ts';
import type { CoinCloses } from '../chart/priceRows.ts';
import type { RegimeDay } from '../chart/regimeStrip.ts';
import type { StressBands } from '../chart/stressHistory.ts';

/** What a daily brief is made from: published payloads of one slice, its closes and its rules. */
export type DailyBriefFacts = {
  readonly sourceDate: string;
  /** UTC instant of the run. */
  readonly publishedAt: string;
  /** Issuers that are watched, with a row or without. */
  readonly universeCount: number;
  readonly sliceStatus: 'complete' | 'partial';
  readonly readiness: ReadinessArtifact;
  readonly changes: DailyChangesArtifact;
  /** Tiers at live closes with those of the filings beside them; of a slice that was not repriced the latter alone. */
  readonly risk: { readonly shown: RiskDistribution; readonly filing: RiskDistribution | null };
  /** The rows that `risk.shown` counts as UNCLASSIFIED. */
  readonly untiered: readonly CovenantStress[];
  /** Night whose archive the facts were compared with; null on the first one, of which no change is known. */
  readonly comparedWith: string | null;
  /** The issuers of the top-stressed list in its order, as their covenant rows (R05, R11). */
  readonly stressed: readonly CovenantStress[];
  /** The issuers of the alpha board in its order, as their signals (R06, R09). */
  readonly board: readonly AlphaSignals[];
  /** Days up to the slice, ascending. */
  readonly regimes: readonly RegimeDay[];
  readonly coins: readonly CoinCloses[];
  /** Perpetual products; null where the slice has no market half. */
  readonly products: readonly ProductPressure[] | null;
  readonly bands: { readonly stress: StressBands; readonly pressure: PressureBands };
};
