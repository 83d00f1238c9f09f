import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { Fraction } from '../exact/fraction.ts';
import type { CurrentUnits } from './currentUnits.ts';
import type { DebtSince } from './debtSince.ts';
import type { Statement } from './statement.ts';

/** Current units that are not those of the balance sheet. */
export type MovedUnits = CurrentUnits & {
  readonly units: ExactDecimal;
  readonly basis: 'stated' | 'stated_rolled';
  readonly stock: Statement;
  readonly confidence: 'High' | 'Medium';
};

/** Coins an issuer stated after its balance sheet, and the debt of the same time (M17.24, M17.26). */
export type StatedUnits = {
  /** The coin of the largest filed value that moved. */
  readonly asset: string;
  readonly current: MovedUnits;
  /** By coin: units now over the units the filed value stands for. */
  readonly factors: ReadonlyMap<string, Fraction>;
  readonly debt: DebtSince;
};
