import { tierMeaning } from '../../data/contract/values/disclaimer.ts';
import type { ParameterEntry, RegistryFile } from './registryFile.ts';
import type { Version } from './versionHashes.ts';

/**
 * The model card: versions, every parameter with value, rule, source and the fields it moves, known limits and
 * what validation showed, as Markdown. A function of the registry alone (M13.1–M13.6, M12.13, M12.14).
 */
export function modelCard({
  registry,
  versions,
}: {
  readonly registry: RegistryFile;
  readonly versions: readonly Version[];
}): string {
  const blocks = [
    '# Model card',
    'Generated from `data/registry/parameters.json` by `make documents`; the same text is part of every release.',
    ...purpose,
    '## Versions',
    versionTable(registry, versions),
    'The hash covers the values a version stands for. Changing a value means a new parameter version, and a new version of the part that owns it; rows of the old version stay readable beside the new ones (M13.2, M10.4). Every covenant row carries `core_model` and `classification_version`, every warehouse row the parameter version as `method_version`, every release manifest the versions of parameters, concepts, concept words and report words and the SHA-256 of the registry. A night whose values are not those recorded for their version publishes nothing.',
    '## Parameters',
    ...sections(registry).flatMap(({ title, rows }) => [`### ${title}`, parameterTable(rows, registry)]),
    '## Known limits',
    bullets(knownLimits),
    '## Validation',
    bullets(validation),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function versionTable(registry: RegistryFile, versions: readonly Version[]): string {
  const rows = [
    ['core model', registry.core_model, 'the method of the ratio: rules M1–M3, no values'],
    [
      'classification',
      registry.classification_version,
      'the rules of debt, coins, tiers, grades and classes',
    ],
    ...versions.map(({ part, version, hash }) => [part, version, `\`${hash}\``]),
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

// What the model is for, where it ends and what was measured: the sentences of the model card.

/** M0.1, M0.2, M3.1, M3.2. */
const purpose: readonly string[] = [
  'The model measures the solvency of public companies that hold crypto: debt over coins after a 30, 50 or 70 % fall of their price, from filed facts, one persisted daily close per asset and the parameters below, and nothing else (M0.1, M3.1). No field is a trading recommendation; `alpha_score` is a quality-and-resilience score (M0.2).',
  'CRITICAL means that debt exceeds the shocked coins, not that a liquidation will follow: unsecured long-dated converts have no margin call (M3.2).',
  `${tierMeaning} (M3.28). A row whose debt or coins are not proven carries its proven part as a lower bound, says so in \`figures_basis\`, and has no tier; nor has one whose coins are below a tenth of assets. Neither is ranked or averaged (M3.3c, M3.25, M3.27).`,
];

/** M13.4–M13.6. */
const knownLimits: readonly string[] = [
  'Loan-to-value is taken at enterprise level, on carrying amounts, not principal (M13.4).',
  'Debt is as of the last filing: a loan announced by an 8-K between two filings is not in it. NAKA refinanced three times between two filings (M13.4).',
  'One price source per asset and day; lock-up discounts act only through the filed fair value (M13.4).',
  'Preferred stock is outside debt, customers’ coins are outside holdings, derivative hedges are ignored; IFRS filers depend on their ifrs-full tags; the basis shift to fair value is before tax (M13.4).',
  'Small cross-sections: with twelve issuers one of them can move another’s z across a threshold. A zero-debt issuer with negative equity becomes eligible for the notch with its first dollar of debt (M13.5).',
  'The calculation linkbases of the golden filings were not at hand when the golden cases were built; the fixture filings carry arcs written from the face statement. Their rows say `arcs_authored`: they test the walk and are no evidence that a filer’s linkbase resolves (M1.46). UPXI and HSDT are calculator cases only (M13.6).',
];

/** M12.13, M12.14. */
const validation: readonly string[] = [
  'stress_30, stress_50, stress_70 and unshocked loan-to-value are monotone in each other, so their AUC is identical: the shocks add calibration and communication, not discrimination (M12.13).',
  'Among issuers with material coins no CRITICAL treasury or miner with unsecured converts defaulted: MSTR 2022, MARA and CLSK are false positives. The real defaults were miners with few coins and equipment debt, where liquidity and other collateral carry the signal (M12.13).',
  'stress_50 at 2025-09-30 did not predict stock returns from 2025-11-17 to February 2026: Spearman −0.011 over 13 issuers, −0.006 against maximum drawdown (M12.14).',
  'Regime, overlapping 30-day windows, thresholds fitted in the same sample: high_synchronization_risk was followed by a mean bitcoin return of −6.7 % and a drawdown above 15 % on 43 % of days, neutral by +2.4 % and 14 %. The effective sample is 7 episodes: suggestive only (M12.14).',
  '`issuer backtest` repeats the comparison of tiers with later events point-in-time, with counts and intervals (M12.12).',
];

/** A table in Markdown; pipes inside cells are escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((c) => c.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
