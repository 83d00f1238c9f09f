import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../contract/samples/', import.meta.url));

/** The committed sample of an operation of the contract; a build without it is broken. */
export function committedSample(operationId: string): Promise<Buffer> {
  return readFile(`${root}${operationId}.json`);
}
