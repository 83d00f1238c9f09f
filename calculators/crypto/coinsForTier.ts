import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { DebtResolution } from '../debt/debtResolution.ts';
import { exceeds } from '../exact/closeTo.ts';
import { published, quotient } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { stressBand } from '../stress/bands.ts';
import { stressRatio } from '../stress/stressRatio.ts';
import { adjustedCoins, type EdgeCoins, edgeNotes } from './coinsAtTheEdge.ts';
import type { CryptoHoldings } from './cryptoHoldings.ts';

type Read = {
  readonly holdings: CryptoHoldings;
  readonly edge: EdgeCoins;
  readonly debt: DebtResolution;
  /** Total assets as filed; null when they are not. */
  readonly assets: ExactDecimal | null;
  readonly parameters: Parameters;
};

/**
 * Coins with what stands at their edge named. Where the tier would be another one with the edge counted, with assets
 * that no line explains, or with lines whose names do not say what they are, the coins are not proven and the smaller
 * amount is published (M2.1b, M2.4c, M2.4d). Lines that change no tier and are as much as could matter are noted.
 */
export function coinsForTier(read: Read): CryptoHoldings {
  const { holdings, edge } = read;
  const noted = { ...holdings, notes: [...holdings.notes, ...edgeNotes(edge)] };
  if (!holdings.isProven || holdings.amount.sign <= 0) return noted;
  const other = otherTier(read);
  if (other === null) return { ...noted, notes: [...noted.notes, ...unnamedNotes(read)] };
  const smaller = other.coins.compare(holdings.amount) < 0 ? other.coins : holdings.amount;
  return {
    ...noted,
    isProven: false,
    disagreement: noted.disagreement || other.isDoubtful,
    amount: smaller,
    carried: smaller,
    notes: [...noted.notes, `tier_depends_on_candidate:${other.filed}/${other.tier}`],
    rungs: [
      ...holdings.rungs,
      {
        rung: 'edge',
        taken: true,
        reason: `${other.filed} with ${holdings.amount}, ${other.tier} with ${other.coins}`,
      },
    ],
  };
}

/** Coins that the filing could be read with and that would give another tier; null when there are none. */
function otherTier({ holdings, edge, debt, assets, parameters }: Read) {
  const { amount, measurement, unexplained, unnamed } = holdings;
  const bandOf = (crypto: ExactDecimal) =>
    stressBand(published(stressRatio({ debt: debt.total, crypto }, 0.5, parameters), 6), parameters);
  const filed = bandOf(amount);
  // what a side leaves open is damage, an edge is a choice
  const readings = [
    { coins: adjustedCoins(holdings, edge, debt.total), isDoubtful: false },
    { coins: amount.plus(unexplained).plus(unnamed), isDoubtful: true },
  ];
  const isTested = measurement === 'fair_value';
  const inOtherBand = readings.find(({ coins }) => isTested && bandOf(coins) !== filed);
  if (inOtherBand !== undefined) return { ...inOtherBand, filed, tier: bandOf(inOtherBand.coins) };
  if (assets === null || assets.sign <= 0) return null;
  const hasTier = (crypto: ExactDecimal) =>
    published(quotient(crypto, assets), 6) >= parameters.treasuryRelevance.material;
  const coins = amount.plus(unnamed);
  if (hasTier(amount) || !hasTier(coins)) return null;
  return { coins, isDoubtful: true, filed: 'UNCLASSIFIED' as const, tier: bandOf(coins) };
}

/** Lines without a name above the limits of M1.36d: 5 % of the coins, 0.1 % of the assets. */
function unnamedNotes({ holdings: { amount, unnamed }, assets, parameters }: Read): string[] {
  const rounding = (assets ?? ExactDecimal.zero).times(ExactDecimal.fromNumber(parameters.identityTolerance));
  const matters =
    exceeds(amount.plus(unnamed), amount, parameters.candidateDisagreement) && unnamed.compare(rounding) > 0;
  return matters ? [`unnamed_assets:${unnamed}`] : [];
}
