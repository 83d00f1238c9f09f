import type { AlphaSignals } from '../../data/contract/payloads/issuer/alphaSignals.ts';
import type { CompanyFundamentals } from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { ChoreographyEvent } from '../../data/contract/payloads/issuer/filingChoreography.ts';
import type { PeerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import type { AlphaOpportunityRow } from '../../data/contract/payloads/universe/alphaOpportunities.ts';
import type { DailyChangesArtifact } from '../../data/contract/payloads/universe/latestDailyChanges.ts';
import type { ReadinessArtifact } from '../../data/contract/payloads/universe/readiness.ts';
import type { RiskDistribution } from '../../data/contract/payloads/universe/riskDistribution.ts';
import type { TopStressedRow } from '../../data/contract/payloads/universe/topStressed.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { IssuerResult, Slice } from '../composeSlice.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** What a slice publishes, as far as briefs are compiled from it; nothing of it is computed again (I2.41). */
export type BriefSources = {
  readonly sourceDate: string;
  readonly sliceStatus: 'complete' | 'partial';
  readonly universeCount: number;
  readonly readiness: ReadinessArtifact;
  readonly riskDistribution: { readonly filing: RiskDistribution; readonly live: RiskDistribution };
  readonly covenantRows: readonly CovenantStress[];
  readonly topStressed: readonly TopStressedRow[];
  readonly excludedUnclassified: number;
  /** Rows with a place on the board, in its order. */
  readonly board: readonly AlphaOpportunityRow[];
  /** null for a slice without its night. */
  readonly changes: DailyChangesArtifact | null;
  /** Newest daily read of each perpetual product; null for a slice without the market half. */
  readonly market: readonly MarketRead[] | null;
  readonly parameters: Pick<Parameters, 'referenceCovenantLtv' | 'stressBands'>;
};

/** A perpetual product on the day of the slice, as its ranking row says it. */
export type MarketRead = {
  readonly product: string;
  readonly underlying: string;
  readonly pressure: number | null;
  readonly market_state: string;
  readonly funding_annualized: number | null;
  readonly synthetic: boolean;
};

/** What a slice publishes of one issuer. */
export type IssuerSources = {
  readonly stress: CovenantStress;
  readonly fundamentals: CompanyFundamentals | null;
  readonly ranking: PeerRanking | null;
  readonly signals: AlphaSignals | null;
  readonly boardRank: number | null;
  /** Days from the period end to the slice; null where it is not known. */
  readonly filingAgeDays: number | null;
  /** Newest filings known on the day of the slice, newest first. */
  readonly filings: readonly ChoreographyEvent[];
};

/** Filed money as the evidence holds it (I2.39). */
export function moneyText(money: number | ExactDecimal): string;
export function moneyText(money: number | ExactDecimal | null | undefined): string | null;
export function moneyText(money: number | ExactDecimal | null | undefined): string | null {
  if (money === null || money === undefined) return null;
  return (typeof money === 'number' ? ExactDecimal.fromNumber(money) : money).toString();
}

/** Thresholds a reading is explained with. */
export function scalesOf({ referenceCovenantLtv, stressBands }: BriefSources['parameters']) {
  return {
    reference_covenant_ltv: referenceCovenantLtv,
    stress_bands: {
      moderate: stressBands.moderate,
      high: stressBands.high,
      critical: stressBands.critical,
    },
  };
}

type SliceMember =
  | 'readiness'
  | 'riskDistribution'
  | 'covenantRows'
  | 'topStressed'
  | 'excludedUnclassified'
  | 'board';

/** What briefs read of the slice itself; its night adds the rest. */
export function sliceSources(slice: Slice): Pick<BriefSources, SliceMember> {
  const { readiness, riskDistribution, covenantRows, topStressed, excludedUnclassified } = slice;
  return {
    readiness,
    riskDistribution,
    covenantRows,
    topStressed,
    excludedUnclassified,
    board: slice.board.flatMap(({ row, boardRank }) => (boardRank === null ? [] : [row])),
  };
}

/** What a brief on an issuer reads of the slice; its filings come beside it. */
export function issuerSliceSources(
  slice: Slice,
  { issuer: { cik }, stress, fundamentals, assessed }: IssuerResult,
): Omit<IssuerSources, 'filings'> {
  const board = slice.board.find(({ stress: row }) => row.cik === cik);
  return {
    stress,
    fundamentals,
    ranking: slice.peerRankings.find((row) => row.cik === cik) ?? null,
    signals: board?.signals ?? null,
    boardRank: board?.boardRank ?? null,
    filingAgeDays: assessed.position.ageDays,
  };
}
