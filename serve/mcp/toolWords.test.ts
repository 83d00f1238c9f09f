import { describe, expect, it } from 'vitest';
import { routes } from '../../data/contract/routes/routes.ts';
import { offeredTools } from '../../data/contract/tools/offeredTools.ts';
import { toolWords } from './toolWords.ts';

const words = toolWords(offeredTools(routes));

describe('a text for an agent', () => {
  it.each([
    ['GET /v1/covenant-stress/{ticker} shows what is known.', 'intel_covenant_stress shows what is known.'],
    ['See GET /v1/covenant-stress?risk_tier=HIGH.', 'See intel_covenant_stress_screen.'],
    [
      'GET /v1/synthetic-etf/audit/BTC/thresholds has it; /help too.',
      'intel_synthetic_etf_audit has it; intel_help too.',
    ],
    ['POST /mpp/v1/readiness', 'POST /mpp/v1/readiness'],
    ['GET /companies lists the issuers.', 'intel_company_lookup lists the issuers.'],
    ['GET /ready shows when.', 'intel_readiness shows when.'],
  ])('%s names the tool', (text, told) => {
    expect(words(text)).toBe(told.replace('POST /mpp/v1/readiness', 'intel_readiness'));
  });

  it.each([
    'See https://example.org/help and 1/2 of it.',
    'GET /v1/unknown stays, and so does a/b.',
    'inside `/v1/readinessX`',
  ])('%s keeps what is no route', (text) => {
    expect(words(text)).toBe(text);
  });
});
