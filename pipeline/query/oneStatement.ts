import { type DuckDBConnection, StatementType } from '@duckdb/node-api';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';

/** What a text of one reading statement is: rows, or a plan of them. */
export type ReadingKind = 'rows' | 'plan';

/**
 * The kind of a text that holds one statement which reads.
 *
 * @throws IssuerError `usage` for no statement, several, or one that writes or configures.
 */
export async function readingKind(connection: DuckDBConnection, sql: string): Promise<ReadingKind> {
  const count = await statementCount(connection, sql);
  // the database takes a PIVOT over unknown values apart into several; as a query in parentheses it is still one
  if (count > 1 && (await statementCount(connection, asSubquery(sql)).catch(() => 0)) > 0) return 'rows';
  if (count !== 1) throw refuse(`The query holds ${count} statements instead of one.`);
  const prepared = await (await connection.extractStatements(sql)).prepare(0);
  const type = prepared.statementType;
  prepared.destroySync();
  if (type === StatementType.SELECT) return 'rows';
  if (type === StatementType.EXPLAIN) return 'plan';
  throw refuse(`The query is a statement of kind ${StatementType[type]}, which does not read.`);
}

/** The text as a table of another query. */
export function asSubquery(sql: string): string {
  return `SELECT * FROM (\n${sql.replace(/[;\s]+$/, '')}\n)`;
}

async function statementCount(connection: DuckDBConnection, sql: string): Promise<number> {
  const statements = await connection.extractStatements(sql).catch((error: Error) => {
    // a text of blanks and comments has no statement, which the client reports as a fault of its own
    if (error.message === 'Error in native callback') return null;
    throw error;
  });
  return statements?.count ?? 0;
}

function refuse(message: string): IssuerError {
  return new IssuerError({
    code: 'usage',
    message,
    hint: 'Give one SELECT, WITH, FROM, PIVOT, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN; ask several one after the other.',
  });
}
