import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';

const longest = 1_000_000;

/**
 * The SQL of a command line: its argument, a file, or standard input for `-` and where there is neither.
 *
 * @throws IssuerError `usage` when more than one is given or what is given is no text, `input_missing` for no file.
 */
export async function queryText(input: {
  readonly sql: string | undefined;
  readonly file: string | undefined;
  /** Null where a person would have to type it. */
  readonly stdin: Readable | null;
}): Promise<string> {
  const { sql, file, stdin } = input;
  if (sql !== undefined && sql !== '-' && file !== undefined) {
    throw refuse('A query is given twice, as text and as --file.', 'Leave one of them out.');
  }
  if (file !== undefined && file !== '-') return decoded(await fileBytes(file), file);
  if (sql !== undefined && sql !== '-') return sql;
  if (stdin === null) {
    throw refuse(
      'There is no query.',
      'Give one in quotes, with --file, or on standard input; --list shows what can be asked.',
    );
  }
  return decoded(await allOf(stdin), 'standard input');
}

async function fileBytes(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size > longest) throw tooLong(file);
    return await readFile(file);
  } catch (error) {
    if (error instanceof IssuerError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new IssuerError({
      code: code === 'ENOENT' ? 'input_missing' : 'usage',
      message: code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`,
      hint: 'Name a file that holds one SQL statement.',
      cause: error,
    });
  }
}

async function allOf(stdin: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stdin) {
    parts.push(part as Buffer);
    length += (part as Buffer).length;
    if (length > longest) throw tooLong('standard input');
  }
  return Buffer.concat(parts);
}

function decoded(bytes: Buffer, from: string): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse(`${from} is not text in UTF-8.`, 'Name a file that holds one SQL statement.');
  }
  if (text.includes('\u0000'))
    throw refuse(`${from} is not SQL.`, 'Name a file that holds one SQL statement.');
  return text;
}

function tooLong(from: string): IssuerError {
  return refuse(`${from} is longer than a query can be (1 MB).`, 'Name a file that holds one SQL statement.');
}

function refuse(message: string, hint: string): IssuerError {
  return new IssuerError({ code: 'usage', message, hint });
}
