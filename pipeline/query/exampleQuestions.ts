import { readdir, readFile } from 'node:fs/promises';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';

/** A question that analysts ask, as a statement to run or to start from. */
export type ExampleQuestion = {
  /** Name of its file in `data/sql/examples`, without the suffix. */
  readonly name: string;
  readonly question: string;
  /** How its answer is read: units, what is excluded. */
  readonly reading: string;
  readonly sql: string;
};

const folder = new URL('../../data/sql/examples/', import.meta.url);

/** All questions of `data/sql/examples`, by name. */
export async function exampleQuestions(): Promise<readonly ExampleQuestion[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) =>
      exampleQuestion(file.slice(0, -4), await readFile(new URL(file, folder), 'utf8')),
    ),
  );
}

/** @throws IssuerError `usage` when there is no such question */
export async function questionNamed(name: string): Promise<ExampleQuestion> {
  const all = await exampleQuestions();
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new IssuerError({
    code: 'usage',
    message: `There is no example named ${name.slice(0, 60)}.`,
    hint: `The examples are ${all.map((one) => one.name).join(', ')}; \`issuer query --examples\` says what each asks.`,
  });
}

/** The first line of a file's comment is the question, the rest how to read the answer. */
function exampleQuestion(name: string, text: string): ExampleQuestion {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('-- '));
  const [question = '', ...reading] = lines.slice(0, end).map((line) => line.slice(3));
  return { name, question, reading: reading.join(' '), sql: lines.slice(end).join('\n') };
}
