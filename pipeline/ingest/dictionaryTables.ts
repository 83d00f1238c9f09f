import type { DuckDBConnection } from '@duckdb/node-api';
import type { NewStrings } from './factDictionaries.ts';

const unknown = -1;
/** between the strings of a row and between rows; no stored string holds control characters */
const field = '\u001f';
const rowSeparator = '\u001e';

type Row = readonly (string | null)[];

/** One dictionary table: rows of strings under consecutive codes, rows added this run kept apart. */
class DictionaryTable {
  private readonly codes: Map<string, number>;
  readonly added: { code: number; row: Row }[] = [];
  private next: number;

  /** `stored` are the keys of the rows held, in the order of their codes from `first` on. */
  constructor(stored: readonly string[], first: number) {
    this.codes = new Map(stored.map((key, i) => [key, first + i]));
    this.next = first + stored.length;
  }

  code(row: Row): number {
    const key = row.map((text) => text ?? '').join(field);
    const known = this.codes.get(key);
    if (known !== undefined) return known;
    const code = this.next;
    this.next += 1;
    this.codes.set(key, code);
    this.added.push({ code, row });
    return code;
  }
}

/** Replaces the codes of one reader by those of the tables, giving new ones in the order of first use. */
class Translation {
  private codes = new Int32Array(0);
  private readonly rows: (readonly string[])[] = [];
  private readonly table: DictionaryTable;
  /** reader codes start here; smaller ones stand for absent and stay */
  private readonly first: number;

  constructor(table: DictionaryTable, first: number) {
    this.table = table;
    this.first = first;
  }

  learn(rows: readonly (readonly string[])[]): void {
    for (const row of rows) this.rows.push(row);
    const needed = this.first + this.rows.length;
    if (needed <= this.codes.length) return;
    const grown = new Int32Array(Math.max(1024, needed * 2)).fill(unknown);
    grown.set(this.codes);
    for (let i = 0; i < this.first; i += 1) grown[i] = i;
    this.codes = grown;
  }

  apply(column: Int32Array, rows: number): void {
    const codes = this.codes;
    // neighbours mostly share their code
    let last = unknown;
    let code = unknown;
    for (let i = 0; i < rows; i += 1) {
      const local = column[i] as number;
      if (local !== last) {
        last = local;
        const known = codes[local] as number;
        // false for a code not yet given and for one not yet learned
        code = known >= 0 ? known : this.assign(local);
      }
      column[i] = code;
    }
  }

  private assign(local: number): number {
    if (local < this.first) return local;
    const row = this.rows[local - this.first];
    if (row === undefined) throw new Error(`dictionary code ${local} was never announced`);
    const code = this.table.code(row);
    this.codes[local] = code;
    return code;
  }
}

/** Translations of one reader, one per coded column. */
export type ReaderCodes = {
  readonly series: Translation;
  readonly form: Translation;
  readonly fp: Translation;
  readonly frame: Translation;
};

const tables = {
  series: { table: 'fact_series', id: 'series_id', strings: ['taxonomy', 'concept', 'unit'], first: 0 },
  form: { table: 'fact_form', id: 'form_id', strings: ['form'], first: 0 },
  fp: { table: 'fact_fp', id: 'fp_id', strings: ['fp'], first: 1 },
  frame: { table: 'fact_frame', id: 'frame_id', strings: ['frame'], first: 1 },
  // stored as −1 − code, which is what marks them in fact.accession
  exact: { table: 'fact_exact', id: '-1 - code', strings: ['accession', 'value_exact'], first: 0 },
} as const;

type TableName = keyof typeof tables;

/** The dictionary tables of a build during one run; fp and frame hold null under code 0. */
export class DictionaryTables {
  private readonly byName: Record<TableName, DictionaryTable>;
  private readonly readers: ReaderCodes[] = [];

  private constructor(byName: Record<TableName, DictionaryTable>) {
    this.byName = byName;
  }

  static async load(connection: DuckDBConnection): Promise<DictionaryTables> {
    return new DictionaryTables({
      series: await loadTable(connection, 'series'),
      form: await loadTable(connection, 'form'),
      fp: await loadTable(connection, 'fp'),
      frame: await loadTable(connection, 'frame'),
      exact: await loadTable(connection, 'exact'),
    });
  }

  /** Learns the strings a reader met first and returns its translations. */
  learn(reader: number, strings: NewStrings): ReaderCodes {
    this.readers[reader] ??= {
      series: new Translation(this.byName.series, 0),
      form: new Translation(this.byName.form, 0),
      fp: new Translation(this.byName.fp, 1),
      frame: new Translation(this.byName.frame, 1),
    };
    const codes = this.readers[reader];
    codes.series.learn(strings.series);
    codes.form.learn(strings.form.map((text) => [text]));
    codes.fp.learn(strings.fp.map((text) => [text]));
    codes.frame.learn(strings.frame.map((text) => [text]));
    return codes;
  }

  /** What stands in fact.accession for a row the typed columns cannot hold. */
  exactCode(accession: string, valueExact: string | null): bigint {
    return BigInt(-1 - this.byName.exact.code([accession, valueExact]));
  }

  /** Appends the rows added this run. */
  async save(connection: DuckDBConnection): Promise<void> {
    for (const name of Object.keys(tables) as TableName[]) {
      const { added } = this.byName[name];
      if (added.length === 0) continue;
      const appender = await connection.createAppender(tables[name].table, 'internal');
      for (const { code, row } of added) {
        if (name === 'exact') appender.appendBigInt(BigInt(-1 - code));
        else appender.appendInteger(code);
        for (const text of row) {
          if (text === null) appender.appendNull();
          else appender.appendVarchar(text);
        }
        appender.endRow();
      }
      appender.closeSync();
    }
  }
}

/** Reads a table as one string: a value a row costs the client more than splitting does. */
async function loadTable(connection: DuckDBConnection, name: TableName): Promise<DictionaryTable> {
  const { table, id, strings, first } = tables[name];
  const key = strings.map((column) => `coalesce(${column}, '')`).join(' || chr(31) || ');
  const result = await connection.runAndReadAll(
    `SELECT count(*), string_agg(${key}, chr(30) ORDER BY ${id}) FILTER (${id} >= ${first}) FROM ${table}`,
  );
  const [rows, keys] = result.getRows()[0] ?? [];
  const loaded = new DictionaryTable(typeof keys === 'string' ? keys.split(rowSeparator) : [], first);
  if (first === 1 && Number(rows) === 0) loaded.added.push({ code: 0, row: [null] });
  return loaded;
}
