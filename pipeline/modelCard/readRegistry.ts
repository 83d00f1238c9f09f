import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Product } from '../../calculators/market/baskets/product.ts';
import { type Parameters, parseParameters } from '../../calculators/parameters/parameters.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { sha256 } from '../../data/contract/values/primitives.ts';
import { parseProducts } from '../market/parseProducts.ts';
import { programRoot } from '../programRoot.ts';
import { sha256Hex } from '../release/artifact.ts';
import { parseRegistry, type RegistryFile } from './registryFile.ts';
import { parseStandardConcepts, standardConceptsFile, unknownConcepts } from './unknownConcepts.ts';
import { productsVersion, type Version, versionsOf } from './versionHashes.ts';

/** Where the values of the method lie, where each version's hash is recorded, and which concepts taxonomies have. */
export const registryFiles = {
  values: 'data/registry/parameters.json',
  hashes: 'data/registry/parameter-versions.json',
  concepts: standardConceptsFile,
  products: 'data/registry/products.json',
} as const;

/** Values a night computes with, each known to be what its version stands for. */
export type CheckedRegistry = {
  readonly registry: RegistryFile;
  readonly parameters: Parameters;
  /** Products of perpetual contracts (M8.1). */
  readonly products: readonly Product[];
  /** What a manifest says of them. */
  readonly provenance: Readonly<Record<string, string>>;
  /** Named there, in no taxonomy. */
  readonly unknownConcepts: readonly string[];
};

/**
 * Reads the registry for a run that publishes (M13.2).
 *
 * @throws IssuerError `validation_failed` where values are not those recorded for their version, or nothing is.
 */
export async function readRegistry(root: string = programRoot): Promise<CheckedRegistry> {
  const text = await readFile(join(root, registryFiles.values), 'utf8');
  const json = parsedJson(text, registryFiles.values);
  const registry = parseRegistry(json);
  const parameters = parseParameters(json);
  const recorded = await readRecordedHashes(root);
  const products = await readProducts(root);
  const versions = [...versionsOf(registry), products.version];
  for (const version of versions) requireRecorded(version, recorded[version.version]);
  return {
    registry,
    parameters,
    products: products.products,
    provenance: {
      'parameters.json': sha256Hex(text),
      parameters: parameters.version,
      ...Object.fromEntries(
        versions.filter(isTable).map(({ part, version }) => [part.replace(' ', '_'), version]),
      ),
    },
    unknownConcepts: unknownConcepts(registry, await readStandardConcepts(root)),
  };
}

/** @throws IssuerError `validation_failed` when the table is not of that form. */
export async function readStandardConcepts(root: string): Promise<ReadonlySet<string>> {
  const path = registryFiles.concepts;
  return parseStandardConcepts(path, await readFile(join(root, path), 'utf8'));
}

/** @throws IssuerError `validation_failed` when the file is not of that form. */
export async function readProducts(
  root: string,
): Promise<{ readonly products: readonly Product[]; readonly version: Version }> {
  const json = parsedJson(await readFile(join(root, registryFiles.products), 'utf8'), registryFiles.products);
  const { version, products } = parseProducts(json);
  return { products, version: productsVersion(version, json) };
}

/** Tables with a version of their own; the parts of the parameters are named by the parameter version. */
function isTable({ part }: Version): boolean {
  return /^(concept hierarchy|(debt|coin) dictionary|product registry)$/.test(part);
}

/** The hash each version was recorded with. @throws IssuerError `validation_failed` when the file is not of that form. */
export async function readRecordedHashes(root: string): Promise<Readonly<Record<string, string>>> {
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
