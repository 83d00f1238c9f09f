import { describe, expect, it } from 'vitest';
import type { ChangeEvidence } from './changeEvidence.ts';
import { changeLines, movedWords } from './changeSentences.ts';

const filing = (ticker: string): ChangeEvidence['filings'][number] => ({
  ticker,
  cik: '0000000001',
  filing_form: '10-Q',
  period: '2025-09-30',
  accession_number: '0001193125-25-286660',
  filing_url: null,
  figures_basis: 'resolved',
  prior_tier: null,
  new_tier: null,
  method_changed: false,
  figures: [
    { field: 'total_long_term_debt', prior_value: '21600000', new_value: '202000000' },
    { field: 'cash_and_equivalents', prior_value: null, new_value: '8800000' },
  ],
});

const evidence = (change: Partial<ChangeEvidence>): ChangeEvidence => ({
  source_date: '2025-11-19',
  comparison_source_date: '2025-11-18',
  baseline_source_date: null,
  gate_passed: true,
  gate_reasons: [],
  changed_company_count: 0,
  universe_stats: { company_count: 0, new_company_count: 0, other_company_count: 0 },
  new_company_count: 0,
  total_delta_size: 0,
  filing_count: 7,
  filings: ['A', 'B', 'C', 'D', 'E'].map(filing),
  tier_moves_on_same_filing: [],
  entered: [],
  left: [],
  loans: [],
  not_listed: { filings: 2, tier_moves_on_same_filing: 1, entered: 3, left: 4, loans: 1 },
  alpha_moves: [],
  ...change,
});

const texts = (...given: Parameters<typeof changeLines>) => changeLines(...given).map(({ text }) => text);

describe('sentences on the changes of a night', () => {
  it('say how many of each list they do not name', () => {
    const said = texts(evidence({ left: ['X'] }), 'detailed');
    expect(said.filter((text) => / more /.test(text))).toEqual([
      '- 2 more filings came into force.',
      '- 1 more tier moved on the same filing.',
      '- 3 more new rows.',
      '- 4 more rows gone.',
      '- 1 more loan changed.',
    ]);
    expect(texts(evidence({}), 'concise')[0]).toBe(
      'New filings since 2025-11-18: 7. Among them: A, B, C, D, E.',
    );
  });

  it('name everything without a count where nothing is left out', () => {
    const whole = { filings: 0, tier_moves_on_same_filing: 0, entered: 0, left: 0, loans: 0 };
    const two = evidence({ filing_count: 2, filings: [filing('A'), filing('B')], not_listed: whole });
    expect(texts(two, 'concise')[0]).toBe('New filings since 2025-11-18: A, B.');
    expect(texts(two, 'detailed').join('\n')).not.toContain('more');
  });

  it('tell a figure that was not known apart from one that moved', () => {
    expect(texts(evidence({}), 'professional')[1]).toBe(
      '- A, 10-Q to 2025-09-30 (0001193125-25-286660): debt USD 21.6 M to USD 202.0 M, cash USD 8.8 M (not known before).',
    );
    expect(movedWords(filing('A'))).toBe('debt');
  });

  it('claim no first slice where none is held to compare with', () => {
    expect(texts(evidence({ comparison_source_date: null, filings: [] }), 'professional')[0]).toBe(
      'No earlier slice is held to compare this one with.',
    );
  });
});
