import type { ChargeLevel, DischargeRisk, RiskTier, TierReason } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { roundHalfUp } from '../exact/decimals.ts';
import { type Fraction, published } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type CoinMix, mixVolatility } from '../prices/coinMix.ts';
import type { Standing } from '../standing/standings.ts';
import { breachProbability } from './breachProbability.ts';
import {
  chargeLevel,
  covenantHeadroom,
  dischargeRisk,
  type Exposure,
  type StressTier,
  stressBand,
  stressRatio,
  stressTiers,
} from './stressRatio.ts';

/** Debt, holdings and equity on one basis: as filed, or with holdings repriced (M3.12). */
export type StressPosition = Exposure & {
  /** E\*, null when no equity concept was filed (M10.10). */
  readonly equity: ExactDecimal | null;
  readonly mix: CoinMix;
  /** Coins that the equity counts, where they are others than those of the ratio (M17.30). */
  readonly equityCoins?: ExactDecimal;
};

/**
 * What debt and coins prove: an unproven figure supports neither covenant figures nor shocked equity (M3.3c), coins at
 * cost (M3.10b) and coins that are hardly any (`immaterial`, M3.25) no covenant figures.
 */
export type Proof = 'proven' | 'lower_bound' | 'immaterial' | 'unproven';

/** The published stress figures of one position. */
export type StressFigures = {
  readonly stress30: number;
  readonly stress50: number;
  readonly stress70: number;
  /** null where a figure is not proven, the coins are a lower bound, or there is hardly a coin (M3.3c, M3.10b, M3.25). */
  readonly covenant: {
    readonly headroom: number;
    readonly chargeLevel: ChargeLevel;
    readonly breachProbability: number;
    readonly dischargeRisk: DischargeRisk;
  } | null;
  readonly shockedEquity: ExactDecimal | null;
  readonly riskTier: RiskTier;
  readonly tierReasons: readonly TierReason[];
};

const half = ExactDecimal.parse('0.5');

/** Computes stress, headroom, bands, breach probability and tier of one position (M3.1–M3.11). */
export function assessStress(
  position: StressPosition,
  input: {
    proof: Proof;
    /** True when an override of M3.10 holds. */
    unclassified: boolean;
    /** Where the issuer stands on this basis; null when it was not compared (M3.9). */
    standing?: Standing | null;
    parameters: Parameters;
  },
): StressFigures {
  const { parameters } = input;
  const at = (fall: number): Fraction => stressRatio(position, fall, parameters);
  const stress50 = published(at(0.5), 6);
  const equityAfterFall =
    position.equity?.minus((position.equityCoins ?? position.crypto).times(half)).rounded(0) ?? null;
  const shockedEquity = input.proof === 'unproven' ? null : equityAfterFall;
  const standing = input.standing ?? null;
  const reasons =
    input.unclassified || input.proof !== 'proven'
      ? []
      : tierReasons({ debt: position.debt, shockedEquity, standing }, parameters);
  return {
    stress30: published(at(0.3), 6),
    stress50,
    stress70: published(at(0.7), 6),
    covenant: input.proof === 'proven' ? covenantFigures(position, stress50, parameters) : null,
    shockedEquity,
    riskTier: input.unclassified ? 'UNCLASSIFIED' : riskTier(stressBand(stress50, parameters), reasons),
    tierReasons: reasons,
  };
}

function covenantFigures(position: StressPosition, stress50: number, parameters: Parameters) {
  // rounded before banding, so that a client can repeat the banding (M0.5)
  const probability = roundHalfUp(
    breachProbability(position, mixVolatility(position.mix, parameters), parameters),
    6,
  );
  return {
    headroom: published(covenantHeadroom(stressRatio(position, 0.5, parameters), parameters), 6),
    chargeLevel: chargeLevel(stress50, parameters),
    breachProbability: probability,
    dischargeRisk: dischargeRisk(probability, parameters),
  };
}

/** The stress band, at most one notch worse when there is debt and a reason for it; never better (M3.9). */
function riskTier(band: StressTier, reasons: readonly TierReason[]): RiskTier {
  if (reasons.length === 0) return band;
  return stressTiers[stressTiers.indexOf(band) + 1] ?? 'CRITICAL';
}

/**
 * Why the tier is a notch worse: own and market stress reinforce each other, or equity does not survive the shock
 * (M3.9). Unknown equity and unknown scores give no reason.
 */
function tierReasons(
  {
    debt,
    shockedEquity,
    standing,
  }: {
    debt: ExactDecimal;
    /** As published, whole USD (M0.5). */
    shockedEquity: ExactDecimal | null;
    standing: Pick<Standing, 'ownZ' | 'mpZ' | 'resonance'> | null;
  },
  { notch }: Parameters,
): TierReason[] {
  if (debt.sign <= 0) return [];
  const { ownZ = null, mpZ = null, resonance } = standing ?? {};
  const isAdverse =
    resonance === 'Aligned' && mpZ !== null && mpZ >= notch.mp && ownZ !== null && ownZ >= notch.ownZ;
  const isEquityGone = shockedEquity !== null && shockedEquity.sign < 0;
  return [
    ...(isAdverse ? (['adverse_resonance'] as const) : []),
    ...(isEquityGone ? (['shocked_equity_negative'] as const) : []),
  ];
}
