import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection, DuckDBResult, DuckDBValue } from '@duckdb/node-api';
import { Field, makeData, RecordBatch, RecordBatchFileWriter, Schema, Struct } from 'apache-arrow';
import { type ArrowColumn, arrowColumn } from './arrowColumn.ts';

// batches that readers hold at once and skip by; the database hands out 2,048 rows at a time
const rowsOfBatch = 32_768;

/**
 * Writes the rows of a statement as an Arrow IPC file (Feather 2), in batches, uncompressed, so that a reader can map it.
 *
 * @param comments of columns, by name, kept in the metadata of their fields
 * @returns number of rows
 */
export async function writeArrow(
  connection: DuckDBConnection,
  { sql, path, comments = new Map() }: { sql: string; path: string; comments?: ReadonlyMap<string, string> },
): Promise<number> {
  const result = await connection.stream(sql);
  const columns = result.columnTypes().map(arrowColumn);
  const fields = result.deduplicatedColumnNames().map((name, i) => {
    const comment = comments.get(name);
    const metadata = new Map(comment === undefined ? [] : [['comment', comment]]);
    return new Field(name, (columns[i] as ArrowColumn).type, true, metadata);
  });
  const schema = new Schema(fields);
  let rows = 0;
  async function* batches() {
    for await (const values of rowGroups(result)) {
      const length = values[0]?.length ?? 0;
      rows += length;
      const children = columns.map((column, i) => column.data(values[i] ?? []));
      yield new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount: 0, children }));
    }
  }
  await pipeline(
    Readable.from(batches()),
    RecordBatchFileWriter.throughNode({ autoDestroy: true }),
    createWriteStream(path),
  );
  return rows;
}

/** Values by column, so many rows at once; a result without rows is one empty group, which carries the columns. */
async function* rowGroups(result: DuckDBResult): AsyncGenerator<DuckDBValue[][]> {
  const none = () => Array.from({ length: result.columnCount }, (): DuckDBValue[] => []);
  let group = none();
  let isFirst = true;
  for await (const chunk of result) {
    chunk.getColumns().forEach((values, i) => {
      const column = group[i];
      for (const value of values) column?.push(value);
    });
    if ((group[0]?.length ?? 0) < rowsOfBatch) continue;
    yield group;
    group = none();
    isFirst = false;
  }
  if (isFirst || (group[0]?.length ?? 0) > 0) yield group;
}
