import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Issuer } from '../../calculators/rows.ts';
import type { XbrlFiling } from '../../calculators/xbrlFiling.ts';
import { filingRows } from './filingRows.ts';
import { filingWriter } from './filingWriter.ts';
import { type Cell, type Columns, insertRows } from './insertRows.ts';
import { openForWriting } from './openDatabase.ts';
import { prepareSchema } from './prepareSchema.ts';
import { readRows } from './readRows.ts';
import { readSql } from './readSql.ts';

/** A fact as a test writes it down; unit USD and taxonomy us-gaap unless said otherwise. */
export type HandMadeFact = {
  readonly cik: string;
  readonly concept: string;
  readonly end: string;
  readonly value: string;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  readonly start?: string;
  readonly unit?: string;
  readonly taxonomy?: string;
};

export type HandMadeWarehouse = {
  readonly root: string;
  readonly path: string;
  readonly connection: DuckDBConnection;
  /** Fills the fact tables row by row and renews the filings of their registrants. */
  putFacts(facts: readonly HandMadeFact[]): Promise<void>;
  put(table: string, columns: Columns, rows: readonly (readonly Cell[])[]): Promise<void>;
  /** Puts the contents of a filing's files beside its facts and renews the filings of its registrant. */
  putFiling(filing: XbrlFiling): Promise<void>;
  renewFilings(): Promise<void>;
  /** Closes the file, so that a reader can open it. */
  close(): void;
  remove(): Promise<void>;
};

/** An issuer of a test; a treasury company on Nasdaq unless said otherwise. */
export function handMadeIssuer(cik: string, members: Partial<Issuer> = {}): Issuer {
  return {
    cik,
    ticker: `T${Number(cik)}`,
    entityName: `Issuer ${Number(cik)}`,
    aliases: [],
    exchange: 'Nasdaq',
    issuerType: 'operating_company',
    issuerClass: 'crypto_treasury',
    primaryAsset: 'BTC',
    ...members,
  };
}

// made once in a process of tests: creating tables and views takes longer than most tests
let empty: Promise<Uint8Array> | null = null;

/** The file of a build that holds nothing yet. */
async function emptyBuild(): Promise<Uint8Array> {
  const root = await mkdtemp(join(tmpdir(), 'empty-'));
  const path = join(root, 'empty.duckdb');
  const { connection, close } = await openForWriting(path);
  await prepareSchema(connection);
  await connection.run('CHECKPOINT');
  close();
  const bytes = await readFile(path);
  await rm(root, { recursive: true, force: true });
  return bytes;
}

/** Makes an empty warehouse in a temporary directory for tests that write its rows by hand. */
export async function handMadeWarehouse(): Promise<HandMadeWarehouse> {
  const root = await mkdtemp(join(tmpdir(), 'warehouse-'));
  const path = join(root, 'hand-made.duckdb');
  empty ??= emptyBuild();
  await writeFile(path, await empty);
  const { connection, close } = await openForWriting(path);
  await prepareSchema(connection);
  const idOf = async (table: string, id: string, cells: Readonly<Record<string, string>>) => {
    const where = Object.keys(cells).map((name) => `${name} = $${name}`);
    const [row] = await readRows(
      connection,
      `SELECT ${id} AS id FROM ${table} WHERE ${where.join(' AND ')}`,
      cells,
    );
    if (row !== undefined) return Number(row['id']);
    const [next] = await readRows(connection, `SELECT (count(*) + 1)::INTEGER AS id FROM ${table}`);
    const names = Object.keys(cells).join(', ');
    const values = Object.keys(cells).map((name) => `$${name}`);
    await connection.run(
      `INSERT INTO ${table} (${id}, ${names}) VALUES (${Number(next?.['id'])}, ${values.join(', ')})`,
      cells,
    );
    return Number(next?.['id']);
  };
  const renewFilings = async () => connection.run(await readSql('periodicFilings.sql')).then(() => undefined);
  return {
    root,
    path,
    connection,
    async putFacts(facts) {
      await connection.run(
        'INSERT INTO fact_fp SELECT 0, NULL WHERE NOT EXISTS (FROM fact_fp WHERE fp_id = 0)',
      );
      await connection.run(
        'INSERT INTO fact_frame SELECT 0, NULL WHERE NOT EXISTS (FROM fact_frame WHERE frame_id = 0)',
      );
      for (const fact of facts) {
        const { cik } = fact;
        const known = await readRows(connection, 'SELECT 1 FROM fact_entity WHERE cik = $cik', { cik });
        if (known.length === 0) {
          await connection.run('INSERT INTO fact_entity VALUES ($cik::INTEGER, $cik, $cik)', { cik });
        }
        const series = await idOf('fact_series', 'series_id', {
          taxonomy: fact.taxonomy ?? 'us-gaap',
          concept: fact.concept,
          unit: fact.unit ?? 'USD',
        });
        const form = await idOf('fact_form', 'form_id', { form: fact.form });
        let code = BigInt(fact.accession.replaceAll('-', ''));
        if (String(Number(fact.value)) !== fact.value) {
          const [count] = await readRows(connection, 'SELECT count(*)::INTEGER AS n FROM fact_exact');
          code = -BigInt(Number(count?.['n'])) - 1n;
          await connection.run('INSERT INTO fact_exact VALUES ($code, $accession, $exact)', {
            code,
            accession: fact.accession,
            exact: fact.value,
          });
        }
        await connection.run(
          `INSERT INTO fact VALUES ($code, $value::DOUBLE, $cik::INTEGER, ${series},
            coalesce($start::DATE, DATE '-infinity'), $end::DATE, $filed::DATE, ${form}, 0, 0, -1)`,
          { code, value: fact.value, cik, start: fact.start ?? null, end: fact.end, filed: fact.filed },
        );
        await connection.run('INSERT INTO renewed VALUES ($cik)', { cik });
      }
      await renewFilings();
    },
    async put(table, columns, rows) {
      await insertRows(connection, { table, columns, rows });
    },
    async putFiling(filing) {
      const { cik, accession } = filing;
      const order = { input: `edgar/filings/${cik}/${accession}`, cik, accession };
      const writer = filingWriter(connection);
      await writer.write({ ...order, files: [], rows: filingRows(filing, order.input) });
      await writer.flush();
      await connection.run('INSERT INTO renewed VALUES ($cik)', { cik });
      await renewFilings();
    },
    renewFilings,
    close,
    async remove() {
      close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
