import type { FaceOrder } from '../faceOrder/faceOrder.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { FiledFact, Issuer } from '../filing/rows.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import type { FilingNetworks } from '../network/filingNetworks.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { CoinFacts } from './coinFacts.ts';

/** What the coins of one filing are resolved from. */
export type CryptoInputs = {
  readonly issuer: Issuer;
  readonly sheet: FactSheet;
  /** Facts of later filings known on the slice's date, for the adoption-date value (M2.6 a). */
  readonly supporting: readonly FiledFact[];
  readonly networks: FilingNetworks;
  /** The balance sheet by document order (M1.24c). */
  readonly face: FaceOrder;
  /** The filing's own files; null when they are not at hand. */
  readonly filing: XbrlFiling | null;
  /** Coin figures of the instance; null when it is not at hand. */
  readonly facts: CoinFacts | null;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};
