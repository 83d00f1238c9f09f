import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, type TestContext } from 'vitest';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { readBalance } from '../../fixtures/builders/readBalance.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { filesOfFolder, filesOfInstance } from '../../pipeline/xbrl/filingFolder.ts';
import { loadFiling } from '../../pipeline/xbrl/loadFiling.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FaceSide } from '../faceOrder/faceOrder.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { descendantsOf } from '../network/networkRoots.ts';

const parameters = registryParameters;
const edgar = fileURLToPath(new URL('../../../shared/data/edgar/', import.meta.url));
const at = (name: string) => `${edgar}${name}`;

function unlessAbsent(ctx: TestContext, name: string): void {
  if (!existsSync(at(name))) ctx.skip(`../shared/data/edgar/${name} is not there to read`);
}

type Instance = { readonly name: string; readonly period: string; readonly xbrl: XbrlFiling };

async function* instancesAtHand(only: string | null = null): AsyncGenerator<Instance> {
  const index = parse(readFileSync(at('instances/index.csv')), { columns: true }) as Record<string, string>[];
  for (const { file = '', cik = '', accn: accession = '', period = '', ticker = '' } of index) {
    if (only !== null && only !== `${ticker} ${period}`) continue;
    const files = filesOfInstance(at(`instances/${file}`));
    const xbrl = await loadFiling({ cik: cik.padStart(10, '0'), accession, files });
    yield { name: `${ticker} ${period}`, period, xbrl };
  }
}

/** What a filer adds to or takes from the lines between `from` and the anchor; by whole-entity facts in their order. */
function gapBefore({ xbrl, period }: Instance, anchor: string, from: string): ExactDecimal {
  const face = xbrl.facts
    .filter((fact) => fact.end === period && fact.start === null && fact.dimensions.length === 0)
    .filter(({ unit, value }) => unit === 'USD' && value !== null)
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
  const indexOf = (name: string) => face.findIndex(({ concept }) => concept === name);
  const run = face.slice(indexOf(from), indexOf(anchor));
  const total = face[indexOf(anchor)]?.value;
  if (total == null) throw new Error(`${anchor} is not filed`);
  return sumOf(run.flatMap(({ value }) => value ?? [])).minus(total);
}

/**
 * Sides that a figure inside the caption of the next line keeps from adding up: a retainage of 3,166, 2,517, 1,097 and
 * 1,097 K inside contract assets. Without it they close exactly, and without no other figure.
 */
const captioned = [
  ['RIOT 2023-12-31', 'us-gaap:AssetsCurrent', 'us-gaap:CashAndCashEquivalentsAtCarryingValue', 3_166_000],
  ['RIOT 2024-03-31', 'us-gaap:AssetsCurrent', 'us-gaap:CashAndCashEquivalentsAtCarryingValue', 2_517_000],
  ['RIOT 2024-06-30', 'us-gaap:AssetsCurrent', 'us-gaap:CashAndCashEquivalentsAtCarryingValue', 1_097_000],
  ['RIOT 2024-09-30', 'us-gaap:AssetsCurrent', 'us-gaap:CashAndCashEquivalentsAtCarryingValue', 1_097_000],
] as const;

/**
 * Every side that is rejected, with the amount that keeps it from closing and where that amount stands. None of them is
 * closed by leaving a line out: which line is left out is for the filer to say.
 */
const rejected = [
  // leased vehicles and solar systems have facts of a member only
  ['TSLA 2024-12-31', 'us-gaap:Assets', 'us-gaap:AssetsCurrent', -10_505_000_000],
  ['TSLA 2025-06-30', 'us-gaap:Assets', 'us-gaap:AssetsCurrent', -10_018_000_000],
  // a credit line of 118,945 among the payables is a receivable: it is taken off, so that twice its amount is too much
  ['GAME 2025-09-30', 'us-gaap:LiabilitiesCurrent', 'us-gaap:AccountsPayableCurrent', 237_890],
] as const;

describe('document order over all instances at hand (M1.24c)', () => {
  it('74 instances: 71 full balance sheets, assets close in 68, liabilities in 70, seven by equity', async (ctx) => {
    unlessAbsent(ctx, 'instances/index.csv');
    const counts = {
      instances: 0,
      full: 0,
      assets: 0,
      liabilities: 0,
      byEquity: 0,
      inexact: 0,
      ambiguous: 0,
    };
    const open: string[] = [];
    const partial: string[] = [];
    for await (const { name, period, xbrl } of instancesAtHand()) {
      counts.instances += 1;
      const { sheet, face, debt } = readBalance(xbrl, { period, parameters });
      const totals = ['us-gaap:Assets', 'us-gaap:LiabilitiesAndStockholdersEquity'];
      if (totals.some((concept) => sheet.amount(concept) === null)) {
        partial.push(name);
        if (name !== 'PURR 2025-09-30') continue;
      }
      counts.full += 1;
      if (debt.notes.some((note) => note.startsWith('face_order_ambiguous'))) counts.ambiguous += 1;
      for (const side of [face.assets, face.liabilities]) {
        if (side.kind !== 'closed') open.push(`${name} ${side.side}`);
        else counts[side.side] += 1;
        if (side.kind === 'closed' && side.isByEquity) counts.byEquity += 1;
        if (side.kind === 'closed' && !side.isExact) counts.inexact += 1;
      }
    }
    expect([counts.ambiguous, counts.inexact]).toEqual([0, 0]);
    expect(counts).toMatchObject({ instances: 74, full: 71, assets: 68, liabilities: 70, byEquity: 7 });
    const named = rejected.map(([name]) => `${name} ${name.startsWith('GAME') ? 'liabilities' : 'assets'}`);
    // PURR had no assets on that day
    expect(open.sort()).toEqual([...named, 'PURR 2025-09-30 assets'].sort());
    // two amendments and a 6-K without a balance sheet, and assets of nil
    const notFull = ['GAME 2023-09-30', 'GAME 2024-12-31', 'LITS 2023-06-30', 'PURR 2025-09-30'];
    expect(partial.sort()).toEqual(notFull);
  });

  it.for([...captioned, ...rejected])(
    '%s: %s does not close by %s and what follows',
    async ([name, anchor, from, gap], ctx) => {
      unlessAbsent(ctx, 'instances/index.csv');
      for await (const instance of instancesAtHand(name)) {
        expect(gapBefore(instance, anchor, from).toNumber()).toBe(gap);
      }
    },
  );
});

/**
 * Filings whose own linkbase is at hand beside their instance: sides by document order, and the debt of both readings.
 * Two classic sets sort the facts of their instance by name, so that no order is there to read; their debt by facts
 * alone is unproven (AAPL) or that of the linkbase: lease financing of 36,572 K, by the hierarchy a part, closes the
 * liabilities beside the notes (NFLX, M1.29d).
 */
const packages = [
  ['1065280/000106528024000287', '2024-09-30', 'closed', 'closed', 15_981_328_000, 15_981_328_000],
  ['1065280/000119312510036181', '2009-12-31', 'rejected', 'rejected', 237_982_000, 237_982_000],
  ['1318605/000162828024032662', '2024-06-30', 'rejected', 'closed', 7_362_000_000, 7_362_000_000],
  ['1784970/000121390025041307', '2025-03-31', 'closed', 'closed', 2_062_195, 2_062_195],
  ['2078856/000119312525311400', '2025-09-30', 'absent', 'closed', 0, 0],
  ['320193/000032019323000106', '2023-09-30', 'closed', 'closed', 111_088_000_000, 111_088_000_000],
  ['320193/000032019325000057', '2025-03-29', 'closed', 'closed', 98_186_000_000, 98_186_000_000],
  ['320193/000119312510238044', '2010-09-25', 'rejected', 'rejected', 0, 0],
] as const;

describe('document order against the linkbase of the same filing (M1.24c)', () => {
  it.for(packages)('%s: the same lines and debt', async ([folder, period, ...expected], ctx) => {
    unlessAbsent(ctx, `filings/${folder}`);
    const [cik = '', digits = ''] = folder.split('/');
    const accession = `${digits.slice(0, 10)}-${digits.slice(10, 12)}-${digits.slice(12)}`;
    const files = filesOfFolder(at(`filings/${folder}`));
    const xbrl = await loadFiling({ cik: cik.padStart(10, '0'), accession, files });
    const backed = readBalance(xbrl, { period, parameters });
    const bare = readBalance({ ...xbrl, arcs: [] }, { period, parameters });
    const { assets, liabilities } = bare.face;
    const totals = [backed, bare].map(({ debt }) => debt.total.toNumber());
    expect([assets.kind, liabilities.kind, ...totals]).toEqual(expected);
    for (const side of [assets, liabilities]) {
      if (side.kind === 'closed') expect(linesOf(side)).toEqual(leavesOf(backed, side));
    }
    expect(backed.debt.dataSource).not.toBe('direct_facts_fallback');
    expect(bare.debt.dataSource).toBe('direct_facts_fallback');
  });
});

/** The lines of each reading; all of them when there are several. */
function linesOf(side: Extract<FaceSide, { kind: 'closed' }>): string[] {
  const [reading, ...others] = side.readings;
  expect(others).toEqual([]);
  return reading.lines.map(({ concept }) => concept).sort();
}

/** What the best balance-sheet network of the filing has below the anchor, reported above or below zero. */
function leavesOf(
  { networks, sheet }: ReturnType<typeof readBalance>,
  { anchor, relatedParty }: Extract<FaceSide, { kind: 'closed' }>,
): string[] {
  const network = networks.balanceSheets.find((candidate) => candidate.childrenOf(anchor).length > 0);
  if (network === undefined) throw new Error(`no network breaks ${anchor} down`);
  const read = sheet.withLines(relatedParty);
  return [...descendantsOf(network, [anchor])]
    .filter((concept) => network.childrenOf(concept).length === 0)
    .filter((concept) => (read.amount(concept)?.sign ?? 0) !== 0)
    .sort();
}
