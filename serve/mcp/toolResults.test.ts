import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf } from '../../data/contract/emit/jsonSchema.ts';
import { routes } from '../../data/contract/routes/routes.ts';
import { emitTools } from '../../data/contract/tools/emitTools.ts';
import { toolsForKeys } from '../../data/contract/tools/intelTools.ts';
import { offeredTools } from '../../data/contract/tools/offeredTools.ts';
import { toolResult } from '../../data/contract/tools/toolResult.ts';
import { strayNumbers } from '../../fixtures/checks/strayNumbers.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { errorOf, refusalOf, resultOf, toolClient } from '../../fixtures/rigs/toolCalls.ts';
import { boundedJson } from '../http/boundedJson.ts';

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

const tools = emitTools(routes);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
// the rows of this release are made up: the data itself is judged over the fixture nights
const wrapper = ajv.compile(jsonSchemaOf(toolResult(z.looseObject({}))));
const forKeys = new Set(toolsForKeys);
const offered = offeredTools(routes).map(({ tool: { name }, route, priceMicroUsd }) => {
  const has = (param: string) =>
    route?.params.some(({ name: given, in: at }) => given === param && at !== 'body') === true;
  const ticker = has('ticker') ? { ticker: 'MSTR' } : {};
  const product = has('product') ? { product: 'BTC-PERP-INTX' } : {};
  // the made-up release has whole companies alone
  const rows = route?.id === 'F08' ? { mode: 'full' } : {};
  return {
    name,
    args: { ...ticker, ...product, ...rows },
    free: priceMicroUsd === 0,
    keyOnly: forKeys.has(name),
  };
});

describe.each(offered)('$name', ({ name, args }) => {
  it('answers a key with its exact data once, and a text that says nothing else (A4.34)', async () => {
    const answer = await client.call(name, args, key);
    const result = resultOf(answer);
    expect([answer.status, result.isError], answer.bytes.toString('utf8').slice(0, 300)).toEqual([
      200,
      false,
    ]);
    const { structuredContent, content } = result;
    expect(wrapper(structuredContent), ajv.errorsText(wrapper.errors)).toBe(true);
    expect(content).toHaveLength(1);
    const text = content[0]?.text ?? '';
    const structured = JSON.stringify(structuredContent);
    expect(text.length).toBeLessThanOrEqual(1500);
    expect(strayNumbers(text, structured)).toEqual([]);
    expect(strayNumbers(String(structuredContent['mcp_summary']), structured)).toEqual([]);
    // a host that cuts an answer off shows its text
    expect(answer.bytes.indexOf('"content"')).toBeLessThan(answer.bytes.indexOf('"structuredContent"'));
    expect(structuredContent['billing']).toMatchObject({ cost_usd: 0 });
  });

  it('refuses an argument it does not have, and one of another type, as a result (A4.36)', async () => {
    for (const wrong of [
      { ...args, bogus: 1 },
      { ...args, ticker: 7, limit: '5', offset: [] },
    ]) {
      const answer = await client.call(name, wrong, key);
      const { isError, structuredContent, content } = resultOf(answer);
      expect([answer.status, isError]).toEqual([200, true]);
      const { code } = structuredContent['error'] as { code: string };
      expect(['unknown_parameter', 'invalid_parameter']).toContain(code);
      expect(content[0]?.text.startsWith(`${code}: `)).toBe(true);
    }
  });
});

// the audit status is told free of charge while no run can be read
const sold = offered.filter(
  ({ name, free, keyOnly }) => !free && !keyOnly && name !== 'intel_core_audit_status',
);

describe.each(sold)('$name, unpaid', ({ name, args }) => {
  it('asks for 0.04 USD by status, or inside the call of a client of the protocol (A4.33)', async () => {
    const byStatus = await client.call(name, args);
    expect([byStatus.status, errorOf(byStatus).message]).toEqual([402, 'payment_required']);
    const header = JSON.parse(
      Buffer.from(byStatus.headers.get('payment-required') ?? '', 'base64').toString('utf8'),
    );
    expect(header.accepts[0].amount).toBe('40000');
    expect(header.resource.url).toBe('http://127.0.0.1:8402/mcp');
    expect(header.resource.description).toContain(name);
    expect(errorOf(byStatus).data).toMatchObject({
      accepts: header.accepts,
      billing_status: 'not_charged',
    });
    const inBand = await client.call(name, args, revision);
    expect(inBand.status).toBe(200);
    expect(inBand.headers.has('payment-required')).toBe(false);
    const { isError, structuredContent, content } = resultOf(inBand);
    expect(isError).toBe(true);
    const { bazaar, ...extensions } = header.extensions;
    expect(structuredContent).toEqual({ ...header, extensions });
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    expect(bazaar.info.input).toMatchObject({ type: 'mcp', toolName: name, transport: 'streamable-http' });
  });

  it('says to catalogues which tool it sells and what it takes (P2.11, P10.10)', async () => {
    const header = (await client.call(name, args)).headers.get('payment-required') ?? '';
    const { resource, extensions } = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
    const { info, schema } = extensions.bazaar;
    const fits = new Ajv2020({ strict: true }).compile(schema);
    expect(fits(info), JSON.stringify(fits.errors)).toBe(true);
    expect(Object.keys(info.input.inputSchema.properties)).toEqual(expect.arrayContaining(Object.keys(args)));
    expect(info.output).toEqual({ type: 'json' });
    expect(resource.description.length).toBeLessThanOrEqual(450);
    expect(header.length).toBeLessThanOrEqual(4096);
    expect(boundedJson(Buffer.from(JSON.stringify({ extensions })))).not.toHaveProperty('fault');
  });
});

describe.each(offered.filter(({ args, keyOnly }) => 'ticker' in args && !keyOnly))(
  '$name, of an unknown ticker',
  ({ name }) => {
    it('names a miss as a result, unpaid and uncharged (I4.8, A4.34)', async () => {
      const answer = await client.call(name, { ticker: 'ZZZZZ' }, revision);
      const { isError, structuredContent } = resultOf(answer);
      expect([answer.status, isError]).toEqual([200, true]);
      expect(structuredContent['error']).toMatchObject({ code: 'not_found', billing_status: 'not_charged' });
    });
  },
);

describe('a tool call', () => {
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

  it('has the payload of its route, byte for byte, and its receipt names the tool (I4.32)', async () => {
    const rest = await rig.key(['rest']);
    const route = await rig.ask('/v1/covenant-stress/MSTR', { headers: { 'x-api-key': rest } });
    const payload = route.bytes.subarray(0, Number(route.headers.get('x-payload-length'))).toString('utf8');
    const answer = await client.call('intel_covenant_stress', { ticker: 'mstr' }, key);
    expect(answer.bytes.toString('utf8')).toContain(`"data":${payload}}`);
    const { structuredContent } = resultOf(answer);
    const metadata = route.json()['response_metadata'] as { payload_sha256: string; artifact_key: string };
    expect(structuredContent['provenance']).toMatchObject({
      payload_sha256: metadata.payload_sha256,
      artifact_key: metadata.artifact_key,
    });
    expect(structuredContent['billing']).toEqual({
      billing_mode: 'api_key_not_charged',
      billing_status: 'not_charged',
      cost_usd: 0,
      quoted_cost_usd: 0.04,
      charge_status: 'not_charged',
      receipt_id: rig.notes.at(-1)?.receiptId,
      reconciliation_key: expect.stringMatching(/^rec_/),
      request_id: expect.stringMatching(/^req_/),
    });
    expect(rig.notes.at(-1)).toMatchObject({ tool: 'intel_covenant_stress', routeUri: 'POST /mcp' });
    expect(answer.headers.get('x-receipt-id')).toBe(rig.notes.at(-1)?.receiptId);
  });

  it('sends one result in every coding', async () => {
    const asked = (coding: string) =>
      client.call('intel_covenant_stress', { ticker: 'MSTR' }, { ...key, 'accept-encoding': coding });
    const plain = resultOf(await asked('identity')).structuredContent['data'];
    const gzip = JSON.parse(gunzipSync((await asked('gzip')).bytes).toString('utf8'));
    const zstd = JSON.parse(zstdDecompressSync((await asked('zstd')).bytes).toString('utf8'));
    expect(gzip.result.structuredContent.data).toEqual(plain);
    expect(zstd.result.structuredContent.data).toEqual(plain);
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

  it('of a free tool looks at no credential (P10.13)', async () => {
    const answer = await client.call(
      'intel_company_lookup',
      { search: 'mstr', mode: 'full' },
      { 'x-api-key': 'wrong' },
    );
    expect(resultOf(answer).structuredContent).toMatchObject({
      data: { total: 1 },
      billing: { billing_mode: 'public_discovery', billing_status: 'discovery_only' },
    });
  });

  it('goes on with the next page of its list, its other arguments kept', async () => {
    const { structuredContent } = resultOf(
      await client.call('intel_covenant_stress_screen', { limit: 1, risk_tier: 'HIGH' }, key),
    );
    expect((structuredContent['suggested_follow_ups'] as unknown[])[0]).toEqual({
      tool: 'intel_covenant_stress_screen',
      args: { limit: 1, offset: 1, risk_tier: 'HIGH' },
    });
  });

  it('has short rows in a screen, and whole ones for who asks for detail (I4.MCP.35)', async () => {
    const rowOf = async (args: object) => {
      const { data } = resultOf(await client.call('intel_covenant_stress_screen', { limit: 1, ...args }, key))
        .structuredContent as { data: { data: Record<string, unknown>[]; mcp_compaction_note?: string } };
      return { row: data.data[0] ?? {}, note: data.mcp_compaction_note };
    };
    const [short, whole] = [await rowOf({}), await rowOf({ detail: 'full' })];
    const left = Object.keys(whole.row).filter((name) => !(name in short.row));
    expect(left).toContain('accession_number');
    expect(whole.row).toMatchObject(short.row);
    expect(short.note).toBe(`Left out: ${left.length} members of each row; call again with detail full.`);
    expect(whole.note).toBeUndefined();
  });

  it('of the audit says that none can be read, and charges nothing for that (I2.36)', async () => {
    const { structuredContent, isError } = resultOf(await client.call('intel_core_audit_status'));
    expect(isError).toBe(false);
    expect(structuredContent).toMatchObject({
      data: { ok: false, stale: true, status: 'unavailable', issuer_count: 0 },
      billing: { billing_mode: 'public_discovery' },
    });
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

  it('chooses the route by an argument of its own, or by the one that is sent (I4.MCP.13)', async () => {
    const product = 'BTC-PERP-INTX';
    const dataOf = async (name: string, args: object) =>
      resultOf(await client.call(name, { ...args }, key)).structuredContent['data'] as Record<
        string,
        unknown
      >;
    expect(await dataOf('intel_synthetic_etf_audit', { product })).toHaveProperty('factor_history');
    expect(await dataOf('intel_synthetic_etf_audit', { product, part: 'thresholds' })).not.toHaveProperty(
      'factor_history',
    );
    expect(await dataOf('intel_field_map', { ticker: 'MSTR' })).toHaveProperty('ticker', 'MSTR');
    expect(await dataOf('intel_field_map', { product })).toHaveProperty('product', product);
    const rows = await dataOf('intel_calculation_history', { product });
    expect(rows).toHaveProperty('data.0.product', product);
    expect(await dataOf('intel_calculation_history', { of: 'products' })).toHaveProperty('data.0.product');
    expect(await dataOf('intel_calculation_history', {})).toHaveProperty('data.0.ticker');
    const crossed = await client.call('intel_calculation_history', { of: 'issuers', product }, key);
    expect(refusalOf(crossed)).toMatchObject({ code: 'unknown_parameter' });
    const wrong = await client.call('intel_synthetic_etf_audit', { product, part: 'all' }, key);
    expect(refusalOf(wrong).error['detail']).toBe('part is not valid. Use summary or thresholds.');
  });

  it('leaves out what does not fit, says so, and sends it when it is asked to (I4.MCP.35)', async () => {
    const dataOf = async (args: object) =>
      resultOf(await client.call('intel_daily_brief_public', { ...args }, key)).structuredContent[
        'data'
      ] as object;
    const brief = await dataOf({});
    expect(brief).not.toHaveProperty('html');
    expect(brief).toHaveProperty(
      'mcp_compaction_note',
      expect.stringMatching(/^Left out: .*html.*; call again with detail full\.$/),
    );
    const full = await dataOf({ detail: 'full' });
    expect(full).toHaveProperty('html');
    expect(full).not.toHaveProperty('mcp_compaction_note');
    const wrong = await client.call('intel_daily_brief_public', { detail: 'more' }, key);
    expect(refusalOf(wrong).error['detail']).toBe('detail is not valid. Use brief or full.');
  });

  it('speaks of tools where a route speaks of paths (I4.MCP.33)', async () => {
    const miss = await client.call('intel_peer_ranking', { ticker: 'ZZZZZ' }, key);
    expect(resultOf(miss).content[0]?.text).not.toMatch(/GET |\/v1\/|\/companies/);
  });

  it('of the help has all of a tool: arguments, and a form without alternatives at its root', async () => {
    const help = async (args: object) => resultOf(await client.call('intel_help', { ...args }));
    const all = (await help({})).structuredContent['data'] as { tools: { name: string }[] };
    expect(all.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const { name } of all.tools) {
      const { tool } = (await help({ tool: name })).structuredContent['data'] as {
        tool: { input_schema: object; output_schema: object };
      };
      for (const schema of [tool.input_schema, tool.output_schema]) {
        expect(schema, name).toHaveProperty('type', 'object');
        expect(schema, name).not.toHaveProperty('anyOf');
        ajv.compile(schema);
      }
    }
    expect(refusalOf(await client.call('intel_help', { tool: 'intel_hel' })).error['detail']).toBe(
      'There is no tool "intel_hel". Did you mean intel_help?',
    );
  });
});
