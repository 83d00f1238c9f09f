import type { ConceptTables, TableRow } from '../../calculators/parameters/concepts.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { sha256Hex } from '../release/artifact.ts';
import type { RegistryFile } from './registryFile.ts';

/** A version, what it is a version of, and the SHA-256 of the values it stands for. */
export type Version = {
  readonly part: string;
  readonly version: string;
  readonly hash: string;
  /** Where values and version are written. */
  readonly file: string;
};

type Versioned = Omit<Version, 'hash'> & { readonly values: unknown };

/** The hash each version was recorded with. */
export type RecordedHashes = Readonly<Record<string, string>>;

/** Tables whose versions are counted up as they are recorded; where a concept was found is no value. */
const countedTables = [
  {
    part: 'concepts',
    name: 'concepts',
    file: 'data/registry/concepts.csv',
    columns: ['concept', 'role', 'bucket', 'level', 'parents', 'certainty'],
  },
  {
    part: 'concept words',
    name: 'words',
    file: 'data/registry/concept-words.csv',
    columns: ['role', 'pattern', 'meaning'],
  },
  {
    part: 'report words',
    name: 'report-words',
    file: 'data/registry/report-words.csv',
    columns: ['role', 'pattern', 'meaning'],
  },
] as const;

/** The rows of every table that is versioned as it is recorded. */
export type CountedTables = ConceptTables & { readonly reportWords: readonly TableRow[] };

/** The tables of concepts and of words: each is the version that was recorded with its rows, or the next one. */
export function tableVersions(tables: CountedTables, recorded: RecordedHashes): readonly Version[] {
  return countedTables.map(({ part, name, file, columns }) => {
    const rows = tables[part === 'concepts' ? part : part === 'report words' ? 'reportWords' : 'words'];
    const values = rows.map(({ cells }: TableRow) => columns.map((column) => cells?.[column] ?? ''));
    const versions = Object.keys(recorded).filter((version) =>
      new RegExp(`^${name}-1\\.\\d+$`).test(version),
    );
    const next = versionOf({ part, version: `${name}-1.${versions.length}`, file, values });
    const known = versions.findLast((version) => recorded[version] === next.hash);
    return known === undefined ? next : { ...next, version: known };
  });
}

/**
 * Every version whose values can be hashed: the parameter version owns every value and rises with the classification, a part's version owns its own
 * again. A value that moves under the same version changes its hash (M13.2).
 */
export function versionsOf(registry: RegistryFile): readonly Version[] {
  const file = 'data/registry/parameters.json';
  const entries = Object.entries(registry.parameters);
  const valuesOf = (owned: typeof entries) =>
    Object.fromEntries(owned.map(([name, { value }]) => [name, value]));
  return [
    versionOf({
      part: 'parameters',
      version: registry.version,
      file,
      values: { ...valuesOf(entries), classification_version: registry.classification_version },
    }),
    ...Object.entries(registry.versions).map(([part, version]) =>
      versionOf({
        part: part.replaceAll('_', ' '),
        version,
        file,
        values: valuesOf(entries.filter(([, { owner }]) => owner === part)),
      }),
    ),
  ];
}

/** The registry of products has a version of its own: constituents and weights move without the method (M8.6). */
export function productsVersion(version: string, values: unknown): Version {
  return versionOf({ part: 'product registry', version, file: 'data/registry/products.json', values });
}

/** SHA-256 of the values of each version, by version. */
export function versionHashes(registry: RegistryFile): Readonly<Record<string, string>> {
  return Object.fromEntries(versionsOf(registry).map(({ version, hash }) => [version, hash]));
}

function versionOf({ values, ...version }: Versioned): Version {
  return { ...version, hash: sha256Hex(canonicalJson(values as CanonicalValue)) };
}
