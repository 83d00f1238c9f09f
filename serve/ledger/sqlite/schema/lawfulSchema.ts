import { DatabaseSync } from 'node:sqlite';
import { applySchema, createFirstSchema } from './applySchema.ts';
import { keyedInVersionOne, type SchemaVersion, schemaVersion } from './schemaVersion.ts';

/** Table, index or trigger as the database stores its text. */
export type SchemaPart = {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
};

/** The parts of a schema in the order of type and name, without those the database makes itself. */
export function schemaParts(database: DatabaseSync): readonly SchemaPart[] {
  return database
    .prepare(
      `SELECT type, name, tbl_name, sql FROM sqlite_schema
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name`,
    )
    .all()
    .map(({ type, name, tbl_name: table, sql }) => ({
      type: String(type),
      name: String(name),
      table: String(table),
      sql: String(sql),
    }));
}

/** The schema as this program makes it, or as a program of an older version made it. */
export function lawfulSchema(version: SchemaVersion): readonly SchemaPart[] {
  const fresh = new DatabaseSync(':memory:');
  try {
    if (version === schemaVersion) {
      applySchema(fresh);
      return schemaParts(fresh);
    }
    createFirstSchema(fresh);
    return schemaParts(fresh).map((part) =>
      part.type === 'table' && keyedInVersionOne.has(part.name)
        ? { ...part, sql: `${part.sql}, WITHOUT ROWID` }
        : part,
    );
  } finally {
    fresh.close();
  }
}
