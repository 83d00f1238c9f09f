import { describe, expect, it } from 'vitest';
import {
  type CovenantStress,
  covenantStress,
} from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { untieredSentence } from './dailyBriefReport.ts';

const row = (change: Partial<CovenantStress>): CovenantStress => ({
  ...covenantStress.example,
  risk_tier: 'UNCLASSIFIED',
  ...change,
});

describe('the sentence about issuers without a tier', () => {
  it('counts each under its first reason: NVDA, IBM and DDC hold no coins', () => {
    const none = row({ treasury_relevance: 'none', data_quality_notes: ['no_crypto_denominator'] });
    const rows = [
      ...[none, none, row({ treasury_relevance: null, data_quality_notes: ['no_crypto'] })],
      row({ figures_basis: 'debt_unproven', treasury_relevance: 'none' }),
      row({ figures_basis: 'both_unproven', treasury_relevance: null }),
      row({ treasury_relevance: 'incidental', data_quality_notes: ['coins_incidental:0.02'] }),
      row({ data_quality_notes: ['tier_at_most:HIGH'] }),
      row({ data_quality_notes: ['unranked'] }),
    ];
    expect(untieredSentence(rows, 94)).toBe(
      '8 issuers of 94 cannot be classified: 2 with unproven debt or coins, 3 without coins, 1 with incidental coins, 1 with coins at a cost that proves no tier, 1 by type of issuer, quality or age of the filing.',
    );
  });

  it('names no reason that no row has, and says nothing where every issuer has a tier', () => {
    expect(untieredSentence([row({ treasury_relevance: 'incidental' })], 3)).toBe(
      '1 issuer of 3 cannot be classified: 1 with incidental coins.',
    );
    expect(untieredSentence([row({ treasury_relevance: 'incidental' })], 1)).toBe(
      'The one issuer of the slice cannot be classified, with incidental coins.',
    );
    expect(untieredSentence([], 3)).toBeNull();
  });
});
