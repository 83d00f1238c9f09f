import type { Split } from '../../prices/splits.ts';
import type { Figure } from '../figure.ts';
import type { DepositaryShares } from './depositaryShares.ts';

/** One class of warrants at the period end (M18.45). */
export type Warrant = {
  readonly id: string;
  readonly name: string;
  /** As filed, expired ones included. */
  readonly filed: Figure;
  /** What can still be exercised: zero where they have expired. */
  readonly count: Figure;
  readonly exercisePrice: Figure;
  readonly expires: Figure<string>;
  /** Paid up to a cent or less: its holder is as good as a shareholder. */
  readonly isPrefunded: boolean;
};

/** Options of one price. */
export type OptionGroup = { readonly count: Figure; readonly price: Figure };

/** What a share is (M18.42–M18.46); counts at the period end unless a date is beside them. */
export type Shares = {
  /** Counts are of ordinary shares, closes of the depositary shares that are listed; null where the shares are listed themselves. */
  readonly depositary: DepositaryShares | null;
  readonly outstanding: Figure;
  readonly asOf: string;
  readonly byClass: readonly { readonly id: string; readonly count: Figure }[];
  readonly cover: Figure;
  readonly coverDate: string | null;
  /** The count that figures per share divide by: outstanding, or the cover where the balance sheet has a placeholder. */
  readonly perShare: Figure;
  readonly perShareDate: string | null;
  /** Kept for reading; nothing is divided by it. */
  readonly weightedAverage: Figure;
  readonly prefunded: Figure;
  readonly options: Figure;
  /** Weighted over all options. */
  readonly optionPrice: Figure;
  readonly optionGroups: readonly OptionGroup[];
  readonly restrictedUnits: Figure;
  /** Shares with restrictions: issued already, so in no sum. */
  readonly restrictedAwards: Figure;
  /** All warrants that are not prefunded and not expired. */
  readonly warrantsTotal: Figure;
  readonly warrants: readonly Warrant[];
  readonly convertibleShares: Figure;
  readonly basicPlusPrefunded: Figure;
  readonly fullyDiluted: Figure;
  readonly splits: readonly Split[];
  readonly notes: readonly string[];
};
