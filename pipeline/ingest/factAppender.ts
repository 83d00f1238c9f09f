import { BIGINT, DATE, DOUBLE, type DuckDBConnection, INTEGER, SMALLINT } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { type FactPage, pageRows } from './factPage.ts';

/** Columns of the table `fact` in their order there. */
const columns = [
  { type: BIGINT, bytes: 8, of: (page: FactPage) => page.accession },
  { type: DOUBLE, bytes: 8, of: (page: FactPage) => page.value },
  { type: INTEGER, bytes: 4, of: (page: FactPage) => page.cik },
  { type: INTEGER, bytes: 4, of: (page: FactPage) => page.series },
  { type: DATE, bytes: 4, of: (page: FactPage) => page.start },
  { type: DATE, bytes: 4, of: (page: FactPage) => page.end },
  { type: DATE, bytes: 4, of: (page: FactPage) => page.filed },
  { type: INTEGER, bytes: 4, of: (page: FactPage) => page.form },
  { type: INTEGER, bytes: 4, of: (page: FactPage) => page.fp },
  { type: INTEGER, bytes: 4, of: (page: FactPage) => page.frame },
  { type: SMALLINT, bytes: 2, of: (page: FactPage) => page.fy },
] as const;

/** Appends pages to a table with the columns of `fact`, a vector of up to 2,048 rows at a time. */
export class FactAppender {
  private readonly appender: duckdb.Appender;
  private readonly chunk: duckdb.DataChunk;
  private readonly vectors: readonly duckdb.Vector[];
  private readonly vectorRows = duckdb.vector_size();

  private constructor(appender: duckdb.Appender) {
    this.appender = appender;
    this.chunk = duckdb.create_data_chunk(columns.map(({ type }) => type.toLogicalType().logical_type));
    // a reset gives the vectors their memory back and leaves them where they are
    this.vectors = columns.map((_, i) => duckdb.data_chunk_get_vector(this.chunk, i));
  }

  static async open(connection: DuckDBConnection, table: 'fact' | 'fact_incoming'): Promise<FactAppender> {
    // the public appender writes value by value; its handle takes whole chunks
    const { appender } = (await connection.createAppender(table, 'internal')) as unknown as {
      appender: duckdb.Appender;
    };
    return new FactAppender(appender);
  }

  /** Appends the first `rows` rows of `page`. */
  append(page: FactPage, rows: number): void {
    if (rows > pageRows) throw new RangeError(`a page holds at most ${pageRows} rows`);
    for (let from = 0; from < rows; from += this.vectorRows) {
      const count = Math.min(this.vectorRows, rows - from);
      duckdb.data_chunk_reset(this.chunk);
      duckdb.data_chunk_set_size(this.chunk, count);
      columns.forEach(({ bytes, of }, i) => {
        const vector = this.vectors[i] as duckdb.Vector;
        duckdb.copy_data_to_vector(vector, 0, page.buffer, of(page).byteOffset + from * bytes, count * bytes);
      });
      duckdb.append_data_chunk(this.appender, this.chunk);
    }
  }

  close(): void {
    duckdb.appender_close_sync(this.appender);
  }

  /** Drops rows not yet flushed, so that a failed run can be rolled back. */
  abandon(): void {
    duckdb.appender_clear(this.appender);
  }
}
