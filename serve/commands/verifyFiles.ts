import { readFile } from 'node:fs/promises';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type Verification, verifyAnswer } from './verifyAnswer.ts';

/** Checks a saved answer by saved files. @throws IssuerError `input_missing` for a file that cannot be read */
export async function verifyFiles({
  answer,
  manifest,
  publicKey,
}: {
  answer: string;
  manifest: string | null;
  publicKey: string | null;
}): Promise<Verification> {
  return verifyAnswer({
    answer: await bytesOf(answer),
    manifest: manifest === null ? null : await bytesOf(manifest),
    publicKey,
  });
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new IssuerError({
      code: 'input_missing',
      message: `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      hint: 'Name the saved body of an answer, and of the manifest of its release.',
    });
  }
}
