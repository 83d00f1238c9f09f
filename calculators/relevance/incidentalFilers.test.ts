import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { goldenContext, goldenPositions } from '../../fixtures/builders/goldenSlice.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { readFacts } from '../../fixtures/builders/readTables.ts';
import { loadUniverse } from '../../pipeline/universe/universe.ts';
import { composeGraded } from '../composeSlice.ts';
import type { IssuerInputs } from '../filing/rows.ts';
import { gradePosition } from '../position/gradePosition.ts';
import { positionIssuer } from '../position/positionIssuer.ts';

const universe = await loadUniverse(
  fileURLToPath(new URL('../../data/registry/universe.csv', import.meta.url)),
);

/** The newest balance sheet that a filer's quoted facts hold on a day, as its companyfacts state it. */
async function filedBy(ticker: string, date: string): Promise<IssuerInputs> {
  const issuer = universe.find((row) => row.ticker === ticker);
  if (issuer === undefined) throw new Error(`${ticker} is not in the universe`);
  const known = (await readFacts(ticker)).filter((fact) => fact.filed <= date && /^10-/.test(fact.form));
  const totals = known.filter(({ concept, start }) => concept === 'Assets' && start === null);
  const [newest] = totals.toSorted((a, b) => b.end.localeCompare(a.end));
  if (newest === undefined) throw new Error(`no balance sheet of ${ticker} is quoted`);
  const { accession, form, filed, end } = newest;
  const facts = known
    .filter((fact) => fact.accession === accession)
    .map((fact) => ({ ...fact, value: ExactDecimal.parse(fact.value) }));
  const filing = { cik: issuer.cik, accession, form, filed, period: end, acceptedAt: `${filed}T23:59:59Z` };
  return issuerInputs({ issuer, filing, facts });
}

describe('issuers of the universe with few coins or none, by what they filed', () => {
  it.each([
    // 1,235 of 128,567 M; debt and finance leases are lines of its own, which companyfacts do not have
    ['TSLA', '2025-06-30', '0.009606', 'incidental'],
    ['NVDA', '2025-10-26', '0', 'none'],
    ['IBM', '2025-06-30', '0', 'none'],
  ])('%s of %s heads no list: share %s, %s', async (ticker, period, share, relevance) => {
    const context = await goldenContext();
    const inputs = await filedBy(ticker, '2025-11-30');
    expect(inputs.filing.period).toBe(period);
    const graded = gradePosition(positionIssuer(inputs, context), context);
    const without = composeGraded(goldenPositions(), { context, history: [] });
    const slice = composeGraded([...goldenPositions(), graded], { context, history: [] });
    const row = slice.covenantRows.find((found) => found.ticker === ticker);
    expect(row).toMatchObject({ risk_tier: 'UNCLASSIFIED', treasury_relevance: relevance });
    expect(String(row?.crypto_share_of_assets)).toBe(share);
    expect(slice.covenantRows.at(-1)?.ticker).toBe(ticker);
    expect(slice.topStressed).toEqual(without.topStressed);
    expect(slice.statistics).toEqual(without.statistics);
    expect(slice.peerRankings.find((found) => found.ticker === ticker)?.percentile ?? null).toBeNull();
    expect(slice.board.find((entry) => entry.row.ticker === ticker)?.boardRank ?? null).toBeNull();
  });
});
