import { describe, expect, it } from 'vitest';
import type { Answer } from '../../fixtures/rigs/askServer.ts';
import { enrol, money, rig, states, token, withGrantRail } from '../../fixtures/rigs/grantRailRig.ts';
import { errorOf, refusalOf, resultOf, toolClient } from '../../fixtures/rigs/toolCalls.ts';

// grants over the tool protocol: they pay where their routes name the endpoint (I4.MCP.22)

withGrantRail();

const endpoint = ['POST /mcp'];
const name = 'intel_covenant_stress';
const args = { ticker: 'MSTR' };
const call = (headers: Record<string, string>, tool = name, of: object = args): Promise<Answer> =>
  toolClient((path, sent) => rig.ask(path, sent)).call(tool, { ...of }, headers);
const bearer = () => ({ authorization: `Bearer ${token}` });

describe('a grant over the tool protocol', () => {
  it('that covers the endpoint pays the price of a call, whatever the route costs (I4.MCP.14)', async () => {
    await enrol({ routes: endpoint });
    const answer = await call(bearer());
    expect(answer.status).toBe(200);
    expect(resultOf(answer)).toMatchObject({
      isError: false,
      structuredContent: {
        billing: {
          billing_mode: 'identity_credit',
          grant_debit_usd: 0.04,
          cost_usd: 0,
          quoted_cost_usd: 0.04,
        },
      },
    });
    expect(await states()).toEqual(['debited']);
    expect(await money()).toEqual({ spent: 40_000, held: 0 });
  });

  it('of routes alone does not cover their tools, and is asked for payment', async () => {
    await enrol({ routes: ['GET /v1/covenant-stress/{ticker}'] });
    const answer = await call(bearer());
    expect([answer.status, errorOf(answer).message]).toEqual([402, 'grant_route_not_covered']);
    expect(errorOf(answer).data).toHaveProperty('accepts');
    expect(await states()).toEqual([]);
  });

  it('with a wrong token is refused in the result, which starts no search for a login (P10.15)', async () => {
    await enrol({ routes: endpoint });
    const wrong = { authorization: `Bearer ${token.slice(0, -4)}AAAA` };
    for (const headers of [wrong, { ...wrong, 'mcp-protocol-version': '2025-11-25' }]) {
      const answer = await call(headers);
      expect(refusalOf(answer)).toMatchObject({ status: 200, isError: true, code: 'invalid_grant_token' });
      expect(answer.headers.has('www-authenticate')).toBe(false);
    }
    const garbled = await call({ authorization: 'Bearer no-token' });
    expect(refusalOf(garbled)).toMatchObject({ status: 200, code: 'invalid_grant_token' });
    expect(await states()).toEqual([]);
  });

  it('is not touched by a miss, a wrong argument or a free tool (I4.MCP.24)', async () => {
    await enrol({ routes: endpoint });
    for (const [tool, of] of [
      [name, { ticker: 'ZZZZZ' }],
      [name, { ticker: 7 }],
      ['intel_company_lookup', { search: 'mstr', mode: 'full' }],
    ] as const)
      expect((await call(bearer(), tool, of)).status).toBe(200);
    expect(await states()).toEqual([]);
    expect(await money()).toEqual({ spent: 0, held: 0 });
  });

  it('does not open visual tools (I4.VIS.1)', async () => {
    await enrol({ routes: endpoint });
    const answer = await call(bearer(), 'visual_diagram_validate', { contract: {} });
    expect(refusalOf(answer)).toMatchObject({ status: 200, isError: true, code: 'api_key_required' });
    expect(await states()).toEqual([]);
  });
});
