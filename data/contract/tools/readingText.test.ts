import { describe, expect, it } from 'vitest';
import { exactTokens } from './exactTokens.ts';
import { prepareReading, readingText } from './readingText.ts';

const about = {
  title: 'Leverage',
  schemaId: 'covenant_stress.v1',
  subject: 'MSTR',
  sourceDate: '2026-02-07',
};

describe('a reading text', () => {
  it('repeats numbers digit by digit, with their units, and leaves out what is not there', () => {
    const data = exactTokens(
      '{"risk_tier":"LOW","stress_50pct":0.223313,"live_stress_50pct":null,"total_long_term_debt":12345678901234567890.125}',
    );
    expect(prepareReading({ ...about, data })).toEqual({
      summary: 'MSTR · Leverage, stress_50pct 0.223313 ratio, risk_tier LOW (2026-02-07).',
      figures:
        'MSTR · Leverage.\nrisk_tier LOW; stress_50pct 0.223313 ratio; total_long_term_debt 12345678901234567890.125 USD.',
    });
  });

  it('says in its headline which balance sheet an answer of one issuer rests on, and how old it is', () => {
    const members = '"stress_50pct":0.223313,"risk_tier":"LOW","period":"2025-09-30","filing_age_days":130';
    const summary = (schemaId: string, more = '') =>
      prepareReading({ ...about, schemaId, data: exactTokens(`{${members}${more}}`) }).summary;
    expect(summary('covenant_stress.v1')).toBe(
      'MSTR · Leverage, stress_50pct 0.223313 ratio, risk_tier LOW, period 2025-09-30, balance sheet 130 days old (2026-02-07).',
    );
    expect(summary('peer_ranking.v1', ',"peer_rank":3')).toContain(
      'period 2025-09-30, balance sheet 130 days old',
    );
    expect(summary('alpha_signals.v1', ',"alpha_score":61')).toContain('period 2025-09-30');
  });

  it.each([
    ['without coins', '"figures_basis":"resolved","treasury_relevance":"none"', /No tier: it holds no coins/],
    ['with unproven debt', '"figures_basis":"debt_unproven"', /No tier: its debt is not proven/],
  ])('of an issuer %s gives no ratio, and says why there is no tier (M3.3)', (_, members, why) => {
    const data = exactTokens(
      `{"risk_tier":"UNCLASSIFIED",${members},"stress_50pct":1000,"total_long_term_debt":5}`,
    );
    const { summary, figures } = prepareReading({ ...about, data });
    expect(`${summary} ${figures}`).not.toContain('1000');
    expect(figures.split('\n')[1]).toMatch(why);
    expect(figures).toContain('total_long_term_debt 5 USD');
  });

  it('of a screen gives the ratio of rows that are measured, and of no other', () => {
    const data = exactTokens(
      '{"data":[{"ticker":"FLD","risk_tier":"HIGH","stress_50pct":0.9},{"ticker":"KO","risk_tier":"UNCLASSIFIED","treasury_relevance":"none","stress_50pct":1000}]}',
    );
    const { figures } = prepareReading({ ...about, schemaId: 'covenant_stress_list.v1', data });
    expect(figures).toContain('ticker FLD, risk_tier HIGH, stress_50pct 0.9 ratio');
    expect(figures).toContain('ticker KO, risk_tier UNCLASSIFIED, treasury_relevance none');
  });

  it('of a list shows the first rows, and says when there is none', () => {
    const list = { ...about, schemaId: 'top_stressed.v1', subject: null };
    const rows = Array.from({ length: 9 }, (_, i) => `{"rank":${i + 1},"ticker":"T${i}"}`).join(',');
    const shown = prepareReading({ ...list, data: exactTokens(`{"data":[${rows}]}`) }).figures;
    expect(shown.split('\n').slice(1)).toEqual([
      'First of data:',
      '- rank 1, ticker T0',
      '- rank 2, ticker T1',
      '- rank 3, ticker T2',
      '- rank 4, ticker T3',
      '- rank 5, ticker T4',
    ]);
    expect(prepareReading({ ...list, data: exactTokens('{"data":[]}') }).figures).toContain('data: none.');
  });

  it('of a ranked list shows the live figure that ranks it, beside that of the filing', () => {
    const row =
      '{"rank":2,"ticker":"DFDV","live_risk_tier":"CRITICAL","live_stress_50pct":2.15,"stress_50pct":0.89}';
    const data = exactTokens(`{"data":[${row}]}`);
    const { figures } = prepareReading({ ...about, schemaId: 'top_stressed.v1', subject: null, data });
    expect(figures.split('\n').at(-1)).toBe(
      '- rank 2, ticker DFDV, live_risk_tier CRITICAL, live_stress_50pct 2.15 ratio, at the filing 0.89 ratio',
    );
  });

  it('of a brief in prose is the prose', () => {
    const data = exactTokens('{"style":"plain","natural_brief":"# MSTR\\n\\nDebt of USD 8.2 B.\\n"}');
    const { figures } = prepareReading({ ...about, schemaId: 'natural_brief.v1', data });
    expect(figures).toBe('MSTR · Leverage.\nstyle plain.\n# MSTR\n\nDebt of USD 8.2 B.');
  });

  it('of a payload without words of its own shows what its catalogue entry shows', () => {
    const data = exactTokens('{"data":[{"ticker":"MSTR","covenant_stress":{"stress_50pct":0.5}}]}');
    const { figures } = prepareReading({ ...about, schemaId: 'core7_calculation_history.v1', data });
    expect(figures).toContain('data ticker MSTR; data covenant_stress stress_50pct 0.5.');
    expect(prepareReading({ ...about, schemaId: 'none.v1', data }).figures).toBe('MSTR · Leverage.');
  });

  it('stays within its length, and never cuts a number', () => {
    const long = readingText(`${'123456789 '.repeat(300)}`, 'Slice 2026-02-07.');
    expect(long.length).toBeLessThanOrEqual(1500);
    expect(long).toMatch(/^(?:123456789 )+123456789…\nSlice 2026-02-07\.$/);
    const { summary } = prepareReading({ ...about, title: 'T'.repeat(300), data: exactTokens('{}') });
    expect(summary).toHaveLength(140);
  });

  it('takes names of hostile data for data', () => {
    const data = exactTokens('{"__proto__":{"risk_tier":"X"},"constructor":1,"token":7}');
    expect(prepareReading({ ...about, data }).figures).toBe('MSTR · Leverage.');
  });
});
