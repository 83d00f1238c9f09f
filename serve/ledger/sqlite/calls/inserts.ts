import type { DatabaseSync, StatementResultingChanges } from 'node:sqlite';
import { type ClaimInput, paymentTable } from '../../port/payment.ts';
import { receiptTable } from '../../port/receipt.ts';
import { insertList, type Stored } from '../../rows/columns.ts';

// the inserts of the hot writes, from the column table

export const insertReceiptSql = `INSERT INTO receipts ${insertList(receiptTable)}`;

/** A receipt that is there already is the same receipt: sent again after a writer's death (P8.10). */
export const insertReceiptOnceSql = `${insertReceiptSql} ON CONFLICT (receipt_id) DO NOTHING`;

/** Takes the authorization, or changes nothing when a unique value of it is taken (P8.22a). */
export const insertPaymentSql = `INSERT INTO payments ${insertList(paymentTable)} ON CONFLICT DO NOTHING`;

/**
 * Prepares a statement with parameters `:name` and returns the function that runs it. They are bound by their places:
 * binding by name looks every name up in the statement on every run and takes two to three times as long.
 */
export function prepareNamed<Name extends string>(
  sql: string,
  database: DatabaseSync,
): (values: Readonly<Record<Name, Stored>>) => StatementResultingChanges {
  const names: Name[] = [];
  const text = sql.replaceAll(/:([a-z]+)/g, (_, name: Name) => {
    names.push(name);
    return '?';
  });
  const statement = database.prepare(text);
  return (values) => statement.run(...names.map((name) => values[name]));
}

/** The same bytes in memory of their own: a view would carry the whole buffer behind it to the writer. */
export function detachedBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

/** A receipt whose fingerprint is bytes of its own. */
export function detachedReceipt<R extends { readonly fingerprint: Uint8Array }>(receipt: R): R {
  const fingerprint = detachedBytes(receipt.fingerprint);
  return fingerprint === receipt.fingerprint ? receipt : { ...receipt, fingerprint };
}

/** A claim whose keys and hashes are bytes of their own. */
export function detachedClaim(claim: ClaimInput): ClaimInput {
  return {
    ...claim,
    claimKey: detachedBytes(claim.claimKey),
    nonce: detachedBytes(claim.nonce),
    payloadHash: detachedBytes(claim.payloadHash),
    fingerprint: detachedBytes(claim.fingerprint),
    job: claim.job === null ? null : { ...claim.job, payload: detachedBytes(claim.job.payload) },
    receipt: detachedReceipt(claim.receipt),
  };
}

/** An input whose own bytes are bytes of their own. */
export function detachedInput<Input extends object>(input: Input): Input {
  const members = Object.entries(input).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? detachedBytes(value) : value,
  ]);
  return Object.fromEntries(members) as Input;
}
