import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';
import { sha256Hex } from '../release/artifact.ts';
import type { RegistryFile } from './registryFile.ts';

/**
 * SHA-256 of the values each version of the registry stands for, by version: the parameter version owns every
 * value, a part's version owns its own again, the concept hierarchy has its own version. A value that moves under the same version changes its hash (M13.2).
 */
export function versionHashes(registry: RegistryFile): Readonly<Record<string, string>> {
  const entries = Object.entries(registry.parameters);
  const hash = (owned: typeof entries): string =>
    sha256Hex(canonicalJson(Object.fromEntries(owned.map(([name, e]) => [name, e.value])) as CanonicalValue));
  const parts = Object.entries(registry.versions).map(([part, version]) => [
    version,
    hash(entries.filter(([, entry]) => entry.owner === part)),
  ]);
  const { version, children } = registry.concept_hierarchy;
  const hierarchy = { [version]: sha256Hex(canonicalJson(children)) };
  return { [registry.version]: hash(entries), ...hierarchy, ...Object.fromEntries(parts) };
}
