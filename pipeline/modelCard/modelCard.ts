import { markdownTable } from './markdownTable.ts';
import { knownLimits, purpose, validation } from './modelStatements.ts';
import type { ParameterEntry, RegistryFile } from './registryFile.ts';
import { versionsOf } from './versionHashes.ts';

/**
 * The model card: versions, every parameter with value, rule, source and the fields it moves, known limits and
 * what validation showed, as Markdown. A function of the registry and the dictionaries alone (M13.1–M13.6, M12.13, M12.14).
 */
export function modelCard(registry: RegistryFile): string {
  const blocks = [
    '# Model card',
    'Generated from `data/registry/parameters.json` by `make documents`; the same text is part of every release.',
    ...purpose,
    '## Versions',
    versionTable(registry),
    'The hash covers the values a version stands for. Changing a value means a new parameter version, and a new version of the part that owns it; rows of the old version stay readable beside the new ones (M13.2, M10.4). Every covenant row carries `core_model` and `classification_version`, every warehouse row the parameter version as `method_version`, every release manifest the versions of parameters, concept hierarchy and dictionaries and the SHA-256 of the registry. A night whose values are not those recorded for their version publishes nothing.',
    '## Parameters',
    ...sections(registry).flatMap(({ title, rows }) => [`### ${title}`, parameterTable(rows, registry)]),
    '## Known limits',
    bullets(knownLimits),
    '## Validation',
    bullets(validation),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function versionTable(registry: RegistryFile): string {
  const rows = [
    ['core model', registry.core_model, 'the method of the ratio: rules M1–M3, no values'],
    [
      'classification',
      registry.classification_version,
      'the rules of debt, coins, tiers, grades and classes',
    ],
    ...versionsOf(registry).map(({ part, version, hash }) => [part, version, `\`${hash}\``]),
  ];
  return markdownTable(['Part', 'Version', 'SHA-256 of its values, or what it covers'], rows);
}

type Named = readonly [name: string, entry: ParameterEntry];

const titles: Readonly<Record<string, string>> = {
  M1: 'Debt, quality and age (M1)',
  M2: 'Crypto holdings and prices (M2)',
  M3: 'Stress, z-scores, live overlay and regime (M3)',
  M4: 'Peer ranking (M4)',
  M5: 'Alpha score, board and tower (M5)',
  M6: 'Daily changes and classification (M6)',
  M7: 'Filing choreography (M7)',
  M8: 'Perpetual-futures factors (M8)',
  M9: 'Field maps (M9)',
  M10: 'Filed flows (M10)',
  M12: 'Backtest (M12)',
  M13: 'Audit (M13)',
  I2: 'Slices (interface)',
};

function sections({ parameters }: RegistryFile): { title: string; rows: readonly Named[] }[] {
  const sectionOf = ([, { rule }]: Named) => rule.split('.')[0] ?? rule;
  const named: readonly Named[] = Object.entries(parameters);
  return [...Map.groupBy(named, sectionOf)]
    .sort(([a], [b]) => place(a) - place(b))
    .map(([section, rows]) => ({ title: titles[section] ?? section, rows }));
}

function place(section: string): number {
  const at = Object.keys(titles).indexOf(section);
  return at < 0 ? Number.MAX_SAFE_INTEGER : at;
}

function parameterTable(rows: readonly Named[], registry: RegistryFile): string {
  return markdownTable(
    ['Parameter', 'Value', 'Unit', 'Rule', 'Version', 'Source', 'Moves'],
    rows.map(([name, e]) => [
      `\`${name}\``,
      printed(e.value),
      e.unit ?? '',
      e.rule,
      e.owner === undefined ? registry.version : `${registry.version}, ${registry.versions[e.owner]}`,
      e.source,
      e.fields.map((field) => `\`${field}\``).join(' '),
    ]),
  );
}

function printed(value: ParameterEntry['value']): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(inner).join(', ');
  return Object.entries(value)
    .map(([key, v]) => `${key} ${inner(v)}`)
    .join('; ');
}

function inner(value: ParameterEntry['value']): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`;
  return `(${Object.entries(value)
    .map(([key, v]) => `${key} ${inner(v)}`)
    .join(', ')})`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
