import { DatabaseSync } from 'node:sqlite';
import type { BookProblem } from '../../port/books.ts';
import { applySchema } from './applySchema.ts';

/**
 * What of the schema a ledger file has lost: tables, indexes and triggers that are missing or read otherwise than this
 * program makes them, and triggers it does not know. Whoever owns the file can take a rule out of it, write past it and
 * put it back, but not leave it out unseen (P8.26, S11).
 */
export function schemaInForce(database: DatabaseSync): BookProblem[] {
  const fresh = new DatabaseSync(':memory:');
  try {
    applySchema(fresh);
    const lawful = schemaOf(fresh);
    const found = schemaOf(database);
    const lost = [...lawful].flatMap(([name, sql]) => {
      const here = found.get(name);
      if (here === sql) return [];
      return [problem(name, here === undefined ? 'missing' : 'changed')];
    });
    const foreign = [...found.keys()].filter((name) => name.startsWith('trigger ') && !lawful.has(name));
    return [...lost, ...foreign.map((name) => problem(name, 'unknown'))];
  } finally {
    fresh.close();
  }
}

/** The text of each table, index and trigger by its kind and name; those of the database itself have none. */
function schemaOf(database: DatabaseSync): ReadonlyMap<string, string> {
  const rows = database
    .prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name')
    .all();
  return new Map(
    rows
      .filter(({ name }) => !String(name).startsWith('sqlite_'))
      .map(({ type, name, sql }) => [`${type} ${name}`, String(sql)]),
  );
}

function problem(subject: string, detail: string): BookProblem {
  return { rule: 'schema_in_force', subject, detail };
}
