import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type DuckDBConnection,
  DuckDBDateValue,
  DuckDBDecimalType,
  DuckDBDecimalValue,
  DuckDBListType,
  DuckDBListValue,
  type DuckDBResult,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api';
import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float64,
  Int16,
  Int32,
  Int64,
  List,
  makeBuilder,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import { valueText } from './queryValue.ts';

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

/** How the values of a DuckDB column become those of an Arrow column. */
type ArrowColumn = {
  readonly type: DataType;
  /** The values of one batch. */
  readonly data: (values: readonly DuckDBValue[]) => Data;
};

/**
 * The Arrow column of a DuckDB type: integers, doubles, booleans, dates, lists and structures as they are, decimals of
 * 128 bits with the column's scale, sums of integers as such decimals, timestamps in microseconds UTC, as every TIMESTAMP
 * of the warehouse is. A date that is not finite is null; any other type is the text that `--format csv` shows.
 */
function arrowColumn(type: DuckDBType): ArrowColumn {
  if (type instanceof DuckDBDecimalType) return decimals(type, decimalUnits);
  switch (type.typeId) {
    case DuckDBTypeId.SMALLINT:
      return fixed({ type: new Int16(), Values: Int16Array, convert: Number });
    case DuckDBTypeId.INTEGER:
      return fixed({ type: new Int32(), Values: Int32Array, convert: Number });
    case DuckDBTypeId.DOUBLE:
      return fixed({ type: new Float64(), Values: Float64Array, convert: Number });
    case DuckDBTypeId.BIGINT:
      return fixed({ type: new Int64(), Values: BigInt64Array, convert: (value) => value as bigint });
    case DuckDBTypeId.HUGEINT:
      return decimals({ width: 38, scale: 0 }, (value) => value as bigint);
    case DuckDBTypeId.DATE:
      return fixed({ type: new DateDay(), Values: Int32Array, convert: dayOf });
    case DuckDBTypeId.TIMESTAMP:
      return fixed({ type: new TimestampMicrosecond('UTC'), Values: BigInt64Array, convert: microsOf });
    default:
      return built(type);
  }
}

const dayOf = (value: DuckDBValue) =>
  value instanceof DuckDBDateValue && value.isFinite ? value.days : null;
const microsOf = (value: DuckDBValue) =>
  value instanceof DuckDBTimestampValue && value.isFinite ? value.micros : null;

type NumberArray = Int16Array | Int32Array | Float64Array | BigInt64Array;

/** A column of values of one width; `convert` answers null for a value that Arrow cannot say. */
function fixed<Value extends number | bigint>({
  type,
  Values,
  convert,
}: {
  type: DataType;
  Values: new (length: number) => NumberArray;
  convert: (value: DuckDBValue) => Value | null;
}): ArrowColumn {
  return {
    type,
    data: (values) => {
      const data = new Values(values.length);
      const valid = validity(values.length);
      values.forEach((value, i) => {
        const converted = value === null ? null : convert(value);
        if (converted === null) return;
        data[i] = converted;
        valid.set(i);
      });
      return makeData({ type, data, ...valid.members() } as Parameters<typeof makeData>[0]);
    },
  };
}

const wordsOfDecimal = 4;

const decimalUnits = (value: DuckDBValue) => (value instanceof DuckDBDecimalValue ? value.value : null);

/** A column of 128-bit integers with a scale; `unitsOf` gives the integer of a value. */
function decimals(
  { width, scale }: Pick<DuckDBDecimalType, 'width' | 'scale'>,
  unitsOf: (value: DuckDBValue) => bigint | null,
): ArrowColumn {
  const type = new Decimal(scale, width, 128);
  return {
    type,
    data: (values) => {
      const data = new Uint32Array(values.length * wordsOfDecimal);
      const valid = validity(values.length);
      values.forEach((value, i) => {
        const units = value === null ? null : unitsOf(value);
        if (units === null) return;
        // two's complement, least significant word first
        for (let word = 0; word < wordsOfDecimal; word += 1)
          data[i * wordsOfDecimal + word] = Number(BigInt.asUintN(32, units >> BigInt(32 * word)));
        valid.set(i);
      });
      return makeData({ type, data, ...valid.members() });
    },
  };
}

/** Which values are there: one bit each, the first in the lowest bit. */
function validity(length: number) {
  const nullBitmap = new Uint8Array(Math.ceil(length / 8));
  let count = 0;
  return {
    set: (i: number) => {
      nullBitmap[i >> 3] = (nullBitmap[i >> 3] ?? 0) | (1 << (i & 7));
      count += 1;
    },
    members: () => ({ length, nullCount: length - count, nullBitmap }),
  };
}

/** A column that the library fills value by value: booleans, texts, and what is made of others. */
function built(type: DuckDBType): ArrowColumn {
  const { type: arrow, convert } = nested(type);
  return {
    type: arrow,
    data: (values) => {
      const builder = makeBuilder({ type: arrow, nullValues: [null] });
      for (const value of values) builder.append(convert(value));
      return builder.finish().flush();
    },
  };
}

type Nested = { readonly type: DataType; readonly convert: (value: DuckDBValue) => unknown };

function nested(type: DuckDBType): Nested {
  if (type.typeId === DuckDBTypeId.BOOLEAN) return { type: new Bool(), convert: (value) => value };
  if (type instanceof DuckDBListType) {
    const item = nested(type.valueType);
    return {
      type: new List(new Field('item', item.type, true)),
      convert: (value) => (value instanceof DuckDBListValue ? value.items.map(item.convert) : null),
    };
  }
  if (type instanceof DuckDBStructType) {
    const members = type.entryNames.map((name, i) => ({
      name,
      ...nested(type.entryTypes[i] as DuckDBType),
    }));
    return {
      type: new Struct(members.map((member) => new Field(member.name, member.type, true))),
      convert: (value) =>
        value instanceof DuckDBStructValue
          ? Object.fromEntries(
              members.map(({ name, convert }) => [name, convert(value.entries[name] ?? null)]),
            )
          : null,
    };
  }
  return { type: new Utf8(), convert: valueText };
}
