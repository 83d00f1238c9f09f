import type { AlphaSignals } from '../data/contract/payloads/issuer/alphaSignals.ts';
import type { CompanyFundamentals } from '../data/contract/payloads/issuer/companyFundamentals.ts';
import type { CovenantStress } from '../data/contract/payloads/issuer/covenantStress.ts';
import type { PeerRanking } from '../data/contract/payloads/issuer/peerRanking.ts';
import type { ReadinessArtifact } from '../data/contract/payloads/universe/readiness.ts';
import type { RiskDistribution } from '../data/contract/payloads/universe/riskDistribution.ts';
import type { TopStressedRow } from '../data/contract/payloads/universe/topStressed.ts';
import { compareText } from '../data/contract/values/compareText.ts';
import type { UnrankedReason } from '../data/contract/values/enums.ts';
import { alphaSignalsOf } from './alpha/alphaSignalsOf.ts';
import { type BoardEntry, opportunityBoard } from './alpha/opportunityBoard.ts';
import { capitalOrFault, type IssuerCapital } from './capital/capital.ts';
import type { Filing, Issuer } from './filing/rows.ts';
import { type GradedPosition, gradePosition } from './position/gradePosition.ts';
import type { IssuerPosition } from './position/positionIssuer.ts';
import { type RegimeOfDay, regimeBook } from './regime/marketRegime.ts';
import {
  type AssessedIssuer,
  assessIssuers,
  type SliceContext,
  type SliceStatistics,
} from './slice/assessIssuers.ts';
import { capitalOn } from './slice/capitalOn.ts';
import { covenantRow } from './slice/covenantRow.ts';
import { fundamentalsOf } from './slice/fundamentalsOf.ts';
import { peerRankings } from './slice/peerRankings.ts';
import { readinessOf, type SliceMembership } from './slice/readinessOf.ts';
import { riskDistributionOf } from './slice/riskDistributionOf.ts';
import { topStressedRows } from './slice/topStressedRows.ts';
import { isJudged, type TowerState, towerMembers, towerState } from './slice/towerState.ts';
import { issuerTrail } from './trail/issuerTrail.ts';
import type { ResolutionTrail } from './trail/resolutionTrail.ts';

/** The payloads of one issuer. */
export type IssuerResult = {
  readonly issuer: Issuer;
  readonly filing: Filing;
  readonly stress: CovenantStress;
  readonly fundamentals: CompanyFundamentals;
  /** How the stress figures follow from filed facts; null for a resolver that keeps no trail. */
  readonly trail: ResolutionTrail | null;
  /** What was computed and is not published as such: position, both bases with their raw indicators and own_z. */
  readonly assessed: AssessedIssuer;
  /** Who is paid first, what is due when, what a share holds; nothing else here depends on it (M18.80). */
  readonly capital: IssuerCapital;
};

/**
 * A slice: everything computed of one source_date.
 *
 * `issuers` is ordered by CIK; the payloads stand in the order of their routes. A date is a function of the positions,
 * the closes up to the date and the parameters, so the same positions give the same slice.
 */
export type Slice = {
  readonly issuers: readonly IssuerResult[];
  readonly readiness: ReadinessArtifact;
  readonly riskDistribution: { readonly filing: RiskDistribution; readonly live: RiskDistribution };
  readonly topStressed: readonly TopStressedRow[];
  /** Judged rows, then the others; each stress_50pct descending, then ticker ascending (I2.6). */
  readonly covenantRows: readonly CovenantStress[];
  /** Issuers excluded from the top-stressed list because they are not judged (I2.48). */
  readonly excludedUnclassified: number;
  /** In rank order (M4.2). */
  readonly peerRankings: readonly PeerRanking[];
  /** By CIK, every issuer of the slice without a rank (M4.5). */
  readonly unranked: ReadonlyMap<string, UnrankedReason>;
  /** By CIK (M5.1–M5.12). */
  readonly alphaSignals: readonly AlphaSignals[];
  /** Every issuer in board order, with its gates and ranks (M5.16–M5.19). */
  readonly board: readonly BoardEntry[];
  /** Label of the day and what it was read from (M3.20–M3.22). */
  readonly regime: RegimeOfDay;
  /** Persisted median, MAD and n of every indicator (M3.15). */
  readonly statistics: SliceStatistics;
  readonly tower: TowerState;
};

/**
 * Puts a slice together from the positions of its issuers: grade by age, closes, comparison, rows, ranking,
 * readiness (METHODOLOGY 3–5).
 *
 * @param history earlier slices, for the time windows; a row of the slice's own date is replaced
 */
export function composeSlice(
  positions: readonly IssuerPosition[],
  input: { readonly context: SliceContext; readonly history: readonly SliceMembership[] },
): Slice {
  return composeGraded(
    positions.map((position) => gradePosition(position, input.context)),
    input,
  );
}

/** The slice of positions that are graded already (M1.40–M1.43). */
export function composeGraded(
  graded: readonly GradedPosition[],
  { context, history }: { readonly context: SliceContext; readonly history: readonly SliceMembership[] },
): Slice {
  const positions = graded.toSorted((a, b) => compareText(a.issuer.cik, b.issuer.cik));
  const regime = regimeBook(context).on(context.sourceDate);
  const { issuers: assessed, statistics } = assessIssuers(positions, context);
  const issuers = assessed.map((one) => resultOf(one, { context, regime }));
  const covenantRows = issuers
    .map(({ stress }) => stress)
    .sort(
      (a, b) =>
        Number(isJudged(b)) - Number(isJudged(a)) ||
        b.stress_50pct - a.stress_50pct ||
        compareText(a.ticker, b.ticker) ||
        compareText(a.cik, b.cik),
    );
  const topStressed = topStressedRows(covenantRows, context.parameters);
  const { ranked, unranked } = peerRankings(
    issuers.map(({ assessed: { position }, stress }) => ({ position, stress })),
    context.parameters,
  );
  const tower = towerState(
    towerMembers(covenantRows).map((row) => row.stress_velocity ?? null),
    context.parameters,
  );
  const percentiles = new Map(ranked.map(({ cik, percentile }) => [cik, percentile]));
  const alphaSignals = issuers.map(({ assessed: one, stress }) =>
    alphaSignalsOf(
      {
        assessed: one,
        stress,
        percentile: percentiles.get(stress.cik) ?? null,
        unrankedReason: unranked.get(stress.cik) ?? null,
      },
      { tower, context },
    ),
  );
  const board = opportunityBoard(
    issuers.flatMap(({ assessed: { position }, stress }, i) => {
      const signals = alphaSignals[i];
      return signals === undefined ? [] : [{ position, stress, signals }];
    }),
    context.parameters,
  );
  return {
    issuers,
    readiness: readinessOf({
      rows: covenantRows,
      filings: issuers.map(({ filing }) => filing),
      regime: regime.confirmed,
      history,
      context,
      tower,
    }),
    riskDistribution: {
      filing: riskDistributionOf(covenantRows, 'filing', context),
      live: riskDistributionOf(covenantRows, 'live', context),
    },
    topStressed,
    covenantRows,
    excludedUnclassified: covenantRows.length - topStressed.length,
    peerRankings: ranked,
    unranked,
    alphaSignals,
    board,
    regime,
    statistics,
    tower,
  };
}

function resultOf(
  assessed: AssessedIssuer,
  { context, regime }: { context: SliceContext; regime: RegimeOfDay },
): IssuerResult {
  const { position } = assessed;
  const stress = covenantRow(assessed, { context, regime: regime.confirmed });
  return {
    issuer: position.issuer,
    filing: position.filing,
    stress,
    fundamentals: fundamentalsOf(position, stress, context.deltaDates ?? null),
    trail: issuerTrail(position, stress, assessed.live?.units ?? null),
    assessed,
    capital: capitalOrFault(() =>
      capitalOn(position, { ...context, liveCoins: assessed.live?.crypto ?? null }),
    ),
  };
}
