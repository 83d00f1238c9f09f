import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { rowOfTables } from '../../fixtures/builders/rowOfTables.ts';
import { filersArcs, filingOfTables } from '../../fixtures/builders/xbrlFilingOfTables.ts';
import { readXbrlExpectations, xbrlTablesOf } from '../../fixtures/builders/xbrlTables.ts';
import { filesOfInstance } from '../../pipeline/xbrl/filingFolder.ts';
import { loadFiling } from '../../pipeline/xbrl/loadFiling.ts';

type Row = ReturnType<typeof rowOfTables>['stress'];

/** Figures and the label made of them: what a reader of the instance alone must find as well. */
const figures = (row: Row) => ({
  debt: String(row.total_long_term_debt),
  current: String(row.current_debt),
  coins: String(row.total_crypto_fair_value),
  units: [row.bitcoin_units_held, row.ethereum_units_held],
  stress: [row.stress_30pct, row.stress_50pct, row.stress_70pct],
  tier: row.risk_tier,
  basis: row.figures_basis,
  coverage: row.debt_coverage_status,
});

/**
 * Method and quality with the arcs written from the face, read as the filer's own, then without them. No filing loses a figure. Each loses its
 * proof by a linkbase: quality is Medium at most, and where the order of facts is not at hand either (five filings of
 * Strategy, quoted from companyfacts) the precedence of concepts has to do.
 */
const table = `
  MSTR 2022-12-31  bs_liabilities_walk     High    direct_precedence  Medium  Tower
  MSTR 2023-12-31  bs_liabilities_walk     High    direct_precedence  Medium  Tower
  MSTR 2024-03-31  bs_liabilities_walk     High    face_order         Medium  Tower
  MSTR 2024-12-31  bs_liabilities_walk     High    direct_precedence  Medium  Tower
  MSTR 2025-03-31  bs_liabilities_walk     High    direct_precedence  Medium  Tower
  MSTR 2025-09-30  bs_liabilities_walk     High    direct_precedence  Medium  Tower
  CLSK 2024-12-31  bs_liabilities_walk     High    face_order         Medium  Tower
  CLSK 2025-06-30  bs_liabilities_walk     Low     face_order         Low     Oscillator
  DFDV 2025-09-30  extension_root_rollup   High    face_order         Medium  Tower
  FLD  2025-09-30  extension_root_rollup   High    face_order         Medium  Tower
  BTBT 2025-09-30  bs_liabilities_walk     High    face_order         Medium  Oscillator
  BTCS 2025-09-30  bs_liabilities_walk     Medium  face_order         Medium  Oscillator
  KULR 2025-09-30  bs_liabilities_walk     High    face_order         Medium  Tower
  BMNR 2025-11-30  corroborated_zero       High    corroborated_zero  Medium  Oscillator
  LITS 2025-09-30  corroborated_zero       High    corroborated_zero  Medium  Oscillator
  GAME 2025-09-30  explicit_zero           High    explicit_zero      Medium  Tower
  NAKA 2025-09-30  bs_liabilities_walk     High    face_order         Medium  Oscillator
  FGNX 2025-09-30  bs_liabilities_walk     Medium  face_order         Medium  Oscillator`;
const losses = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/) as [string, string, string, string, string, string, string]);

const proof = (row: Row) => [row.root_resolution_method, row.quality_flag];

describe('golden issuers with and without arcs', () => {
  it('are all fixture filings', async () => {
    const names = (await readXbrlExpectations()).map(({ ticker, period }) => `${ticker} ${period}`);
    expect(losses.map(([ticker, period]) => `${ticker} ${period}`).sort()).toEqual(
      [...new Set(names)].sort(),
    );
  });

  it.each(losses)('%s %s keeps its figures, %s %s becomes %s %s', async (ticker, period, ...expected) => {
    const [method, quality, methodWithout, qualityWithout, core] = expected;
    const tables = await xbrlTablesOf(ticker, period);
    const backed = rowOfTables(tables, { xbrl: filersArcs(tables) }).stress;
    const bare = rowOfTables(tables, { xbrl: { ...filingOfTables(tables), arcs: [] } }).stress;
    expect([...proof(backed), backed.core_tier]).toEqual([method, quality, core]);
    // a fallback of quality Low is a Coil (M1.43)
    const coreWithout = qualityWithout === 'Low' ? 'Coil' : 'Oscillator';
    expect([...proof(bare), bare.core_tier]).toEqual([methodWithout, qualityWithout, coreWithout]);
    expect(figures(bare)).toEqual(figures(backed));
    expect([backed.is_linkbase_backed, bare.is_linkbase_backed]).toEqual([true, false]);
  });
});

const instances = fileURLToPath(new URL('../../../shared/data/edgar/instances/', import.meta.url));

it('golden issuers read from their whole instances keep every figure, eleven of sixteen at hand', async (ctx) => {
  if (!existsSync(`${instances}index.csv`)) ctx.skip('../shared/data/edgar/instances is not there to read');
  const index = parse(readFileSync(`${instances}index.csv`), { columns: true }) as Record<string, string>[];
  let read = 0;
  for (const [ticker, period] of losses) {
    const file = index.find((row) => row['ticker'] === ticker && row['period'] === period)?.['file'];
    if (file === undefined) continue;
    const tables = await xbrlTablesOf(ticker, period);
    const { cik, accession } = tables;
    const xbrl = await loadFiling({ cik, accession, files: filesOfInstance(`${instances}${file}`) });
    const whole = rowOfTables(tables, { xbrl }).stress;
    expect(figures(whole), `${ticker} ${period}`).toEqual(figures(rowOfTables(tables).stress));
    read += 1;
  }
  expect(read).toBe(11);
});
