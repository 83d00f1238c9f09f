import type {
  CoreTier,
  CryptoUnitsBasis,
  DataSource,
  DebtCoverage,
  MarketRegime,
  QualityFlag,
  UnrankedReason,
  Velocity,
} from '../../data/contract/values/enums.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { TowerState } from '../slice/towerState.ts';

/**
 * What an alpha score is computed from: live values where there are some, else the filing's (M5.2), as published
 * (M0.5). null is missing; no fill value of the answer enters a score.
 */
export type AlphaInputs = {
  readonly isStressPresent: boolean;
  /** x and x70. */
  readonly stress50: number;
  readonly stress70: number;
  readonly delta24h: number | null;
  readonly delta7d: number | null;
  /** Equity cushion at 6 decimals. */
  readonly ecs: number | null;
  readonly ownZ: number | null;
  /** m. */
  readonly mpZ: number | null;
  readonly velocity: Velocity | null;
  /** D; null where it is not proven. */
  readonly debt: ExactDecimal | null;
  /** C; null where it is not proven, zero when the filing states none. */
  readonly crypto: ExactDecimal | null;
  /** A\* (M3.12). */
  readonly assets: ExactDecimal | null;
  readonly regime: MarketRegime | null;
  readonly percentile: number | null;
  /** null when ranked. */
  readonly unrankedReason: UnrankedReason | null;
  readonly coverage: DebtCoverage;
  readonly dataSource: DataSource | null;
  readonly quality: QualityFlag | null;
  readonly unitsBasis: CryptoUnitsBasis;
  readonly coreTier: CoreTier | null;
  readonly tower: TowerState;
};
