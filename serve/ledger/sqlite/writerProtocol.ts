import type { Delivery, NewApiKey, ReceiptInput } from '../ledger.ts';
import type { Call } from './calls/writerCalls.ts';

/** One write of the ledger; each runs under its own savepoint (P8.7). */
export type Operation =
  | { readonly kind: 'receipt'; readonly receipt: ReceiptInput; delivery: Delivery | 'pending' }
  | { readonly kind: 'delivery'; readonly receiptId: string; readonly delivery: Delivery }
  | { readonly kind: 'key_used'; readonly keyId: string; readonly atMs: number }
  | { readonly kind: 'create_key'; readonly key: NewApiKey }
  | {
      readonly kind: 'revoke_key';
      readonly keyId: string;
      readonly as: `operator:${string}`;
      readonly atMs: number;
    }
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
