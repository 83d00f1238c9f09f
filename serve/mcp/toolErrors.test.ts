import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { errorOf, refusalOf, resultOf, toolClient } from '../../fixtures/rigs/toolCalls.ts';

let rig: Rig;
let client: ReturnType<typeof toolClient>;
let key: { 'x-api-key': string };
const revision = { 'mcp-protocol-version': '2025-11-25' };

beforeAll(async () => {
  rig = await serveRig({ environment: { II_RATE_IP: '10000', II_RATE_KEY: '10000' } });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  client = toolClient(rig.ask);
  key = { 'x-api-key': await rig.key(['mcp']) };
});
afterAll(() => rig.close());

describe('a tool call that is refused', () => {
  it('of the evidence of an unknown issuer has the miss of the route beside it (I4.MCP.24)', async () => {
    const { structuredContent } = resultOf(
      await client.call('intel_daily_change_evidence', { ticker: 'ZZZZZ' }),
    );
    expect(structuredContent).toMatchObject({
      error: { code: 'not_found' },
      data: { request_key: 'daily_change_evidence', status: 'not_found', billing_status: 'not_charged' },
    });
  });

  it('of a miss says in its text which dates and labels there are instead (I4.MCP.25)', async () => {
    const ofStress = async (args: Readonly<Record<string, unknown>>) =>
      resultOf(await client.call('intel_covenant_stress', args, revision)).content[0]?.text;
    const later = await ofStress({ ticker: 'MSTR', source_date: '2030-01-01' });
    expect(later).toMatch(/^not_found: Nothing is stored for 2030-01-01\. .* Nearest: 2026-02-07\.$/);
    const mistyped = await ofStress({ ticker: 'MSTRR' });
    expect(mistyped).toMatch(/^not_found: No issuer is known under MSTRR\. .* Did you mean MSTR, MSTR\.A\?$/);
    expect(await ofStress({ ticker: 'QQQQQ' })).not.toMatch(/Nearest|Did you mean/);
  });

  it('of what is no call says in its message what is wrong (I4.MCP.6)', async () => {
    const bad = await client.request('tools/call', { name: 'intel_help', arguments: [] });
    expect(errorOf(bad)).toMatchObject({
      code: -32602,
      message: 'invalid_params: params.arguments is not an object.',
    });
    const nameless = errorOf(await client.call('x'.repeat(50)));
    expect(nameless.message).toBe('unknown_tool: tools/list names them.');
  });

  it('of an unknown tool is -32602 and names the nearest (A4.36)', async () => {
    const answer = await client.call('intel_covenant_stres', {}, key);
    expect([answer.status, errorOf(answer).code]).toEqual([200, -32602]);
    expect(errorOf(answer).data).toMatchObject({
      code: 'unknown_tool',
      suggestions: ['intel_covenant_stress'],
    });
    expect(errorOf(answer).message).toBe('unknown_tool: did you mean intel_covenant_stress?');
    for (const name of ['__proto__', 'constructor', '', 'x'.repeat(100_000)])
      expect(errorOf(await client.call(name)).data['code']).toBe('unknown_tool');
  });

  it.each([
    '<script>alert(1)</script>',
    '\u202eRTSM',
    'M\u0301STR',
    '😀',
    '../MSTR',
    'MSTR\u0000',
    'x'.repeat(5000),
    '',
  ])('for the ticker %j is refused as a result and recorded nowhere', async (ticker) => {
    const before = rig.notes.length;
    const { isError, structuredContent, content } = resultOf(
      await client.call('intel_covenant_stress', { ticker }, key),
    );
    expect(isError).toBe(true);
    expect(structuredContent['error']).toMatchObject({
      code: 'invalid_ticker',
      billing_status: 'not_charged',
    });
    expect(content[0]?.text.length).toBeLessThan(400);
    expect(rig.notes).toHaveLength(before);
  });

  it('without an argument that it needs says where to send it, not how a request line is written', async () => {
    const saidOf = async (name: string) => resultOf(await client.call(name)).content[0]?.text;
    expect(await saidOf('intel_covenant_stress')).toBe(
      'ticker_required: ticker is missing. Send it in params.arguments, such as {"ticker":"MSTR"}.',
    );
    expect(await saidOf('intel_daily_change_evidence')).toBe(
      'missing_parameter: ticker or cik is missing. Send it in params.arguments, such as {"ticker":"MSTR"}.',
    );
    expect(await saidOf('intel_perp_factors')).toBe(
      'product_required: product is missing. Send it in params.arguments, such as {"product":"AI-PERP-INTX"}.',
    );
  });

  it('of a planned tool says so before any credential is looked at (A4.39, I4.VIS.3)', async () => {
    const answer = await client.call('visual_dashboard_full', { anything: true }, { 'x-api-key': 'wrong' });
    expect([answer.status, resultOf(answer).isError]).toEqual([200, true]);
    expect(resultOf(answer).structuredContent['error']).toMatchObject({
      code: 'planned',
      tool: 'visual_dashboard_full',
      status: 'planned',
      price_usd: 2.5,
    });
    const quoted = resultOf(await client.call('visual_heavy_source_bundle')).structuredContent['error'];
    expect(quoted).toMatchObject({ code: 'planned', status: 'dynamic_quote_planned', price_usd: null });
  });

  it('with a wrong key, a key without the scope, or none where one is wished for is refused in the result (P10.15)', async () => {
    const wrong = await client.call('intel_readiness', {}, { ...revision, 'x-api-key': 'wrong' });
    expect(refusalOf(wrong)).toMatchObject({ status: 200, isError: true, code: 'invalid_api_key' });
    expect(wrong.headers.has('www-authenticate')).toBe(false);
    const rest = await client.call('intel_readiness', {}, { 'x-api-key': await rig.key(['rest']) });
    expect(refusalOf(rest)).toMatchObject({ status: 200, isError: true, code: 'api_key_scope' });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'intel_readiness' } };
    const internal = await client.post(body, revision, '/mcp?paymentMode=internal');
    expect(refusalOf(internal)).toMatchObject({ status: 200, isError: true, code: 'api_key_required' });
    const withKey = await client.post(body, key, '/mcp?paymentMode=internal');
    expect([withKey.status, resultOf(withKey).isError]).toEqual([200, false]);
    const mpp = await client.call('intel_readiness', {}, { authorization: 'Payment e30' });
    expect([mpp.status, errorOf(mpp).message]).toEqual([400, 'wrong_payment_rail']);
  });

  it('that is for keys alone is listed for all, opened by a key, and by no payment (I4.MCP.14)', async () => {
    const name = 'intel_company_report';
    const { tools: listed } = resultOf(await client.request('tools/list')) as unknown as {
      tools: { name: string; description: string; _meta: object }[];
    };
    const shown = listed.find((tool) => tool.name === name);
    expect(shown?.description).toMatch(/ API key only\.$/);
    expect(shown?._meta).toMatchObject({ 'ii/payment_rails': [] });
    for (const headers of [revision, {}, { 'payment-signature': Buffer.from('{}').toString('base64') }]) {
      const answer = await client.call(name, { ticker: 'MSTR' }, headers as Record<string, string>);
      expect(refusalOf(answer)).toMatchObject({ status: 200, code: 'api_key_required' });
      expect(answer.headers.has('payment-required')).toBe(false);
    }
    const opened = await serveRig({ environment: { II_MCP_TOOLS_DISABLED: 'none' } });
    const release = opened.release({ sourceDate: '2026-02-07' });
    opened.promote(release, { '2026-02-07': release });
    const sold = await toolClient(opened.ask).call(name, { ticker: 'MSTR' }, revision);
    expect(resultOf(sold).structuredContent).toHaveProperty('accepts.0.amount', '40000');
    const prices = (await rig.ask('/v1/pricing')).json()['mcp'] as {
      tools: { name: string; access: string }[];
    };
    expect(prices.tools.find((tool) => tool.name === name)?.access).toBe('api_key');
    opened.close();
  });

  it('takes a key as Authorization: Bearer, as hosts with one field for a secret send it (P1.9)', async () => {
    const bearer = { authorization: `Bearer ${key['x-api-key']}` };
    expect(resultOf(await client.call('intel_readiness', {}, bearer)).isError).toBe(false);
    expect(resultOf(await client.call('intel_readiness', {}, { ...key, ...bearer })).isError).toBe(false);
    const other = { authorization: `Bearer ${await rig.key(['mcp'])}` };
    const two = await client.call('intel_readiness', {}, { ...key, ...other });
    expect([two.status, errorOf(two).message]).toEqual([400, 'conflicting_credentials']);
    const wrong = await client.call('intel_readiness', {}, { authorization: 'Bearer iik_wrong' });
    expect(refusalOf(wrong)).toMatchObject({ status: 200, code: 'invalid_api_key' });
  });

  it('takes null for an argument that is left out, and misses one that is needed (I4.MCP.13)', async () => {
    const nulls = { ticker: 'MSTR', source_date: null, period: null };
    const stress = resultOf(await client.call('intel_covenant_stress', nulls, key));
    expect([stress.isError, stress.structuredContent['data']]).toMatchObject([false, { ticker: 'MSTR' }]);
    expect(
      (await client.request('tools/call', { name: 'intel_help', arguments: null, _meta: null })).status,
    ).toBe(200);
    const needed = await client.call('intel_covenant_stress', { ticker: null }, key);
    expect(refusalOf(needed)).toMatchObject({ code: 'ticker_required' });
    const drawn = await client.call('visual_spec_search', { query: 'x', tags: null }, key);
    expect(refusalOf(drawn)).toMatchObject({ code: 'api_key_scope' });
    const zero = await client.call('intel_top_stressed', { limit: 0 }, key);
    expect(refusalOf(zero)).toMatchObject({ code: 'invalid_parameter' });
  });

  it('with a number or a flag in quotes, or a text without, is told how to send it', async () => {
    const said = async (name: string, args: object) =>
      String(refusalOf(await client.call(name, { ...args }, key)).error['detail']);
    expect(await said('intel_top_stressed', { limit: '5' })).toBe(
      'limit is not valid. It is a JSON number: send 5 without quotes.',
    );
    expect(await said('intel_covenant_stress_screen', { linkbase_only: 'true' })).toBe(
      'linkbase_only is not valid. It is a JSON boolean: send true without quotes.',
    );
    expect(await said('intel_daily_change_evidence', { cik: 1050446 })).toBe(
      'cik is not valid. It is a JSON string: send "1050446" in quotes.',
    );
    expect(await said('intel_top_stressed', { limit: 'many' })).toBe(
      'limit is not valid. It is a JSON number.',
    );
  });

  it('speaks of tools where a route speaks of paths (I4.MCP.33)', async () => {
    const miss = await client.call('intel_peer_ranking', { ticker: 'ZZZZZ' }, key);
    expect(resultOf(miss).content[0]?.text).not.toMatch(/GET |\/v1\/|\/companies/);
  });
});
