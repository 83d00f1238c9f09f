import { insertList, rowValues } from '../../rows/columns.ts';
import { freshPayment, freshReceipt } from '../../rows/freshRows.ts';

// the inserts of the hot writes, from the column table

export const insertReceiptSql = `INSERT INTO receipts ${insertList(freshReceipt)}`;

/** A receipt that is there already is the same receipt: sent again after a writer's death (P8.10). */
export const insertReceiptOnceSql = `${insertReceiptSql} ON CONFLICT (receipt_id) DO NOTHING`;

/** Takes the authorization, or changes nothing when a unique value of it is taken (P8.22a). */
export const insertPaymentSql = `INSERT INTO payments ${insertList(freshPayment)} ON CONFLICT DO NOTHING`;

export const receiptValues = rowValues(freshReceipt);
export const paymentValues = rowValues(freshPayment);
