import type { Delivery } from '../../port/ledger.ts';
import type { ColdName } from '../../writes/coldWrites.ts';
import type { UnchargedReceipt } from '../calls/inserts.ts';
import type { Call } from '../calls/writerCalls.ts';

/** A cold write on its way to the writer thread, with the time it was asked for at. */
export type ColdCall = {
  readonly kind: 'cold';
  readonly name: ColdName;
  readonly input: unknown;
  readonly nowMs: number;
};

/** One write of the ledger; each runs under its own savepoint (P8.7). */
export type Operation =
  | UnchargedReceipt
  | { readonly kind: 'delivery'; readonly receiptId: string; readonly delivery: Delivery }
  | { readonly kind: 'key_used'; readonly keyId: string; readonly atMs: number }
  | ColdCall
  | Call;

/** What one operation came to: a value, or the database's refusal of this operation alone. */
export type OperationResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string };

/** Why a whole batch was rolled back while the writer lives: nothing of it is stored, it may be sent again. */
export type WriteObstacle = 'disk_full' | 'file_busy';

export type ToWriter =
  | { readonly kind: 'batch'; readonly operations: readonly Operation[] }
  | { readonly kind: 'maintain'; readonly checkpoint: boolean }
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'ready'; readonly freeBytes: number }
  | {
      readonly kind: 'refused';
      readonly code: 'configuration' | 'store_unwritable';
      message: string;
      hint: string;
    }
  | {
      readonly kind: 'committed';
      /** in the order of the batch; null for the common `stored` */
      readonly results: readonly (OperationResult | null)[];
      readonly commitMs: number;
      readonly freeBytes: number;
    }
  | { readonly kind: 'rolled_back'; readonly obstacle: WriteObstacle; readonly code: number }
  | { readonly kind: 'maintained'; readonly freeBytes: number }
  | { readonly kind: 'closed' };

/** The only word an operation without a caller comes to. */
export const stored = 'stored';
