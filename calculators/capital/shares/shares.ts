import type { Figure } from '../figure.ts';

export type Warrant = {
  readonly id: string;
  readonly count: Figure;
  readonly exercisePrice: Figure;
  readonly expires: Figure<string>;
  readonly isPrefunded: boolean;
};

/** A split the filing states; `ratio` new shares for one old (0.1 for a reverse split of ten). */
export type Split = { readonly date: string; readonly ratio: number; readonly source: 'fact' | 'registry' };

/** What a share is (M18.42–M18.46); counts at the period end unless a date is beside them. */
export type Shares = {
  readonly outstanding: Figure;
  readonly asOf: string;
  readonly byClass: readonly { readonly id: string; readonly count: Figure }[];
  readonly cover: Figure;
  readonly coverDate: string | null;
  readonly prefunded: Figure;
  readonly options: Figure;
  readonly optionPrice: Figure;
  readonly restrictedUnits: Figure;
  readonly warrants: readonly Warrant[];
  readonly convertibleShares: Figure;
  readonly basicPlusPrefunded: Figure;
  readonly fullyDiluted: Figure;
  readonly splits: readonly Split[];
  readonly notes: readonly string[];
};
