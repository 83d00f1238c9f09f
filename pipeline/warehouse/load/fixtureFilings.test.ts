import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Issuer } from '../../../calculators/filing/rows.ts';
import type { InstanceFact, XbrlFiling } from '../../../calculators/filing/xbrlFiling.ts';
import { buildNight } from '../../../fixtures/builders/buildNight.ts';
import { faultyPackage, xbrlFaults } from '../../../fixtures/builders/xbrlFaults.ts';
import { filingFolder } from '../../../fixtures/builders/xbrlFiling.ts';
import { filingOfTables } from '../../../fixtures/builders/xbrlFilingOfTables.ts';
import {
  readXbrlPackages,
  readXbrlTables,
  type XbrlTables,
  xbrlTablesOf,
} from '../../../fixtures/builders/xbrlTables.ts';
import { handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { selectIssuerInputs } from '../../../fixtures/rigs/selectIssuerInputs.ts';
import { realFiles, systemClock } from '../../effects.ts';
import { scanDirectorySource } from '../../source/directorySource.ts';
import { loadUniverse } from '../../universe/universe.ts';
import { readRows } from '../build/readRows.ts';
import { type Build, openBuild } from '../build/warehouseBuild.ts';
import { loadFilings } from './loadFilings.ts';

let root: string;
let build: Build | null = null;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fixture-filings-'));
});
afterEach(async () => {
  await build?.discard();
  await rm(root, { recursive: true, force: true });
});

const quiet = { clock: systemClock(), log: () => undefined, files: realFiles() };

async function openNight(id: string, sourceDate: string): Promise<{ issuers: Issuer[]; open: Build }> {
  const target = join(root, 'source');
  await buildNight({
    night: { sourceDate, asOf: `${sourceDate}T09:00:00Z`, note: '' },
    target,
    market: false,
  });
  const issuers = await loadUniverse(join(target, 'universe.csv'));
  const open = await openBuild({ warehouseRoot: join(root, 'warehouse'), buildId: id, effects: quiet });
  build = open;
  const inputs = await scanDirectorySource(target);
  const report = await open.ingest({ inputs, universe: issuers });
  expect(report.quarantined).toEqual([]);
  return { issuers, open };
}

/** Facts as text, in an order of their own: the order of facts says nothing. */
function told(filing: XbrlFiling, period: string): unknown {
  const next = new Date(Date.parse(`${period}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const isRead = ({ dimensions, start, end, concept }: InstanceFact) =>
    dimensions.length === 0 ||
    (start === null && (end === period || end === next)) ||
    concept.includes(':DebtInstrument');
  const facts = filing.facts.filter(isRead).map((f) => {
    const where = f.dimensions.map((d) => `${d.axis}=${d.typed}${d.member}`).sort();
    return [
      f.concept,
      f.contextId,
      f.unit,
      f.value?.toString() ?? 'nil',
      f.decimals,
      f.start,
      f.end,
      ...where,
    ].join(' ');
  });
  const arcs = filing.arcs.map((a) => [a.role, a.from, a.to, a.weight, a.order, a.version].join(' '));
  // of a role without arcs nothing is asked
  const used = new Set(filing.arcs.map((a) => a.role));
  const presentations = filing.presentations.filter(({ role }) => used.has(role));
  const roles = filing.roles.map((r) => `${r.uri} ${r.definition}`);
  const concepts = filing.concepts.filter((c) => !c.isAbstract);
  return {
    facts: facts.sort(),
    arcs: arcs.sort(),
    presentations,
    roles: roles.sort(),
    concepts,
    defects: filing.defects,
  };
}

it('gives back, for every filing in force, what its tables say', async () => {
  const { issuers, open } = await openNight('n1', '2026-02-07');
  const inputs = await selectIssuerInputs(open.connection, { sourceDate: '2026-02-07', issuers });
  const tables = new Map<string, XbrlTables>();
  for (const row of await readXbrlPackages())
    tables.set(`${row.cik}/${row.accession}`, await readXbrlTables(row));
  const seen: string[] = [];
  for (const { filing, xbrl, issuer } of inputs) {
    const of = tables.get(`${filing.cik}/${filing.accession}`);
    if (of === undefined || xbrl === null) continue;
    expect(told(xbrl, filing.period)).toEqual(told(filingOfTables(of), filing.period));
    seen.push(issuer.ticker ?? issuer.cik);
  }
  expect(seen.sort()).toEqual([
    'BMNR',
    'BTBT',
    'BTCS',
    'CLSK',
    'DFDV',
    'FGNX',
    'FLD',
    'GAME',
    'KULR',
    'LITS',
    'MSTR',
    'NAKA',
  ]);
});

it('sees no filing before its day, whatever folder is there (M10.2)', async () => {
  const { issuers, open } = await openNight('n1', '2026-02-07');
  const strategy = issuers.filter(({ ticker }) => ticker === 'MSTR');
  const at = async (sourceDate: string) => {
    const [inputs] = await selectIssuerInputs(open.connection, { sourceDate, issuers: strategy });
    return [inputs?.filing.period, inputs?.xbrl?.accession];
  };
  expect(await at('2025-03-31')).toEqual(['2024-12-31', '0000950170-25-021814']);
  expect(await at('2025-05-05')).toEqual(['2025-03-31', '0000950170-25-063536']);
  expect(await at('2026-02-07')).toEqual(['2025-09-30', '0001193125-25-262568']);
});

/** Each damage that leaves a file unusable, with the file and the reason as the quarantine shows them. */
const refusedDamage = [
  'weight_half fld-20250930_cal.xml: unusable calculation: 2 arcs with a weight other than +1 or ',
  'weight_zero fld-20250930_cal.xml: unusable calculation: 2 arcs with a weight other than +1 or ',
  'unknown_locator fld-20250930_cal.xml: unusable calculation: 1 locators to unknown concepts: fld-20',
  'unknown_locator fld-20250930_pre.xml: unusable presentation: 1 locators to unknown concepts: fld-2',
  'dangling_arc fld-20250930_cal.xml: unusable calculation: 1 arc ends without a locator: loc_nowh',
  'other_entity fld-20250930_htm.xml: unusable instance: fld-20250930_htm.xml is an instance of CI',
  'unreadable_decimals fld-20250930_htm.xml: unusable instance: 115 facts whose decimals cannot be read: ',
  'truncated_instance fld-20250930_htm.xml: unusable instance: fld-20250930_htm.xml is not used: it is n',
  'truncated_schema fld-20250930.xsd: unusable schema: fld-20250930.xsd is not used: it is not wel',
  'truncated_calculation fld-20250930_cal.xml: unusable calculation: fld-20250930_cal.xml is not used: it i',
  'external_entity fld-20250930_htm.xml: unusable instance: fld-20250930_htm.xml is not used: it has ',
];

it('loads every damaged package without stopping, and no fact of another company', async () => {
  const fld = await xbrlTablesOf('FLD', '2025-09-30');
  const filings = join(root, 'filings');
  const [cikFolder = ''] = filingFolder(fld).split('/');
  for (const [n, fault] of xbrlFaults.entries()) {
    const folder = join(filings, cikFolder, `0000000009250${String(n).padStart(5, '0')}`);
    await mkdir(folder, { recursive: true });
    for (const [name, text] of faultyPackage(fld, fault)) await writeFile(join(folder, name), text);
  }
  const warehouse = await handMadeWarehouse();
  try {
    const loaded = await loadFilings({
      connection: warehouse.connection,
      source: { filings: [filings] },
      ciks: [fld.cik],
      effects: quiet,
    });
    expect(loaded).toMatchObject({ changed: xbrlFaults.length });
    const refused = loaded.refused.map(({ name, reason }) => {
      const [, accession = '', file = ''] = /\/0*9250*(\d*)\/(.*)$/.exec(name) ?? [];
      return `${xbrlFaults[Number(accession)]} ${file}: ${reason.slice(0, 60)}`;
    });
    expect(refused).toEqual(refusedDamage);
    const [counts] = await readRows(
      warehouse.connection,
      `SELECT count(*)::INTEGER AS n, count(DISTINCT accession)::INTEGER AS filings,
        count(*) FILTER (WHERE cik <> '${fld.cik}')::INTEGER AS foreign_facts FROM instance_facts`,
    );
    expect(counts).toMatchObject({ foreign_facts: 0 });
    // an unusable instance leaves a filing without facts and says so
    const silent = await readRows(
      warehouse.connection,
      `SELECT accession FROM xbrl_filing x WHERE fact_count = 0 AND NOT EXISTS (
        FROM filing_documents d WHERE d.accession = x.accession AND d.cik = x.cik AND d.part = 'instance'
          AND d.status IN ('unusable', 'incomplete'))`,
    );
    expect(silent).toEqual([]);
    expect(Number(counts?.['filings'])).toBeGreaterThan(xbrlFaults.length / 2);
  } finally {
    await warehouse.remove();
  }
});
