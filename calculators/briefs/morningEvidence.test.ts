import { expect, it } from 'vitest';
import { briefProblems } from '../../data/contract/payloads/reports/briefProblems.ts';
import { briefSourcesOf } from '../../fixtures/builders/briefSourcesOf.ts';
import { goldenContext, goldenDate, goldenPositions } from '../../fixtures/builders/goldenSlice.ts';
import { strategyStatements } from '../../fixtures/rigs/reportBlocks.ts';
import { composeGraded } from '../composeSlice.ts';
import { compileBrief } from './compileBrief.ts';
import { morningEvidence } from './morningEvidence.ts';

const slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });

it('counts unproven rows where a brief of five rows names five of thirteen', () => {
  const sources = briefSourcesOf(slice, { sourceDate: goldenDate });
  const covenantRows = sources.covenantRows.map((row) => ({
    ...row,
    figures_basis: 'debt_unproven' as const,
  }));
  expect(covenantRows).toHaveLength(13);
  const said = (limit: number) => {
    const evidence = morningEvidence({ ...sources, covenantRows }, limit);
    const text = compileBrief(evidence, 'detailed');
    expect(briefProblems({ text, evidence, kind: 'morning', style: 'detailed' })).toEqual([]);
    return /^- Debt or coins unproven.*$/m.exec(text)?.[0];
  };
  expect(said(5)).toBe('- Debt or coins unproven in 13 rows. Among them: BMNR, BTBT, BTCS, CLSK, DFDV.');
  expect(said(25)).toMatch(/^- Debt or coins unproven: BMNR, (?:[A-Z]+, ){11}[A-Z]+\.$/);
});

it('a morning brief tells what was reported in the week, with the age of live coins (M17.33)', async () => {
  const statements = new Map([['0001050446', strategyStatements()]]);
  const read = composeGraded(goldenPositions(), {
    context: await goldenContext({ statements }),
    history: [],
  });
  const evidence = morningEvidence(briefSourcesOf(read, { sourceDate: goldenDate }), 10);
  for (const style of ['professional', 'detailed'] as const) {
    const text = compileBrief(evidence, style);
    expect(text).toContain('- Reported: MSTR, 2026-02-02: bought 855 BTC for USD 75.3 M');
    expect(text).toContain('; live coins 6 days old (0001193125-26-032731).');
    expect(briefProblems({ text, evidence, kind: 'morning', style })).toEqual([]);
  }
});
