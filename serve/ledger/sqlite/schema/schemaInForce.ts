import { DatabaseSync } from 'node:sqlite';
import type { BookProblem } from '../../port/books.ts';
import { applySchema } from './applySchema.ts';

/**
 * What of the schema a ledger file has lost: tables, indexes and triggers that are missing or read otherwise than this
 * program makes them, and triggers it does not know. The owner of the file can take a rule out of it, write past it and
 * put it back, but not leave it missing unnoticed (P8.26, S11).
 */
export function schemaInForce(database: DatabaseSync): BookProblem[] {
  const lawful = lawfulParts();
  const found = schemaParts(database);
  const lost = [...lawful].flatMap(([name, sql]) => {
    const here = found.get(name);
    if (here === sql) return [];
    return [problem(name, here === undefined ? 'missing' : 'changed')];
  });
  const foreign = [...found.keys()].filter((name) => name.startsWith('trigger ') && !lawful.has(name));
  return [...lost, ...foreign.map((name) => problem(name, 'unknown'))];
}

/** The text of each table, index and trigger by its kind and name, without those the database makes itself. */
function schemaParts(database: DatabaseSync): ReadonlyMap<string, string> {
  const parts = database
    .prepare(
      `SELECT type, name, sql FROM sqlite_schema
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name`,
    )
    .all();
  return new Map(parts.map(({ type, name, sql }) => [`${type} ${name}`, String(sql)]));
}

/** The schema as this program makes it. */
function lawfulParts(): ReadonlyMap<string, string> {
  const fresh = new DatabaseSync(':memory:');
  try {
    applySchema(fresh);
    return schemaParts(fresh);
  } finally {
    fresh.close();
  }
}

function problem(subject: string, detail: string): BookProblem {
  return { rule: 'schema_in_force', subject, detail };
}
