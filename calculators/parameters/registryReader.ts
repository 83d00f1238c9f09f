import { IssuerError } from '../../data/contract/errors/issuerError.ts';

export type Named<T> = Readonly<Record<string, T>>;

/** Typed reads of the entries of `data/registry/parameters.json`; each refuses what has another type (M13.1). */
export type RegistryReader = {
  readonly value: (name: string) => unknown;
  readonly num: (name: string) => number;
  readonly text: (name: string) => string;
  readonly texts: (name: string) => readonly string[];
  readonly record: (name: string) => Named<unknown>;
  /** A group of numbers; `madScale` is read from the key `mad_scale`. */
  readonly numbers: <K extends string>(name: string, ...keys: K[]) => Readonly<Record<K, number>>;
  /** A table of numbers by the words of a closed list, exactly those. */
  readonly table: <K extends string>(name: string, keys: readonly K[]) => Readonly<Record<K, number>>;
};

/**
 * Opens the entries of the registry.
 *
 * @throws IssuerError `validation_failed` naming the entry that is missing, has another type or lacks its
 * rule or source.
 */
export function registryReader(entries: Named<unknown>): RegistryReader {
  const value = (name: string): unknown => {
    const entry = record(entries[name], name);
    text(entry['rule'], `${name}.rule`);
    text(entry['source'], `${name}.source`);
    return entry['value'];
  };
  const read = <K extends string>(name: string, keys: readonly K[], keyOf: (k: K) => string) => {
    const group = record(value(name), name);
    const pairs = keys.map((k) => [k, number(group[keyOf(k)], `${name}.${keyOf(k)}`)]);
    const stray = Object.keys(group).find((key) => !keys.some((k) => keyOf(k) === key));
    if (stray !== undefined) throw refused(`${name}.${stray}`, 'only what the calculators know');
    return Object.fromEntries(pairs) as Record<K, number>;
  };
  return {
    value,
    num: (name) => number(value(name), name),
    text: (name) => text(value(name), name),
    texts: (name) => list(value(name), name).map((v) => text(v, name)),
    record: (name) => record(value(name), name),
    numbers: (name, ...keys) => read(name, keys, snakeCase),
    table: (name, keys) => read(name, keys, (k) => k),
  };
}

export function record(v: unknown, name: string): Named<unknown> {
  if (typeof v === 'object' && v !== null && !Array.isArray(v)) return v as Named<unknown>;
  throw refused(name, 'an object');
}

export function list(v: unknown, name: string): readonly unknown[] {
  if (Array.isArray(v)) return v;
  throw refused(name, 'a list');
}

export function number(v: unknown, name: string): number {
  if (typeof v === 'number' && Number.isFinite(v)) return v;
  throw refused(name, 'a finite number');
}

export function text(v: unknown, name: string): string {
  if (typeof v === 'string' && v !== '') return v;
  throw refused(name, 'a non-empty string');
}

export function refused(name: string, wanted: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The parameter registry does not hold ${wanted} at ${name}.`,
    hint: 'Compare data/registry/parameters.json with METHODOLOGY M13.1.',
    details: { name },
  });
}

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
