/** Rows of one page: a whole number of DuckDB vectors (2,048 rows). */
export const pageRows = 16_384;

/** Bytes of one row over all columns. */
const rowBytes = 50;

/**
 * Columns of the table `fact` for up to PAGE_ROWS rows, side by side in one transferable buffer.
 *
 * Dates are days since 1970-01-01, absent values are coded as in data/sql/facts.sql; dictionary columns hold
 * the codes of the worker that filled the page until the appender replaces them.
 */
export type FactPage = {
  readonly buffer: ArrayBuffer;
  readonly accession: BigInt64Array;
  readonly value: Float64Array;
  readonly cik: Int32Array;
  readonly series: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly filed: Int32Array;
  readonly form: Int32Array;
  readonly fp: Int32Array;
  readonly frame: Int32Array;
  readonly fy: Int16Array;
  /** the accession column as little-endian pairs of 32-bit words */
  readonly accessionWords: Int32Array;
};

/** Code of an absent start date: DuckDB's date '-infinity'. */
export const noStart = -2147483647;

/** Code of an unknown filing date: DuckDB's date 'infinity'. */
export const notFiled = 2147483647;

/** Code of an absent fiscal year. */
export const noFiscalYear = -1;

/** Lays the columns over `buffer`, or over a new one. */
export function factPage(buffer: ArrayBuffer = new ArrayBuffer(pageRows * rowBytes)): FactPage {
  const int32 = (index: number) => new Int32Array(buffer, pageRows * (16 + 4 * index), pageRows);
  return {
    buffer,
    accession: new BigInt64Array(buffer, 0, pageRows),
    accessionWords: new Int32Array(buffer, 0, pageRows * 2),
    value: new Float64Array(buffer, pageRows * 8, pageRows),
    cik: int32(0),
    series: int32(1),
    start: int32(2),
    end: int32(3),
    filed: int32(4),
    form: int32(5),
    fp: int32(6),
    frame: int32(7),
    fy: new Int16Array(buffer, pageRows * 48, pageRows),
  };
}
