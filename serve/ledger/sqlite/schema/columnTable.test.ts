import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { columnTables } from '../../../../fixtures/rigs/ledger/columnTables.ts';
import { applySchema } from './applySchema.ts';

const types = { text: 'TEXT', integer: 'INTEGER', bytes: 'BLOB', json: 'TEXT' };

test.each(Object.entries(columnTables))(
  'the columns of %s are those of the SQLite schema',
  (table, columns) => {
    const database = new DatabaseSync(':memory:');
    applySchema(database);
    const known = new Map(
      database
        .prepare('SELECT name, type, "notnull" OR pk > 0 AS required FROM pragma_table_info(?)')
        .all(table)
        .map(({ name, type, required }) => [String(name), { type, nullable: required === 0 }]),
    );
    for (const { name, type, nullable } of Object.values(columns)) {
      expect(known.get(name), name).toEqual({ type: types[type], nullable });
    }
  },
);
