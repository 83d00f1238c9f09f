import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../data/contract/samples/', import.meta.url));

/** The committed sample of an operation of the contract; a build without it is broken. */
export function committedSample(operationId: string): Promise<Buffer> {
  return readFile(`${root}${operationId}.json`);
}

/** The page of a sample that is stored beside it; null where there is none. */
export async function committedSamplePage(operationId: string): Promise<string | null> {
  try {
    return await readFile(`${root}${operationId}.html`, 'utf8');
  } catch {
    return null;
  }
}

/** Every committed sample as JSON text, by operationId. */
export function committedSamples(): ReadonlyMap<string, string> {
  const names = readdirSync(root).filter((name) => name.endsWith('.json'));
  return new Map(names.map((name) => [name.slice(0, -5), readFileSync(`${root}${name}`, 'utf8')]));
}
