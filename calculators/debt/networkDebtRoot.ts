import type { ExactDecimal } from '../../contract/exactDecimal.ts';
import type { RootPart } from '../network/rootValues.ts';
import type { DebtBucket } from './debtDictionary.ts';

/** A debt root of the liabilities side, valued (M1.25, M1.26). */
export type NetworkDebtRoot = {
  readonly bucket: DebtBucket;
  readonly concept: string;
  readonly value: ExactDecimal;
  readonly weight: 1 | -1;
  readonly parent: string;
  readonly role: string;
  readonly reason: string;
  /** Reported concepts behind the value. */
  readonly parts: readonly RootPart[];
  readonly isExtension: boolean;
  /** A finance lease taken off the root before it (†). */
  readonly isLeasePart: boolean;
};
