import { describe, expect, it } from 'vitest';
import { latestDailyChanges } from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import { changeWords } from './changeWords.ts';

describe('changeWords', () => {
  const told = (field: string, prior: number | null, now: number | null) => {
    const moved = {
      ticker: 'AAA',
      cik: '0000000001',
      field,
      prior_value: prior,
      new_value: now,
      accession_number: '0000000001-25-000001',
      prior_accession_number: null,
    };
    const payload = latestDailyChanges.stored.object.schema.parse({
      ...latestDailyChanges.example,
      movement_summary: { moved_figures: [moved], issuers_entered: [], issuers_left: [] },
    });
    const line = changeWords({ payload, rows: [], day: null }).find(([label]) => label === 'Figures');
    return /^AAA {8}(.*) \(/.exec(line?.[1] ?? '')?.[1];
  };

  it.each([
    ['cash_and_equivalents', 20_550_123, 20_584_567, 'cash 20.55 M → 20.58 M'],
    ['total_long_term_debt', 21_644_139, 202_042_000, 'debt 21.6 M → 202.0 M'],
    ['total_long_term_debt', null, 0, 'debt unknown → 0'],
    ['total_equity', -67_241_000, -67_240_999, 'equity -67.241000 M → -67.240999 M'],
    ['total_crypto_fair_value', 1_000_000_000_001, 1_000_000_000_000, 'coins 1000000000001 → 1000000000000'],
    ['total_equity', 1_499, 1_501, 'equity 1 K → 2 K'],
  ])('tells %s from %s to %s apart', (field, prior, now, words) => {
    expect(told(field, prior, now)).toBe(words);
  });
});

describe('changes of method in words (M13.2)', () => {
  const rereadOf = (changed: object) =>
    changeWords({
      payload: latestDailyChanges.stored.object.schema.parse({
        ...latestDailyChanges.example,
        movement_summary: {
          moved_figures: [],
          issuers_entered: [],
          issuers_left: [],
          method_changed: [{ ticker: 'DFDV', prior_method: 'cls-1.2', new_method: 'cls-1.2', ...changed }],
        },
      }),
      rows: [],
      day: null,
    }).filter(([label]) => label === 'Method');

  it('say what the figures of DFDV rest on with another filing', () => {
    const changed = {
      prior_evidence: { debt: 'single_facts', coins: 'fair_value' },
      new_evidence: { debt: 'linkbase', coins: 'fair_value' },
      same_filing: false,
    };
    expect(rereadOf(changed)).toEqual([
      ['Method', 'DFDV       debt from linkbase, before from single facts (another filing)'],
    ]);
  });

  it('name the versions that read one filing twice, and nothing of a release that does not say', () => {
    const same = { debt: 'linkbase', coins: null };
    const changed = { prior_evidence: same, new_evidence: same, prior_method: 'cls-1.1', same_filing: true };
    expect(rereadOf(changed)).toEqual([['Method', 'DFDV       cls-1.2, before cls-1.1 (the same filing)']]);
    expect(rereadOf({})).toEqual([]);
  });
});
