import type { CoreTier, FiguresBasis, QualityFlag } from '../../data/contract/values/enums.ts';
import { isQuarterlyFiler } from '../age/nextReport.ts';
import { daysBetween } from '../exact/civilDate.ts';
import { published } from '../exact/fraction.ts';
import type { Issuer } from '../filing/rows.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { coreTier, qualityFlag } from '../quality/qualityFlag.ts';
import {
  figuresBasis,
  netDebtToCoins,
  type Relevance,
  treasuryRelevance,
} from '../relevance/treasuryRelevance.ts';
import { type StressTier, stressBand, stressRatio } from '../stress/stressRatio.ts';
import type { IssuerPosition } from './positionIssuer.ts';

/** A position as trusted on the day of a slice: the part that depends on the filing's age. */
export type GradedPosition = IssuerPosition &
  Judgement & {
    /** Days from the period end to the slice's date (M0.13). */
    readonly ageDays: number;
    readonly quality: QualityFlag;
    readonly coreTier: CoreTier;
    /** M2.14 (`treasury_data_status` anomalous_assets). */
    readonly isAnomalous: boolean;
  };

/** Issuers that are vehicles for coins, not companies that hold them: untiered (M3.10) and off the board (M5.16). */
export const vehicleTypes = [
  'etf_trust',
  'fund_vehicle',
  'product',
] as const satisfies readonly Issuer['issuerType'][];

export function isVehicle({ issuerType }: Issuer): boolean {
  return (vehicleTypes as readonly string[]).includes(issuerType);
}

/** Grades a position on the slice's date (M1.40–M1.43, M2.14, M3.3, M3.10). */
export function gradePosition(
  position: IssuerPosition,
  { sourceDate, parameters }: { readonly sourceDate: string; readonly parameters: Parameters },
): GradedPosition {
  const { issuer, filing, debt, holdings, treasury } = position;
  const ageDays = daysBetween(filing.period, sourceDate);
  const quality = qualityFlag(
    {
      debt,
      holdings,
      ageDays,
      isQuarterly: isQuarterlyFiler(filing),
      calculation: position.calculation.result,
      isAnomalous: treasury.isAnomalous,
      hasBlockedConcept: position.hasBlockedConcept,
      isFilingDamaged: position.isFilingDamaged,
      isPlaceholder: filing.accessionStatus === 'placeholder',
      equalsCustomerCoins: treasury.equalsCustomerCoins,
      hasEquity: position.balance.equity !== null,
      areArcsAuthored: position.arcsAuthored,
    },
    parameters,
  );
  const isAnomalous = treasury.isAnomalous || (quality === 'Low' && treasury.hasUnsettledUnits);
  return {
    ...position,
    ageDays,
    quality,
    isAnomalous,
    coreTier: coreTier({ debt, holdings, quality, parameters }),
    ...judgePosition(
      {
        ...position,
        isBarred:
          isVehicle(issuer) ||
          (quality === 'Low' && isAnomalous) ||
          ageDays > parameters.filingAgeDays.unclassified,
      },
      parameters,
    ),
  };
}

/** What a position's figures support: a ratio, a tier, a place among others. */
type Judgement = {
  /** Which of debt and coins are proven (M3.3c). */
  readonly figuresBasis: FiguresBasis;
  readonly relevance: Relevance;
  /** (D − cash − short-term investments) / C (M3.26). */
  readonly netDebtToCoins: number | null;
  /** Both figures are proven and there are coins to measure debt against (M3.3). */
  readonly isStressPresent: boolean;
  /** There are coins, and they are not a small part of the assets (M3.25). */
  readonly isMeasured: boolean;
  /** The band a stress on cost less impairment would have, where it is not LOW: it proves none (M3.10b). */
  readonly tierAtMost: StressTier | null;
  /** Coins carried at cost have the band at that cost too (M3.10b): their disclosed value decides nothing. */
  readonly isTierSameAtCost: boolean;
  /** An override of M3.10 applies. */
  readonly isUnclassified: boolean;
  /** The row may be ranked, averaged and compared (M3.27). */
  readonly isJudged: boolean;
};

/**
 * Says whether a position may carry a tier and be compared with others (M3.3c, M3.10, M3.25–M3.27).
 *
 * @param position.isBarred its type, age or quality forbids a tier
 */
export function judgePosition(
  position: Pick<IssuerPosition, 'debt' | 'holdings' | 'balance' | 'liquid'> & {
    readonly isBarred: boolean;
  },
  parameters: Parameters,
): Judgement {
  const { debt, holdings, balance, liquid } = position;
  const basis = figuresBasis({ coverage: debt.coverage, isCryptoProven: holdings.isProven });
  const isStressPresent = basis === 'resolved' && holdings.amount.sign > 0;
  const assets = balance.assets?.plus(holdings.amount.minus(holdings.carried)) ?? null;
  const relevance = treasuryRelevance({ crypto: holdings.amount, assets, basis }, parameters);
  const isBelowNotice = relevance.word === 'incidental' || relevance.word === 'none';
  const isRelevant = relevance.word !== null && !isBelowNotice;
  const exposure = { debt: debt.total, crypto: holdings.amount };
  const band = stressBand(published(stressRatio(exposure, 0.5, parameters), 6), parameters);
  const areCoinsAtCost = holdings.measurement === 'carrying_lower_bound';
  const isBound = isStressPresent && areCoinsAtCost;
  const tierAtMost = isBound && band !== 'LOW' ? band : null;
  const atCost = stressRatio({ debt: debt.total, crypto: holdings.carried }, 0.5, parameters);
  const isTierSameAtCost =
    isStressPresent &&
    holdings.measurement === 'fair_value_disclosed' &&
    stressBand(published(atCost, 6), parameters) === band;
  const isUnclassified = !isStressPresent || !isRelevant || tierAtMost !== null || position.isBarred;
  return {
    figuresBasis: basis,
    relevance,
    isStressPresent,
    isMeasured: holdings.amount.sign > 0 && !isBelowNotice,
    tierAtMost,
    isTierSameAtCost,
    isUnclassified,
    netDebtToCoins: netDebtToCoins({ ...exposure, liquid, basis, areCoinsAtCost }),
    isJudged: !isUnclassified,
  };
}
