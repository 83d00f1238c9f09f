/** The version both schemas write into `ledger_meta`. */
export const schemaVersion = '1';
