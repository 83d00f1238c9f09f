import { describe, expect, it } from 'vitest';
import { rowOfTables } from '../../fixtures/builders/rowOfTables.ts';
import { filingOfTables } from '../../fixtures/builders/xbrlFilingOfTables.ts';
import { xbrlTablesOf } from '../../fixtures/builders/xbrlTables.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';

/** The published row of a quoted filing after a change to its files. */
async function stressOf(ticker: string, change: (filing: XbrlFiling) => XbrlFiling) {
  const tables = await xbrlTablesOf(ticker, '2025-09-30');
  return rowOfTables(tables, { xbrl: change(filingOfTables(tables)) }).stress;
}

const withoutFact =
  (concept: string) =>
  ({ facts, ...filing }: XbrlFiling): XbrlFiling => ({
    ...filing,
    facts: facts.filter((fact) => fact.concept !== concept),
  });
const withoutArc =
  (concept: string) =>
  ({ arcs, ...filing }: XbrlFiling): XbrlFiling => ({
    ...filing,
    arcs: arcs.filter(({ to }) => to !== concept),
  });
/** The line keeps its place and its amount and loses the name that says what it is. */
const renamed =
  (concept: string) =>
  ({ facts, arcs, concepts, ...filing }: XbrlFiling): XbrlFiling => ({
    ...filing,
    facts: facts.map((fact) => (fact.concept === concept ? { ...fact, concept: 'x:TreasuryReserve' } : fact)),
    arcs: arcs.map((arc) => (arc.to === concept ? { ...arc, to: 'x:TreasuryReserve' } : arc)),
    concepts,
  });

const pledged = 'dfdv:DigitalAssetsPledgedAsCollateral';

describe('coins of a walk that lacks a line (M2.4c)', () => {
  it('are 453,719 K and HIGH as DFDV filed them', async () => {
    const row = await stressOf('DFDV', (filing) => filing);
    expect(row).toMatchObject({ risk_tier: 'HIGH', quality_flag: 'High', figures_basis: 'resolved' });
    expect(String(row.total_crypto_fair_value)).toBe('453719000');
  });

  // 152,248 K of current assets in no line; 301,471 K alone would be CRITICAL, 1.340374
  it.each([
    ['fact', withoutFact(pledged)],
    ['arc', withoutArc(pledged)],
  ])('are not proven where the pledged coins of DFDV have no %s', async (_, change) => {
    const row = await stressOf('DFDV', change);
    expect(row).toMatchObject({
      risk_tier: 'UNCLASSIFIED',
      quality_flag: 'Low',
      figures_basis: 'crypto_unproven',
      net_debt_to_coins: null,
    });
    expect(String(row.total_crypto_fair_value)).toBe('301471000');
    expect(row.data_quality_notes).toContain('tier_depends_on_candidate:CRITICAL/HIGH');
  });

  // 9,295,587 of customers' coins are left of the face; the notes state 179,688,082 at fair value
  it('are not proven where a line of Fold has a name that says nothing', async () => {
    const row = await stressOf('FLD', renamed('fld:DigitalAssetsNoncurrent'));
    expect(row).toMatchObject({ risk_tier: 'UNCLASSIFIED', figures_basis: 'crypto_unproven' });
    expect(row.data_quality_notes).toContain('crypto_candidates_disagree:9295587/179688082');
  });
});
