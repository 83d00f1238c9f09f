import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { reportWords } from '../../calculators/currentReports/reportWords.ts';
import type { Product } from '../../calculators/market/baskets/product.ts';
import type { ConceptTables } from '../../calculators/parameters/concepts.ts';
import { type Parameters, parseParameters } from '../../calculators/parameters/parameters.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { sha256 } from '../../data/contract/values/primitives.ts';
import { parseProducts } from '../market/parseProducts.ts';
import { programRoot } from '../programRoot.ts';
import { sha256Hex } from '../release/artifact.ts';
import { csvRecords } from '../warehouse/load/csvRecords.ts';
import { readReportWords, reportWordsFile } from '../warehouse/reports/readReportWords.ts';
import { parseRegistry, type RegistryFile } from './registryFile.ts';
import {
  productsVersion,
  type RecordedHashes,
  tableVersions,
  type Version,
  versionsOf,
} from './versionHashes.ts';

/** Where the values of the method lie, and where each version's hash is recorded. */
export const registryFiles = {
  values: 'data/registry/parameters.json',
  hashes: 'data/registry/parameter-versions.json',
  concepts: 'data/registry/concepts.csv',
  words: 'data/registry/concept-words.csv',
  reportWords: reportWordsFile,
  products: 'data/registry/products.json',
} as const;

/** Values a night computes with, each known to be what its version stands for. */
export type CheckedRegistry = {
  readonly registry: RegistryFile;
  /** Of parameters, their parts, and the tables of concepts and words. */
  readonly versions: readonly Version[];
  readonly parameters: Parameters;
  /** Products of perpetual contracts (M8.1). */
  readonly products: readonly Product[];
  /** What a manifest says of them. */
  readonly provenance: Readonly<Record<string, string>>;
};

/**
 * Reads the registry for a run that publishes (M13.2).
 *
 * @throws IssuerError `validation_failed` where values are not those recorded for their version, or nothing is.
 */
export async function readRegistry(root: string = programRoot): Promise<CheckedRegistry> {
  const { text, json, tables } = await readValues(root);
  const registry = parseRegistry(json);
  const parameters = parseParameters(json, tables);
  const recorded = await readRecordedHashes(root);
  const products = await readProducts(root);
  const versions = [...versionsOf(registry), ...tableVersions(tables, recorded)];
  const all = [...versions, products.version];
  for (const version of all) requireRecorded(version, recorded[version.version]);
  return {
    registry,
    versions,
    parameters,
    products: products.products,
    provenance: {
      'parameters.json': sha256Hex(text),
      parameters: parameters.version,
      ...Object.fromEntries(
        all.filter(isTable).map(({ part, version }) => [part.replace(' ', '_'), version]),
      ),
    },
  };
}

/** The parameters as they are, for what publishes nothing. @throws IssuerError `validation_failed` naming what does not fit. */
export async function readParameters(root: string = programRoot): Promise<Parameters> {
  const { json, tables } = await readValues(root);
  return parseParameters(json, tables);
}

/** Every version of the registry, products included. @throws IssuerError `validation_failed` naming what does not fit. */
export async function readVersions(root: string, recorded: RecordedHashes): Promise<readonly Version[]> {
  const { json, tables } = await readValues(root);
  parseParameters(json, tables);
  const products = await readProducts(root);
  return [...versionsOf(parseRegistry(json)), ...tableVersions(tables, recorded), products.version];
}

async function readValues(root: string) {
  const read = (path: string) => readFile(join(root, path), 'utf8');
  const text = await read(registryFiles.values);
  const { concepts, words } = registryFiles;
  const tables = {
    ...conceptTables({ concepts: await read(concepts), words: await read(words) }),
    reportWords: await readReportWords(root),
  };
  // a line that is not well formed stops every command
  reportWords(tables.reportWords);
  return { text, json: parsedJson(text, registryFiles.values), tables };
}

/** The lines of the tables of concepts and words. @throws IssuerError `validation_failed` for text that is not CSV. */
export function conceptTables(texts: { readonly concepts: string; readonly words: string }): ConceptTables {
  const columns = {
    concepts: ['concept', 'role', 'taxonomy', 'file'],
    words: ['role', 'pattern', 'meaning'],
  };
  const rows = (table: 'concepts' | 'words') =>
    csvRecords({ path: registryFiles[table], text: texts[table], columns: columns[table] });
  return { concepts: rows('concepts'), words: rows('words') };
}

/** @throws IssuerError `validation_failed` when the file is not of that form. */
export async function readProducts(
  root: string,
): Promise<{ readonly products: readonly Product[]; readonly version: Version }> {
  const json = parsedJson(await readFile(join(root, registryFiles.products), 'utf8'), registryFiles.products);
  const { version, products } = parseProducts(json);
  return { products, version: productsVersion(version, json) };
}

/** What the position of a filing follows from beside the filing itself: the program, the parameters, concepts and words. */
export function methodDigest(code: string, provenance: Readonly<Record<string, string>>): string {
  const named = ['parameters.json', 'concepts', 'concept_words'].map((name) => [
    name,
    provenance[name] ?? '',
  ]);
  return sha256Hex(canonicalJson({ code, ...Object.fromEntries(named) }));
}

/** Tables with a version of their own; the parts of the parameters are named by the parameter version. */
function isTable({ part }: Version): boolean {
  return /^(concepts|concept words|report words|product registry)$/.test(part);
}

/** The hash each version was recorded with. @throws IssuerError `validation_failed` when the file is not of that form. */
export async function readRecordedHashes(root: string): Promise<RecordedHashes> {
  const text = await readFile(join(root, registryFiles.hashes), 'utf8');
  const parsed = z.record(z.string(), sha256).safeParse(parsedJson(text, registryFiles.hashes));
  if (parsed.success) return parsed.data;
  throw new IssuerError({
    code: 'validation_failed',
    message: `${registryFiles.hashes} is not a table of versions and SHA-256 hashes.`,
    hint: 'Restore it from the repository: its lines are never edited, only added by `issuer registry record`.',
  });
}

function requireRecorded({ part, version, hash, file }: Version, recorded: string | undefined): void {
  if (recorded === hash) return;
  const details = { file, part, version, hash, recorded: recorded ?? null };
  if (recorded === undefined) {
    throw new IssuerError({
      code: 'validation_failed',
      message: `${file} holds version ${version} of the ${part}, of which ${registryFiles.hashes} has no hash.`,
      hint: 'Record it with `issuer registry record`, then run the night again.',
      details,
    });
  }
  throw new IssuerError({
    code: 'validation_failed',
    message: `${file} holds values under ${version} of the ${part} that are not those this version was recorded with.`,
    hint: `Restore them, or give the ${part} a new version there and record it with \`issuer registry record\`.`,
    details,
  });
}

function parsedJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new IssuerError({
      code: 'validation_failed',
      message: `${file} is not JSON: ${(cause as Error).message}.`,
      hint: 'Mend it, or restore it from the repository.',
      cause,
    });
  }
}
