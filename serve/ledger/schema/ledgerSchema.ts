import { readFileSync } from 'node:fs';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { transitionValues } from './transitionTable.ts';

/** Version that `ledger_meta` of a new ledger states, in SQLite and in PostgreSQL (P8.13). */
export const schemaVersion = '3';

/** The statements of a `ledger.sql`, with the rows of its transition table. */
export function ledgerTables(file: URL): string {
  return readFileSync(file, 'utf8').replace('{transitions}', () => transitionValues);
}

/** The refusal of a ledger that another version of the program made (P8.13). */
export function otherVersion(found: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `The ledger has schema version ${found}; this program reads version ${schemaVersion}.`,
    hint: 'Run the version of the program that wrote it, or point II_LEDGER at a new ledger; this one was left as it is.',
    details: { found, expected: schemaVersion },
  });
}
