import type { DatabaseSync } from 'node:sqlite';
import type { BookProblem } from '../../port/books.ts';
import { ledgerVersion } from './applySchema.ts';
import { lawfulSchema, type SchemaPart, schemaParts } from './lawfulSchema.ts';
import { schemaVersion } from './schemaVersion.ts';

/**
 * What of the schema a ledger file has lost: tables, indexes and triggers that are missing or read otherwise than a
 * program of its version makes them, and triggers it does not know. The owner of the file can take a rule out of it,
 * write past it and put it back, but not leave it out unseen (P8.26, S11).
 */
export function schemaInForce(database: DatabaseSync): BookProblem[] {
  const version = ledgerVersion(database);
  const lawful = textsOf(lawfulSchema(version === 'empty' ? schemaVersion : version));
  const found = textsOf(schemaParts(database));
  const lost = [...lawful].flatMap(([name, sql]) => {
    const here = found.get(name);
    if (here === sql) return [];
    return [problem(name, here === undefined ? 'missing' : 'changed')];
  });
  const foreign = [...found.keys()].filter((name) => name.startsWith('trigger ') && !lawful.has(name));
  return [...lost, ...foreign.map((name) => problem(name, 'unknown'))];
}

/** The text of each table, index and trigger by its kind and name. */
function textsOf(parts: readonly SchemaPart[]): ReadonlyMap<string, string> {
  return new Map(parts.map(({ type, name, sql }) => [`${type} ${name}`, sql]));
}

function problem(subject: string, detail: string): BookProblem {
  return { rule: 'schema_in_force', subject, detail };
}
