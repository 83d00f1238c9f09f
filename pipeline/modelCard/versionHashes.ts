import {
  coinDictionaryVersion,
  cryptoDictionary,
  customerCoins,
  intangibleCoins,
} from '../../calculators/crypto/cryptoDictionary.ts';
import {
  debtDictionary,
  debtDictionaryVersion,
  doubtfulLine,
  grossTotal,
} from '../../calculators/debt/concepts/debtDictionary.ts';
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

const dictionaries: readonly Versioned[] = [
  {
    part: 'debt dictionary',
    version: debtDictionaryVersion,
    file: 'calculators/debt/concepts/debtDictionary.ts',
    values: { concepts: debtDictionary, doubtful_line: doubtfulLine, gross_total: grossTotal },
  },
  {
    part: 'coin dictionary',
    version: coinDictionaryVersion,
    file: 'calculators/crypto/cryptoDictionary.ts',
    values: { concepts: cryptoDictionary, customer_coins: customerCoins, intangible_coins: intangibleCoins },
  },
];

/**
 * Every version whose values can be hashed: the parameter version owns every value and rises with the classification, a part's version owns its own
 * again, the concept hierarchy and the dictionaries of debt and coins have their own. A value that moves under the same
 * version changes its hash (M13.2).
 */
export function versionsOf(registry: RegistryFile): readonly Version[] {
  const file = 'data/registry/parameters.json';
  const entries = Object.entries(registry.parameters);
  const valuesOf = (owned: typeof entries) =>
    Object.fromEntries(owned.map(([name, { value }]) => [name, value]));
  const { version, children } = registry.concept_hierarchy;
  return [
    versionOf({
      part: 'parameters',
      version: registry.version,
      file,
      values: { ...valuesOf(entries), classification_version: registry.classification_version },
    }),
    versionOf({ part: 'concept hierarchy', version, file, values: children }),
    ...dictionaries.map(versionOf),
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

/** Every concept the hierarchy and the dictionaries name; a debt concept's finance-lease part is one of them. */
export function conceptsOf({ concept_hierarchy }: RegistryFile): ReadonlySet<string> {
  return new Set([
    ...Object.entries(concept_hierarchy.children).flatMap(([parent, children]) => [parent, ...children]),
    ...debtDictionary.flatMap(({ concept, leasePart }) =>
      leasePart === undefined ? concept : [concept, leasePart],
    ),
    ...cryptoDictionary,
    ...customerCoins,
    intangibleCoins,
  ]);
}

/** SHA-256 of the values of each version, by version. */
export function versionHashes(registry: RegistryFile): Readonly<Record<string, string>> {
  return Object.fromEntries(versionsOf(registry).map(({ version, hash }) => [version, hash]));
}

function versionOf({ values, ...version }: Versioned): Version {
  return { ...version, hash: sha256Hex(canonicalJson(values as CanonicalValue)) };
}
