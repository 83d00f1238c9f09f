import { existsSync, statSync } from 'node:fs';
import { checkSchema } from './applySchema.ts';
import { openDatabase } from './openDatabase.ts';

/**
 * Inspects a ledger file without changing it, for `check-config` (I5.51): absent (the first start creates the
 * schema), or present with the schema this program reads.
 *
 * @throws IssuerError `configuration` or `store_unwritable` when a start would be refused.
 */
export function inspectLedger(path: string): 'absent' | 'present' {
  // a start that was cut off leaves an empty file, which has no journal mode yet
  if (!existsSync(path) || statSync(path).size === 0) return 'absent';
  const database = openDatabase({ path, mode: 'read' });
  try {
    return checkSchema(database) === 'empty' ? 'absent' : 'present';
  } finally {
    database.close();
  }
}
