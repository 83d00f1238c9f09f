import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../crypto/cryptoHoldings.ts';
import type { CryptoUnits } from '../crypto/cryptoUnits.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { Parameters } from '../parameters/parameters.ts';

type Treasury = {
  readonly holdings: CryptoHoldings;
  readonly units: CryptoUnits;
  readonly sheet: FactSheet;
  readonly parameters: Parameters;
};

/**
 * True when the coins cannot be what they claim: above assets, negative, or equal to customers' coins while no
 * network proves them the issuer's own (M2.14).
 */
export function hasAnomalousCoins(treasury: Treasury): boolean {
  const { holdings, sheet, parameters } = treasury;
  const assets = sheet.amount('us-gaap:Assets');
  const isAboveAssets =
    assets !== null &&
    holdings.carried.compare(assets.times(ExactDecimal.fromNumber(parameters.anomalousAssetsRatio))) > 0;
  const isCustomers = holdings.walkedSide === null && equalsCustomerCoins(treasury);
  return holdings.amount.sign < 0 || isAboveAssets || isCustomers;
}

/** True when a tag of customers' coins states the issuer's own amount (T11). */
export function equalsCustomerCoins({ holdings, sheet, parameters }: Treasury): boolean {
  return parameters.concepts.customerCoins.some((concept) =>
    sheet.positive(concept)?.equals(holdings.amount),
  );
}

/** True when no quantity could be split or priced; anomalous only together with quality Low (M2.14). */
export function hasUnsettledUnits({ units }: Treasury): boolean {
  return units.rejected || units.basis === 'mixed_unallocated';
}
