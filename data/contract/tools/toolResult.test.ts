import { describe, expect, it } from 'vitest';
import { exactTokens } from './exactTokens.ts';
import { intelTools } from './intelTools.ts';
import { followUpCall } from './toolResult.ts';

const companies = (...rows: [ticker: string, coverage: string][]) =>
  exactTokens(
    JSON.stringify({
      companies: rows.map(([ticker, coverage]) => ({ ticker, coverage_status: coverage })),
    }),
  );
const [next] = intelTools.find(({ name }) => name === 'intel_company_lookup')?.next ?? [];
if (next === undefined) throw new Error('the look-up names what follows');

describe('a follow-up of the look-up', () => {
  it('names the first company that has an answer', () => {
    const data = companies(['AMD', 'not_covered'], ['MSTR', 'covered'], ['MARA', 'covered']);
    expect(followUpCall(next, data)).toEqual({ tool: 'intel_covenant_stress', args: { ticker: 'MSTR' } });
  });

  it('is not there where no company has one', () => {
    expect(followUpCall(next, companies(['AMD', 'not_covered']))).toBeNull();
    expect(followUpCall(next, companies())).toBeNull();
    expect(followUpCall(next, exactTokens('{"companies":{"0":{"coverage_status":"covered"}}}'))).toBeNull();
  });
});
