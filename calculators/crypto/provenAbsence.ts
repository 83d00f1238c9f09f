import type { FactSheet } from '../filing/factSheet.ts';
import type { Issuer } from '../filing/rows.ts';
import { assetsConcepts, liabilitiesAndEquityConcepts } from '../network/structuralConcepts.ts';
import type { AssetsSide } from './assetsSide.ts';
import type { StatedCoins } from './statedCoins.ts';

/** Classes whose business is coins: facts of the entity alone never prove that they hold none (M3.3b). */
const coinClasses = ['crypto_treasury', 'miner', 'exchange_or_custodian', 'crypto_financial'];

/** What is owned, and the same from the other side. */
const totals = [...assetsConcepts, ...liabilitiesAndEquityConcepts];

/** What proves that an issuer without a coin amount holds no coins, or why nothing does (M3.3b). */
export type Absence =
  | { readonly kind: 'proven'; readonly reason: string }
  | { readonly kind: 'unproven'; readonly reason: string };

/**
 * A missing amount is not a zero: the assets must add up without a coin line, or the issuer must be one that has no
 * business with coins, and the filing must not speak of coins anywhere (M3.3b).
 */
export function provenAbsence({
  issuer,
  sheet,
  side,
  reason,
  stated,
}: {
  readonly issuer: Issuer;
  readonly sheet: FactSheet;
  /** A side that was read and holds no coin line; null when there is none. */
  readonly side: AssetsSide | null;
  /** Why there is none. */
  readonly reason: string;
  readonly stated: StatedCoins | null;
}): Absence {
  if (stated !== null) {
    const amount = stated.largest.sign > 0 ? `${stated.largest} in coins` : 'quantities of coins';
    return { kind: 'unproven', reason: `the filing states ${amount} that no line of the face holds` };
  }
  const isEmpty = totals.some((total) => sheet.isNil(total) || sheet.amount(total)?.sign === 0);
  if (isEmpty) return { kind: 'proven', reason: 'there are no assets' };
  if (!coinClasses.includes(issuer.issuerClass ?? '')) {
    return { kind: 'proven', reason: 'nothing filed speaks of coins, and they are not its business' };
  }
  if (side === null) return { kind: 'unproven', reason };
  return side.closes
    ? { kind: 'proven', reason: `${side.start} adds up without a line of coins` }
    : { kind: 'unproven', reason: `${side.start} does not add up` };
}
