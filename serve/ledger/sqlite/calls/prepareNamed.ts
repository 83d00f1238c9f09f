import type { DatabaseSync, StatementResultingChanges } from 'node:sqlite';
import type { Stored } from '../../rows/columns.ts';

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
