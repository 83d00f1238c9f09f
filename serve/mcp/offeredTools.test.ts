import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf } from '../../data/contract/emit/jsonSchema.ts';
import { routes } from '../../data/contract/routes/routes.ts';
import { toolsForKeys } from '../../data/contract/tools/intelTools.ts';
import { offeredTools } from '../../data/contract/tools/offeredTools.ts';
import { toolResult } from '../../data/contract/tools/toolResult.ts';
import { strayNumbers } from '../../fixtures/checks/strayNumbers.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { errorOf, resultOf, toolClient } from '../../fixtures/rigs/toolCalls.ts';
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

// the audit status is free while no run can be read
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
