import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../data/contract/routes/routes.ts';
import { emitTools } from '../../data/contract/tools/emitTools.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { refusalOf, resultOf, toolClient } from '../../fixtures/rigs/toolCalls.ts';

let rig: Rig;
let client: ReturnType<typeof toolClient>;
let key: { 'x-api-key': string };

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

describe('a tool call', () => {
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
