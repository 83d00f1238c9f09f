import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { doubleOf, exactly, quotient, smaller } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** Balance-sheet amounts on the basis of the holdings: as filed, or moved with repriced coins (M3.12). USD. */
export type IndicatorInputs = {
  readonly debt: ExactDecimal;
  /** Above zero: without coins there is no indicator (M3.3). */
  readonly crypto: ExactDecimal;
  readonly assets: ExactDecimal | null;
  readonly equity: ExactDecimal | null;
  readonly currentLiabilities: ExactDecimal | null;
  /** null counts as 0, which is conservative (M3.13). */
  readonly cash: ExactDecimal | null;
};

/** The indicators of one issuer before they are compared (M3.13); unrounded, null where an input is missing. */
export type RawIndicators = {
  /** Asset pressure ln(1 + D/C), higher is worse. */
  readonly ap: number;
  /** Equity cushion after a 50 % fall as a share of assets then, −1 to 1, higher is better. */
  readonly ecs: number | null;
  /** Liquidity stress ln(1 + CL/(cash + C/2)), higher is worse. */
  readonly lsi: number | null;
  /** min(1, C/A\*): how much of the issuer the coin market moves (M3.14). */
  readonly cryptoShare: number | null;
};

const half = ExactDecimal.parse('0.5');

/** Computes asset pressure, equity cushion, liquidity stress and the coin share of one issuer (M3.13, M3.14). */
export function rawIndicators(inputs: IndicatorInputs, { indicatorCaps }: Parameters): RawIndicators {
  const { debt, crypto, assets } = inputs;
  return {
    ap: Math.log1p(doubleOf(smaller(exactly(indicatorCaps.ap), quotient(debt, crypto)))),
    ecs: equityCushion(inputs),
    lsi: liquidityStress(inputs, indicatorCaps.lsi),
    cryptoShare: assets === null || assets.sign <= 0 ? null : Math.min(1, doubleOf(quotient(crypto, assets))),
  };
}

function equityCushion({ crypto, assets, equity }: IndicatorInputs): number | null {
  if (equity === null || assets === null) return null;
  const fall = crypto.times(half);
  const remaining = assets.minus(fall);
  if (remaining.sign <= 0) return -1;
  return Math.max(-1, Math.min(1, doubleOf(quotient(equity.minus(fall), remaining))));
}

function liquidityStress(inputs: IndicatorInputs, cap: number): number | null {
  const { currentLiabilities, cash, crypto } = inputs;
  if (currentLiabilities === null) return null;
  const sources = (cash ?? ExactDecimal.zero).plus(crypto.times(half));
  if (sources.sign <= 0) return Math.log1p(cap);
  const ratio = smaller(exactly(cap), quotient(currentLiabilities, sources));
  return Math.log1p(Math.max(0, doubleOf(ratio)));
}
