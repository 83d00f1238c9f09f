import { instant } from '../../../data/contract/values/instant.ts';

/** A row as a driver returns it: SQLite gives numbers, bigints and JSON texts, PostgreSQL texts and objects. */
export type RawRow = Readonly<Record<string, unknown>>;

/** What SQLite binds; PostgreSQL takes the same as members of a JSON text. */
export type Stored = string | number | bigint | null | Uint8Array;

/**
 * A column: its name, the type both schemas give it, and how a value is read; how it is bound and written in JSON, where the
 * databases do not take it as the port has it.
 */
export type Column<T> = {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'bytes' | 'json';
  readonly nullable: boolean;
  read(value: unknown): T;
  bind?(value: T): Stored;
  json?(value: T): unknown;
};

/** The columns of a table by the members of the port's row. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** The row that columns read. */
export type RowOf<C> = { readonly [Member in keyof C]: C[Member] extends Column<infer T> ? T : never };

/**
 * A whole number of a column that stays below 2^53 (P8.15).
 *
 * @throws RangeError when it does not.
 */
export function wholeNumber(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`the ledger holds ${String(value)} where a whole number below 2^53 belongs`);
}

/** Text; the tables' own constraints vouch for closed lists of words. */
export function text<Word extends string = string>(name: string): Column<Word> {
  const read = (value: unknown) => (typeof value === 'string' ? value : String(value)) as Word;
  return { name, type: 'text', nullable: false, read };
}

export function integer(name: string): Column<number> {
  return { name, type: 'integer', nullable: false, read: wholeNumber };
}

const latestInt64 = 2n ** 63n - 1n;

/** Seconds of a chain; an end beyond the column's range never comes, so the largest value means the same. */
export function chainSeconds(name: string): Column<bigint> {
  const bind = (value: bigint) => (value > latestInt64 ? latestInt64 : value);
  return {
    name,
    type: 'integer',
    nullable: false,
    read: (value) => BigInt(value as bigint | string),
    bind,
    json: (value) => String(bind(value)),
  };
}

export function bytes(name: string): Column<Uint8Array> {
  return {
    name,
    type: 'bytes',
    nullable: false,
    read: plainBytes,
    json: (value) => `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`,
  };
}

/** Bytes as lower-case hex. */
export function hex(name: string): Column<string> {
  return {
    name,
    type: 'bytes',
    nullable: false,
    read: (value) => Buffer.from(plainBytes(value)).toString('hex'),
  };
}

/** A list of words as JSON. */
export function words<Word extends string = string>(name: string): Column<readonly Word[]> {
  return {
    name,
    type: 'json',
    nullable: false,
    read: (value) => (typeof value === 'string' ? JSON.parse(value) : value) as Word[],
    bind: JSON.stringify,
  };
}

/** An object as its JSON text. */
export function jsonText(name: string): Column<string> {
  return {
    name,
    type: 'json',
    nullable: false,
    read: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
    json: (value) => JSON.parse(value),
  };
}

/** Whether a column has a value. */
export function present(name: string): Column<boolean> {
  return { name, type: 'integer', nullable: true, read: (value) => value !== null };
}

/** The same column where NULL means that there is no value. */
export function optional<T>({ name, type, read, bind, json }: Column<T>): Column<T | null> {
  return {
    name,
    type,
    nullable: true,
    read: (value) => (value === null || value === undefined ? null : read(value)),
    ...(bind && { bind: (value: T | null) => (value === null ? null : bind(value)) }),
    ...(json && { json: (value: T | null) => (value === null ? null : json(value)) }),
  };
}

function plainBytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array))
    throw new TypeError('the ledger holds something else where bytes belong');
  // a Buffer is shown as what it is, plain bytes
  return Buffer.isBuffer(value) ? new Uint8Array(value.buffer, value.byteOffset, value.length) : value;
}

/** Reads a row of a table. */
export function rowReader<C extends Columns>(columns: C): (row: RawRow) => RowOf<C> {
  const members = Object.entries(columns).map(([member, { name, read }]) => ({ member, name, read }));
  return (row) => {
    const found: Record<string, unknown> = {};
    for (const { member, name, read } of members) found[member] = read(row[name]);
    return found as RowOf<C>;
  };
}

/** An instant to the second, as every answer shows it; null stays null. */
export function instantText(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}

/** What an operator is shown of a value. */
export type Shown = string | number | boolean | null | readonly string[];

const shownNames: Readonly<Record<string, string>> = {
  from_status: 'from',
  to_status: 'to',
  external_ref: 'external_reference',
};

/**
 * A row as operators are shown it: amounts are `…_micro_usd`, instants are texts named `…_at_utc`. `names` are those of
 * columns that are called otherwise.
 */
export function rowShown<C extends Columns>(columns: C, names: Readonly<Record<string, string>> = {}) {
  const members = Object.entries(columns).map(([member, { name }]) => {
    const inWords = name
      .replace(/(^|_)micro$/, '$1micro_usd')
      .replace(/^at_ms$/, 'at_utc')
      .replace(/_ms$/, '_at_utc');
    const shown = names[name] ?? shownNames[name] ?? inWords;
    return { member: member as keyof C, isInstant: name.endsWith('_ms'), name: shown };
  });
  return (row: RowOf<C>): Record<string, Shown> =>
    Object.fromEntries(
      members.map(({ member, isInstant, name }) => {
        const value = row[member];
        return [name, isInstant ? instantText(value as number | null) : (value as Shown)];
      }),
    );
}

/** What a list of names, with white space between them, names of a shown row, in its order. */
export function inOrder(shown: Readonly<Record<string, Shown>>, names: string): Record<string, Shown> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, shown[name] ?? null]));
}

/** A row as the JSON text that PostgreSQL's functions read. */
export function rowJson<C extends Columns>(columns: C): (row: RowOf<C>) => Record<string, unknown> {
  const members = Object.entries(columns);
  return (row) =>
    Object.fromEntries(
      members.map(([member, { name, json }]) => {
        const value = row[member as keyof C];
        return [name, json === undefined ? value : json(value)];
      }),
    );
}

/** A row as the values SQLite binds, in the order of the columns. */
export function rowValues<C extends Columns>(columns: C): (row: RowOf<C>) => Stored[] {
  const members = Object.entries(columns).map(([member, { bind }]) => ({ member: member as keyof C, bind }));
  return (row) =>
    members.map(({ member, bind }) => (bind === undefined ? (row[member] as Stored) : bind(row[member])));
}

/** Names and parameters of an insert of these columns: `(a, b) VALUES (?, ?)`. */
export function insertList(columns: Columns): string {
  const names = Object.values(columns).map(({ name }) => name);
  return `(${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}
