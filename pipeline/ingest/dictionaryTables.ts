import type { DuckDBConnection } from '@duckdb/node-api';
import type { NewStrings } from './factDictionaries.ts';

const UNKNOWN = -1;

/** One dictionary table: rows of strings under consecutive codes, rows added this run kept apart. */
class DictionaryTable {
  private readonly codes = new Map<string, number>();
  readonly added: { code: number; row: readonly (string | null)[] }[] = [];
  private next: number;

  constructor(stored: readonly { code: number; row: readonly (string | null)[] }[], first: number) {
    this.next = first;
    for (const { code, row } of stored) {
      this.codes.set(JSON.stringify(row), code);
      this.next = Math.max(this.next, code + 1);
    }
  }

  code(row: readonly (string | null)[]): number {
    const key = JSON.stringify(row);
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
    const grown = new Int32Array(Math.max(1024, needed * 2)).fill(UNKNOWN);
    grown.set(this.codes);
    for (let i = 0; i < this.first; i += 1) grown[i] = i;
    this.codes = grown;
  }

  apply(column: Int32Array, rows: number): void {
    const codes = this.codes;
    // neighbours mostly share their code
    let last = UNKNOWN;
    let code = UNKNOWN;
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
  series: { table: 'fact_series', columns: 'series_id, taxonomy, concept, unit', first: 0 },
  form: { table: 'fact_form', columns: 'form_id, form', first: 0 },
  fp: { table: 'fact_fp', columns: 'fp_id, fp', first: 1 },
  frame: { table: 'fact_frame', columns: 'frame_id, frame', first: 1 },
  exact: { table: 'fact_exact', columns: 'code, accession, value_exact', first: 0 },
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
    const load = async (name: TableName) => {
      const { table, columns, first } = tables[name];
      const result = await connection.runAndReadAll(`SELECT ${columns} FROM ${table}`);
      const stored = result.getRows().map(([code, ...row]) => ({
        // codes of fact_exact are stored as −1 − code, which is what marks them in fact.accession
        code: name === 'exact' ? -1 - Number(code) : Number(code),
        row: row as (string | null)[],
      }));
      return { stored, table: new DictionaryTable(stored, first) };
    };
    const [series, form, fp, frame, exact] = [
      await load('series'),
      await load('form'),
      await load('fp'),
      await load('frame'),
      await load('exact'),
    ];
    for (const optional of [fp, frame]) {
      if (optional.stored.length === 0) optional.table.added.push({ code: 0, row: [null] });
    }
    return new DictionaryTables({
      series: series.table,
      form: form.table,
      fp: fp.table,
      frame: frame.table,
      exact: exact.table,
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
      const appender = await connection.createAppender(tables[name].table);
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
