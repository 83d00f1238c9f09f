import type { ModelEstimate, Quote, QuoteTrigger } from '../../../data/contract/visual/visualToolData.ts';

/** What a quote depends on; sizes of the request and nothing else (I4.VIS.23). */
export type QuoteRequest = {
  readonly tool: string;
  readonly fixedPriceMicroUsd: number;
  /** UTF-8 bytes of contract and sources. */
  readonly inputBytes: number;
  readonly nodes: number;
  readonly edges: number;
  readonly artifacts?: number;
  readonly rawHtml?: boolean;
  readonly dashboard?: boolean;
  /** Rounds of repair that are expected; 0 for none. */
  readonly repairRounds?: number;
  /** A PDF filing over 200 pages or 20 MiB, or a bundle of several source files. */
  readonly largeSource?: boolean;
};

export type QuoteAnswer =
  | { readonly estimate: ModelEstimate; readonly quote: Quote | null }
  | { readonly estimate: ModelEstimate; readonly refused: 'quote_out_of_band' };

// economics of I4.VIS.21: USD for a million tokens are micro-USD for one
const perToken = { input: 5, output: 30 } as const;
const floors = { T3: 850_000, T4: 2_500_000, T6: 4_000_000 } as const;
const largeSourceCap = 6_000_000;
const cent = 10_000;

/**
 * Estimates tokens and model cost of a request and quotes a price when a trigger of I4.VIS.20 holds. Micro-USD are
 * integers throughout; the boundaries are strict. Id and expiry come from the caller.
 */
export function quoteRequest(
  request: QuoteRequest,
  { quoteId, expiresAt }: { readonly quoteId: string; readonly expiresAt: string },
): QuoteAnswer {
  const { tool, fixedPriceMicroUsd: fixed, nodes, edges, artifacts = 1, repairRounds = 0 } = request;
  const input = Math.ceil(request.inputBytes / 4);
  const output = (400 + 120 * nodes + 60 * edges) * artifacts;
  const cost = (input * perToken.input + output * perToken.output) * (1 + repairRounds);
  const estimate: ModelEstimate = {
    input_tokens: input,
    output_tokens: output,
    estimated_model_cost_usd: cost / 1_000_000,
  };
  const holds: Readonly<Record<QuoteTrigger, boolean>> = {
    T1: input > 25_000,
    T2: output > 8_000,
    T3: request.rawHtml === true,
    T4: request.dashboard === true,
    T5: repairRounds > 0,
    T6: request.largeSource === true,
    T7: cost * 100 > fixed * 35,
  };
  const triggers = (['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7'] as const).filter((trigger) => holds[trigger]);
  if (triggers.length === 0) return { estimate, quote: null };
  // cost / 0.35 as a fraction, rounded up to the cent once
  const byCost = Math.ceil((cost * 20) / (7 * cent)) * cent;
  if (holds.T6 && byCost > largeSourceCap) return { estimate, refused: 'quote_out_of_band' };
  const least = (['T3', 'T4', 'T6'] as const).map((trigger) => (holds[trigger] ? floors[trigger] : 0));
  const wanted = Math.ceil(Math.max(fixed, byCost, ...least) / cent) * cent;
  const price = holds.T6 ? Math.min(wanted, largeSourceCap) : wanted;
  const quote: Quote = {
    quote_id: quoteId,
    tool,
    fixed_price_usd: fixed / 1_000_000,
    triggers,
    ...estimate,
    quoted_price_usd: price / 1_000_000,
    quoted_price_micro_usd: price,
    expires_at: expiresAt,
    basis: 'model-economics-1',
  };
  return { estimate, quote };
}
