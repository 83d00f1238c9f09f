import { readFileSync } from 'node:fs';
import { receiptTransitions, statusesOfMode } from '../../../data/contract/billing/receiptTransitions.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { BookProblem } from '../port/books.ts';

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

// the state machine of the contract (I3.2, I3.10) as SQL of both databases

const steps = receiptTransitions.flatMap(({ from, to, by }) => by.map((actor) => [from ?? '', to, actor]));

/** The rows of `receipt_transitions` as the list of a VALUES clause. */
export const transitionValues = steps.map((step) => `(${step.map(quoted).join(',')})`).join(', ');

const modeCases = Object.entries(statusesOfMode)
  .map(([mode, statuses]) => `WHEN '${mode}' THEN charge_status IN (${statuses.map(quoted).join(',')})`)
  .join(' ');

/** Whether the state of a receipt is one that its mode may have. */
export const statusFitsMode = `CASE settlement_mode ${modeCases} ELSE false END`;

function quoted(word: string): string {
  return `'${word}'`;
}

/** A part of a schema that is not what it was made with. */
export function problem(subject: string, detail: string): BookProblem {
  return { rule: 'schema_in_force', subject, detail };
}
