import { describe, expect, it } from 'vitest';
import { latestDailyChanges } from '../../contract/payloads/latestDailyChanges.ts';
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
