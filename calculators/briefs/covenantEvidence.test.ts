import { expect, it } from 'vitest';
import { briefProblems } from '../../data/contract/payloads/reports/briefProblems.ts';
import { briefSourcesOf, issuerSourcesOf } from '../../fixtures/builders/briefSourcesOf.ts';
import { goldenContext, goldenDate, goldenPositions } from '../../fixtures/builders/goldenSlice.ts';
import { strategyStatements } from '../../fixtures/rigs/reportBlocks.ts';
import { composeGraded } from '../composeSlice.ts';
import { stressLines } from './boardLines.ts';
import { compileBrief } from './compileBrief.ts';
import { covenantEvidence } from './covenantEvidence.ts';
import { stressRows } from './sliceEvidence.ts';

const slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
const sources = briefSourcesOf(slice, { sourceDate: goldenDate });
const evidenceOf = (ticker: string) => {
  const result = slice.issuers.find(({ stress }) => stress.ticker === ticker);
  if (result === undefined) throw new RangeError(`the golden slice has no ${ticker}`);
  return { of: issuerSourcesOf(slice, result), stress: result.stress };
};

it('lists the finance leases of TSLA 2025-06-30 as what is taken off its debt lines (M1.22b)', () => {
  const { of, stress } = evidenceOf('MSTR');
  const root_resolution_details = [
    'C tsla:LongTermDebtAndFinanceLeasesCurrent = 2040000000 via us-gaap:LiabilitiesCurrent w=+1 role=face_order',
    'C us-gaap:FinanceLeaseLiabilityCurrent = 78000000 via tsla:LongTermDebtAndFinanceLeasesCurrent w=-1 role=face_order',
    'N tsla:LongTermDebtAndFinanceLeasesNoncurrent = 5180000000 via us-gaap:Liabilities w=+1 role=face_order',
    'N us-gaap:FinanceLeaseLiabilityNoncurrent = 186000000 via tsla:LongTermDebtAndFinanceLeasesNoncurrent w=-1 role=face_order',
    'residual us-gaap:Liabilities = 0',
  ];
  const evidence = covenantEvidence(sources, { ...of, stress: { ...stress, root_resolution_details } });
  const amounts = evidence.debt_concepts.map(({ amount }) => Number(amount));
  expect(amounts).toEqual([2_040_000_000, -78_000_000, 5_180_000_000, -186_000_000]);
  // the debt that the same filing gives
  expect(amounts.reduce((sum, amount) => sum + amount)).toBe(6_956_000_000);
  expect(compileBrief(evidence, 'detailed')).toContain(
    'us-gaap:FinanceLeaseLiabilityCurrent USD -78.0 M current',
  );
});

it('says that debt was read from the order of the balance sheet, where it was (FLD 2025-09-30)', () => {
  const { of, stress } = evidenceOf('FLD');
  const data_quality_notes = ['face_order'];
  const read = { ...stress, data_source: 'direct_facts_fallback', data_quality_notes } as const;
  const brief = compileBrief(covenantEvidence(sources, { ...of, stress: read }), 'professional');
  expect(brief).toContain('- Debt read from the order of the balance sheet, without a calculation linkbase;');
  expect(brief).not.toContain('single facts');
});

it('counts the coins of FLD that customers are owed among its coins, and says so (M2.1b)', () => {
  const { of, stress } = evidenceOf('FLD');
  expect(Number(stress.total_crypto_fair_value)).toBe(179_688_082);
  const data_quality_notes = ['customer_coins:9295587'];
  const evidence = covenantEvidence(sources, { ...of, stress: { ...stress, data_quality_notes } });
  expect(compileBrief(evidence, 'detailed')).toContain('- Some of the coins counted are owed to customers.');
});

it('says how old an old balance sheet is and which report should have replaced it (M1.60)', () => {
  const { of, stress } = evidenceOf('FLD');
  const old = {
    ...stress,
    filing_age_days: 233,
    next_report_due: '2025-08-14',
    data_quality_notes: ['filing_age:233', 'newer_report_due:2025-08-14'],
  };
  const brief = compileBrief(
    covenantEvidence(sources, { ...of, filingAgeDays: 233, stress: old }),
    'detailed',
  );
  expect(brief).toMatch(/its period end 233 days before [0-9-]+; the report after it was due 2025-08-14\./);
  expect(brief).toContain('- The report after the filing in force is overdue.');
  const fresh = compileBrief(covenantEvidence(sources, of), 'detailed');
  expect(fresh).not.toMatch(/overdue|was due/);
});

it('a ranking says the age of an old row beside it, and nothing of a fresh one', () => {
  const rows = slice.covenantRows.map((row) =>
    row.ticker === slice.topStressed[0]?.ticker
      ? { ...row, filing_age_days: 222, data_quality_notes: ['filing_age:222'] }
      : { ...row, data_quality_notes: [] },
  );
  const ranked = stressRows({ topStressed: slice.topStressed, covenantRows: rows }, 2);
  expect(ranked.map(({ old_filing_days }) => old_filing_days)).toEqual([222, null]);
  const lines = stressLines(ranked, { style: 'professional', reference: 0.65 }).map(({ text }) => text);
  expect(lines.find((line) => line.includes('222'))).toMatch(/, by a balance sheet 222 days old/);
});

it('says which stated coins the live reading rests on, how old they are, and what the newest report told (M17.25, M17.33)', async () => {
  const statements = new Map([['0001050446', strategyStatements()]]);
  const read = composeGraded(goldenPositions(), {
    context: await goldenContext({ statements }),
    history: [],
  });
  const result = read.issuers.find(({ stress }) => stress.ticker === 'MSTR');
  if (result === undefined) throw new RangeError('Strategy is a golden issuer');
  const told = briefSourcesOf(read, { sourceDate: goldenDate });
  const evidence = covenantEvidence(told, issuerSourcesOf(read, result));
  const brief = compileBrief(evidence, 'detailed');
  expect(brief).toContain(
    '- It rests on 713,502 BTC as of 2026-02-01, stated by the issuer, 6 days old; on filed coins and debt it is 0.36.',
  );
  expect(brief).toContain(
    '- Newest report, of 2026-02-02: bought 855 BTC for USD 75.3 M (87,974 each), 2026-01-26 to 2026-02-01; holds 713,502 (0001193125-26-032731).',
  );
  expect(brief).toContain('its debt, as filed, is 0.33');
  for (const style of ['concise', 'professional', 'detailed', 'trader'] as const)
    expect(briefProblems({ text: compileBrief(evidence, style), evidence, kind: 'covenant', style })).toEqual(
      [],
    );
  expect(compileBrief(evidenceOfFiled(), 'detailed')).not.toMatch(/It rests on|Newest report/);
});

function evidenceOfFiled() {
  return covenantEvidence(sources, evidenceOf('MSTR').of);
}
