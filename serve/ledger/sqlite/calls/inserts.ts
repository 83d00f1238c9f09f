import type { ReceiptRow } from '../../port/receipt.ts';
import { insertList, rowValues, type Stored } from '../../rows/columns.ts';
import { freshPayment, freshReceipt } from '../../rows/freshRows.ts';
import { detachedBytes } from '../writer/detachedBytes.ts';

// the inserts of the hot writes, from the column table

export const insertReceiptSql = `INSERT INTO receipts ${insertList(freshReceipt)}`;

/** A receipt that is there already is the same receipt: sent again after a writer's death (P8.10). */
export const insertReceiptOnceSql = `${insertReceiptSql} ON CONFLICT (receipt_id) DO NOTHING`;

/** Takes the authorization, or changes nothing when a unique value of it is taken (P8.22a). */
export const insertPaymentSql = `INSERT INTO payments ${insertList(freshPayment)} ON CONFLICT DO NOTHING`;

export const receiptValues = rowValues(freshReceipt);

const receiptMembers = Object.keys(freshReceipt);
/** Where the delivery state lies among the values of a receipt. */
export const deliveryPlace = receiptMembers.indexOf('delivery');
const fingerprintPlace = receiptMembers.indexOf('fingerprint');

/** An uncharged receipt as one row, bound in the order of its insert. */
export type UnchargedReceipt = {
  readonly kind: 'receipt';
  readonly receiptId: string;
  readonly values: Stored[];
};

/** An uncharged receipt on its way to the writer (P6.6). */
export function unchargedReceipt(row: ReceiptRow): UnchargedReceipt {
  const values = receiptValues(row);
  values[fingerprintPlace] = detachedBytes(row.fingerprint);
  return { kind: 'receipt', receiptId: row.receiptId, values };
}

export const paymentValues = rowValues(freshPayment);
