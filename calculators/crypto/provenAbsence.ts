import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { Issuer } from '../filing/rows.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { assetsConcepts, liabilitiesAndEquityConcepts } from '../network/structuralConcepts.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { AssetsSide } from './assetsSide.ts';
import { readsAsCoins } from './classifyCoins.ts';
import type { StatedCoins } from './statedCoins.ts';
import { unnamedAssets } from './unnamedAssets.ts';

/** Classes whose business is coins: facts of the entity alone never prove that they hold none (M3.3b). */
const coinClasses = ['crypto_treasury', 'miner', 'exchange_or_custodian', 'crypto_financial'];

/** What is owned, and the same from the other side. */
const totals = [...assetsConcepts, ...liabilitiesAndEquityConcepts];

/** What proves that an issuer without a coin amount holds no coins, or why nothing does (M3.3b). */
export type Absence =
  | {
      readonly kind: 'proven';
      readonly reason: string;
      /** Asset lines whose names do not say what they are, too small to be the coins of a treasury (M2.4d). */
      readonly unnamed: ExactDecimal;
    }
  | { readonly kind: 'unproven'; readonly reason: string };

/**
 * A missing amount is not a zero: the assets must add up without a coin line, or the issuer must be one that has no
 * business with coins, and the filing must not speak of coins anywhere (M3.3b). Assets that add up prove that nothing is
 * missing, not what a line is: lines without a name are held against what the filing speaks of (M2.4d).
 */
export function provenAbsence({
  issuer,
  sheet,
  side,
  reason,
  stated,
  filing,
  parameters,
}: {
  readonly issuer: Issuer;
  readonly sheet: FactSheet;
  /** A side that was read and holds no coin line; null when there is none. */
  readonly side: AssetsSide | null;
  /** Why there is none. */
  readonly reason: string;
  readonly stated: StatedCoins | null;
  /** The filing's own files; null when they are not at hand. */
  readonly filing: XbrlFiling | null;
  readonly parameters: Pick<Parameters, 'coinEvidenceOfAssets' | 'concepts' | 'treasuryRelevance'>;
}): Absence {
  if (stated !== null) {
    const amount = stated.largest.sign > 0 ? `${stated.largest} in coins` : 'quantities of coins';
    return { kind: 'unproven', reason: `the filing states ${amount} that no line of the face holds` };
  }
  const isEmpty = totals.some((total) => sheet.isNil(total) || sheet.amount(total)?.sign === 0);
  const nothing = { kind: 'proven', unnamed: ExactDecimal.zero } as const;
  if (isEmpty) return { ...nothing, reason: 'there are no assets' };
  if (!coinClasses.includes(issuer.issuerClass ?? '')) {
    return { ...nothing, reason: 'nothing filed speaks of coins, and they are not its business' };
  }
  if (side === null) return { kind: 'unproven', reason };
  if (!side.closes) return { kind: 'unproven', reason: `${side.start} does not add up` };
  const unnamed = sumOf(unnamedAssets(side, [], parameters.concepts));
  const assets = side.sheet.amount(side.start) ?? ExactDecimal.zero;
  const isAbove = (share: number) => unnamed.compare(assets.times(ExactDecimal.fromNumber(share))) > 0;
  const { coinEvidenceOfAssets: noticed, treasuryRelevance: large } = parameters;
  if (isAbove(speaksOfCoins({ sheet, filing, concepts: parameters.concepts }) ? noticed : large.core)) {
    return { kind: 'unproven', reason: `names of ${unnamed} of the assets do not say what they are` };
  }
  return {
    kind: 'proven',
    reason: `${side.start} adds up without a line of coins`,
    unnamed: isAbove(large.material) ? unnamed : ExactDecimal.zero,
  };
}

/** A concept of any date, or a member, that names coins. */
function speaksOfCoins({
  sheet,
  filing,
  concepts,
}: {
  readonly sheet: FactSheet;
  readonly filing: XbrlFiling | null;
  readonly concepts: Concepts;
}): boolean {
  const named = (filing?.facts ?? []).flatMap(({ concept, dimensions }) => [
    concept,
    ...dimensions.map(({ member }) => member),
  ]);
  return [...sheet.facts.map(qualifiedName), ...named].some((name) => readsAsCoins(name, concepts));
}
