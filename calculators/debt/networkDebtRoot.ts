import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { roleName } from '../network/filingNetworks.ts';
import type { RootPart } from '../network/networkRoots.ts';
import type { DebtBucket } from '../parameters/concepts.ts';

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

/** `C us-gaap:LongTermDebtCurrent = 316000 via us-gaap:LiabilitiesCurrent w=+1 role=BalanceSheet` (M1.28). */
export function rootDetail({ bucket, concept, value, parent, weight, role }: NetworkDebtRoot): string {
  return `${bucket} ${concept} = ${value} via ${parent} w=${weight === 1 ? '+1' : '-1'} role=${roleName(role)}`;
}
