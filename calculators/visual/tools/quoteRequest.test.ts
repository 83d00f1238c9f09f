import { describe, expect, it } from 'vitest';
import { quote } from '../../../data/contract/visual/visualToolData.ts';
import { type QuoteRequest, quoteRequest } from './quoteRequest.ts';

const named = { quoteId: 'qte_01JKZ3M6Q2V8R4T7W9Y1A3C5E7', expiresAt: '2026-02-07T10:15:00Z' };
const render: QuoteRequest = {
  tool: 'visual_diagram_render',
  fixedPriceMicroUsd: 600_000,
  inputBytes: 4_000,
  nodes: 5,
  edges: 4,
};
const quoted = (more: Partial<QuoteRequest>) => {
  const answer = quoteRequest({ ...render, ...more }, named);
  return 'quote' in answer ? answer.quote : answer.refused;
};

describe('a quote', () => {
  it('of the worked example is 1.42 with triggers T2 and T7 (I4.VIS.22)', () => {
    const answer = quoteRequest({ ...render, inputBytes: 100_000, nodes: 90, edges: 20 }, named);
    if (!('quote' in answer) || answer.quote === null) throw new Error('there is a quote');
    expect(answer.estimate).toEqual({
      input_tokens: 25_000,
      output_tokens: 12_400,
      estimated_model_cost_usd: 0.497,
    });
    expect(answer.quote).toMatchObject({
      triggers: ['T2', 'T7'],
      quoted_price_usd: 1.42,
      quoted_price_micro_usd: 1_420_000,
      fixed_price_usd: 0.6,
    });
    expect(quote.parse(answer.quote)).toEqual(answer.quote);
  });

  it('of the same with one round of repair is 2.84', () => {
    expect(quoted({ inputBytes: 100_000, nodes: 90, edges: 20, repairRounds: 1 })).toMatchObject({
      triggers: ['T2', 'T5', 'T7'],
      estimated_model_cost_usd: 0.994,
      quoted_price_usd: 2.84,
    });
  });

  it('is none for a small request, and the boundaries are strict (I4.VIS.20)', () => {
    expect(quoted({})).toBeNull();
    const dear = { fixedPriceMicroUsd: 9_000_000, nodes: 0, edges: 0 };
    expect(quoted({ ...dear, inputBytes: 100_000 })).toBeNull();
    expect(quoted({ ...dear, inputBytes: 100_001 })).toMatchObject({ triggers: ['T1'], quoted_price_usd: 9 });
    // 400 + 120 × 63 + 60 × 0 is 7,960; one edge more is 8,020
    expect(quoted({ ...dear, inputBytes: 0, nodes: 63 })).toBeNull();
    expect(quoted({ ...dear, inputBytes: 0, nodes: 63, edges: 1 })).toMatchObject({ triggers: ['T2'] });
    // 4,600 × 5 + 400 × 30 micro-USD are 0.035 USD, exactly 35 % of 0.10
    const even = { ...dear, fixedPriceMicroUsd: 100_000, inputBytes: 4 * 4_600 };
    expect(quoted(even)).toBeNull();
    expect(quoted({ ...even, inputBytes: 4 * 4_601 })).toMatchObject({
      triggers: ['T7'],
      quoted_price_usd: 0.11,
    });
  });

  it('has floors, and is refused over the cap of a large source (I4.VIS.21)', () => {
    expect(quoted({ rawHtml: true })).toMatchObject({ triggers: ['T3'], quoted_price_usd: 0.85 });
    expect(quoted({ dashboard: true })).toMatchObject({ triggers: ['T4'], quoted_price_usd: 2.5 });
    expect(quoted({ largeSource: true })).toMatchObject({ triggers: ['T6'], quoted_price_usd: 4 });
    // 375,000 × 5 + 1,240 × 30 micro-USD are 1.9122 USD; over 0.35 that is 5.4634…
    expect(quoted({ largeSource: true, inputBytes: 1_500_000 })).toMatchObject({ quoted_price_usd: 5.47 });
    expect(quoted({ largeSource: true, inputBytes: 4_000_000 })).toBe('quote_out_of_band');
  });
});
