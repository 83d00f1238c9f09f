import { readFile, stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { hashFile } from '../../../data/store/files/hashFile.ts';
import { readRows } from '../build/readRows.ts';

/** One thing of an input that was not taken, with the reason. */
export type Refused = {
  readonly name: string;
  readonly reason: string;
  /** Given for an input that was refused whole: whether rows of an earlier night stay in use. */
  readonly kept?: boolean;
};

/** An input that was refused whole. */
export type RefusedRows = Required<Refused>;

/** What loading one input did. */
export type Loaded = {
  /** The name its rows are kept under. */
  readonly name: string;
  readonly rows: number;
  readonly unchanged: boolean;
  readonly refused: readonly Refused[];
};

/** SHA-256 of a file. @throws IssuerError `input_missing` when it cannot be read. */
export function fingerprintOf(path: string): Promise<string> {
  return reading(path, () => hashFile(path));
}

/** What the last run read of every input, by name. */
export type KnownInputs = ReadonlyMap<
  string,
  { readonly fingerprint: string; readonly rows: number; readonly refused: readonly Refused[] }
>;

/** @param name of one input; without it of all */
export async function knownInputs(
  connection: DuckDBConnection,
  name: string | null = null,
): Promise<KnownInputs> {
  const found = await readRows<{ name: string; fingerprint: string; rows: number; refused: string }>(
    connection,
    `SELECT name, fingerprint, row_count::DOUBLE AS rows, quarantined AS refused FROM input_file
    ${name === null ? '' : 'WHERE name = $name'}`,
    name === null ? {} : { name },
  );
  return new Map(
    found.map(({ name: of, refused, ...read }) => [of, { ...read, refused: JSON.parse(refused) }]),
  );
}

/** Runs `read`, so that a refusal of the file system names the input: `input_missing`, not an unwritable store. */
export async function reading<T>(path: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof IssuerError || typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
    throw new IssuerError({
      code: 'input_missing',
      message: `The input ${path} cannot be read (${code}).`,
      hint: 'Make it readable or take it away; what is there is used.',
      details: { path },
      cause: error,
    });
  }
}

/**
 * Reads a small text input.
 *
 * @throws IssuerError `validation_failed` when it is larger than `maxBytes` or not UTF-8.
 */
export async function readText(path: string, maxBytes: number): Promise<string> {
  const { size } = await reading(path, () => stat(path));
  if (size > maxBytes) throw refusedFile(path, `has ${size} bytes, more than the ${maxBytes} that are read`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await reading(path, () => readFile(path)));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw refusedFile(path, 'is not UTF-8');
  }
}

/**
 * Replaces the rows of one input when its fingerprint differs from the last run, and remembers it.
 *
 * An input that as a whole cannot be read is refused with its reason and keeps the rows it had. Registrants
 * whose filings change are noted in the temporary table `renewed`.
 *
 * @param known what the last run read of every input, where many are loaded: a statement for each costs more
 */
export async function loadInput(
  connection: DuckDBConnection,
  file: {
    readonly name: string;
    readonly fingerprint: string;
    readonly tables: readonly string[];
    read(): Promise<{ readonly refused: readonly Refused[]; insert(): Promise<number> }>;
  },
  known?: KnownInputs,
): Promise<Loaded> {
  const before = (known ?? (await knownInputs(connection, file.name))).get(file.name);
  if (before?.fingerprint === file.fingerprint) {
    return { name: file.name, rows: before.rows, unchanged: true, refused: before.refused };
  }
  let content: Awaited<ReturnType<typeof file.read>>;
  try {
    content = await file.read();
  } catch (error) {
    if (!(error instanceof IssuerError) || error.code !== 'validation_failed') throw error;
    // the fingerprint stays that of the rows kept, so the file is tried again next night
    const refused = { name: file.name, reason: error.message, kept: before !== undefined };
    return { name: file.name, rows: before?.rows ?? 0, unchanged: false, refused: [refused] };
  }
  if (before !== undefined) await forgetInput(connection, { name: file.name, tables: file.tables });
  const rows = await content.insert();
  await renew(connection, file);
  await connection.run('INSERT INTO input_file VALUES ($name, $fingerprint, $rows, $refused)', {
    name: file.name,
    fingerprint: file.fingerprint,
    rows,
    refused: JSON.stringify(content.refused),
  });
  return { name: file.name, rows, unchanged: false, refused: content.refused };
}

/** Removes the rows of an input and notes whose filings must be renewed. */
export async function forgetInput(
  connection: DuckDBConnection,
  input: { readonly name: string; readonly tables: readonly string[] },
): Promise<void> {
  await renew(connection, input);
  for (const table of input.tables) {
    await connection.run(`DELETE FROM ${table} WHERE input = $name`, { name: input.name });
  }
  await connection.run('DELETE FROM input_file WHERE name = $name', { name: input.name });
}

async function renew(
  connection: DuckDBConnection,
  { name, tables }: { readonly name: string; readonly tables: readonly string[] },
): Promise<void> {
  for (const table of tables.filter((t) => t.endsWith('_filing'))) {
    await connection.run(`INSERT INTO renewed SELECT DISTINCT cik FROM ${table} WHERE input = $name`, {
      name,
    });
  }
}

/** An input that as a whole cannot be read. */
export function refusedFile(path: string, what: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The input ${path} ${what}.`,
    hint: 'Fetch it again or take it away; the rows of the last good one stay in use.',
    details: { path },
  });
}
