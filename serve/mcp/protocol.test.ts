import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../data/contract/routes/routes.ts';
import { emitTools } from '../../data/contract/tools/emitTools.ts';
import { toolsForKeys } from '../../data/contract/tools/intelTools.ts';
import { maxBatchBytes } from '../../data/contract/tools/toolProtocol.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { errorOf, resultOf, toolClient } from '../../fixtures/rigs/toolCalls.ts';

let rig: Rig;
let client: ReturnType<typeof toolClient>;
const revision = { 'mcp-protocol-version': '2025-11-25' };

beforeAll(async () => {
  rig = await serveRig({ environment: { II_RATE_IP: '10000' } });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  client = toolClient(rig.ask);
});
afterAll(() => rig.close());

const versionFor = async (asked?: unknown) =>
  (
    resultOf(
      await client.request('initialize', asked === undefined ? {} : { protocolVersion: asked }),
    ) as unknown as { protocolVersion: string }
  ).protocolVersion;

describe('initialize', () => {
  it('echoes a supported revision and answers every other with the newest published one (A4.31)', async () => {
    expect(await versionFor('2025-06-18')).toBe('2025-06-18');
    expect(await versionFor('2024-11-05')).toBe('2024-11-05');
    expect(await versionFor('1999-01-01')).toBe('2025-11-25');
    expect(await versionFor(7)).toBe('2025-11-25');
    expect(await versionFor()).toBe('2025-12-11');
    expect(await versionFor('2025-12-11')).toBe('2025-12-11');
  });

  it('offers tools and nothing else, and looks at no header and no credential (I4.MCP.8, P10.13)', async () => {
    const answer = await client.request(
      'initialize',
      {},
      { 'mcp-protocol-version': '1999-01-01', 'x-api-key': 'wrong', 'mcp-session-id': 'mine' },
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.has('mcp-session-id')).toBe(false);
    expect(resultOf(answer)).toMatchObject({
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: 'issuer_intelligence', title: 'Issuer Intelligence API', version: '1.0.0' },
    });
  });
});

describe('tools/list', () => {
  it('is the tools of the live routes in the order of the tables, on one page (I4.MCP.11, I4.MCP.13)', async () => {
    const answer = await client.request('tools/list');
    const { tools, ...more } = resultOf(answer) as unknown as { tools: { name: string }[] };
    // the night begins at 09:30 UTC
    const { nowMs } = rig.clock;
    const night = Date.parse(`${new Date(nowMs).toISOString().slice(0, 10)}T09:30:00Z`);
    const ttlMs = (night > nowMs ? night : night + 86_400_000) - nowMs;
    expect(more).toMatchObject({ ttlMs, cacheScope: 'public', resultType: 'complete' });
    expect(tools).toEqual(JSON.parse(JSON.stringify(emitTools(routes, { disabled: new Set(toolsForKeys) }))));
    const families = tools.map(({ name }) => name.split('_')[0]);
    expect(families.lastIndexOf('intel')).toBeLessThan(families.indexOf('visual'));
    expect(families.filter((family) => family === 'visual')).toHaveLength(5);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('has no second page and comes in the coding that is asked for', async () => {
    expect(errorOf(await client.request('tools/list', { cursor: 'x' })).code).toBe(-32602);
    const coded = await client.request('tools/list', {}, { 'accept-encoding': 'gzip' });
    expect(coded.headers.get('content-encoding')).toBe('gzip');
    expect(coded.bytes.length).toBeLessThan(8000);
  });
});

describe('the frames', () => {
  it('of a notification, and of an answer to nothing we asked, are taken without a body (A4.38)', async () => {
    for (const frame of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', id: 4, result: {} },
    ]) {
      const answer = await client.post(frame, revision);
      expect([answer.status, answer.bytes.length]).toEqual([202, 0]);
    }
  });

  it.each([
    ['', 400, -32700],
    ['{', 400, -32700],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700],
    [Buffer.from([0x22, 0xff, 0x22]).toString('latin1'), 400, -32600],
    ['7', 400, -32600],
    ['{}', 400, -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":7}', 400, -32600],
    ['[]', 400, -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 400, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/list"}', 200, -32601],
    ['{"jsonrpc":"2.0","id":1,"method":"__proto__"}', 200, -32601],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 200, -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}', 200, -32602],
    [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"intel_help","arguments":[]}}',
      200,
      -32602,
    ],
  ])('%s is HTTP %d with %d', async (body, status, code) => {
    const answer = await client.post(body);
    expect([answer.status, errorOf(answer).code]).toEqual([status, code]);
  });

  it.each([['9007199254740993'], ['-12345678901234567890'], ['1.5'], ['1e400']])(
    'with the number %s as id are answered with all its digits (I4.MCP.5)',
    async (id) => {
      const ping = `{"jsonrpc":"2.0","id":${id},"method":"ping","params":{"id":0.1}}`;
      const alone = await client.post(ping);
      expect(alone.bytes.toString('utf8')).toBe(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
      const batch = await client.post(`[${ping},{"jsonrpc":"2.0","id":7,"method":"ping"}]`);
      expect(batch.bytes.toString('utf8')).toContain(`"id":${id},`);
      const long = await client.post(`{"jsonrpc":"2.0","id":${'9'.repeat(257)},"method":"ping"}`);
      expect([long.status, errorOf(long).code]).toEqual([400, -32600]);
    },
  );

  it('of a batch are answered together, except with a tool call, an id twice, or more than twenty (I4.MCP.5)', async () => {
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const both = await client.post([ping(1), note, ping(2), 5]);
    expect(JSON.parse(both.bytes.toString('utf8'))).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: {} },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'invalid_request' } },
    ]);
    expect((await client.post([note, note])).status).toBe(202);
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'intel_help' } };
    const withCall = await client.post([ping(1), call]);
    expect([withCall.status, errorOf(withCall).message]).toEqual([400, 'tools_call_not_batchable']);
    expect((await client.post([ping(1), ping(1)])).status).toBe(400);
    expect((await client.post(Array.from({ length: 21 }, (_, i) => ping(i)))).status).toBe(400);
  });

  it('come as a batch under the one revision that has batches (I4.MCP.5)', async () => {
    const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    const under = (asked: string) => client.post(batch, { 'mcp-protocol-version': asked });
    expect((await under('2025-03-26')).status).toBe(200);
    for (const asked of ['2024-11-05', '2025-06-18', '2025-11-25', '2025-12-11', '2026-07-28']) {
      const answer = await under(asked);
      const { code, message, data } = errorOf(answer);
      expect([answer.status, code, data]).toMatchObject([400, -32600, { code: 'batch_not_supported' }]);
      expect(message).toBe(
        `batch_not_supported: Revision ${asked} has no batches: send each message in a request of its own.`,
      );
    }
  });

  it('do not make an answer of megabytes: what does not fit into a batch is said in its place', async () => {
    const alone = await client.request('tools/list');
    const fitting = Math.floor(maxBatchBytes / alone.bytes.length);
    // a batch of twenty lists has an end, and none of them is lost
    expect(fitting).toBeGreaterThan(20);
    const answer = await client.post(
      Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
    );
    const members = JSON.parse(answer.bytes.toString('utf8')) as { id: number; result: unknown }[];
    expect(members.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, id) => id));
    expect(members.every(({ result }) => JSON.stringify(result) === JSON.stringify(resultOf(alone)))).toBe(
      true,
    );
  });

  it('of a batch count one by one against the rate limit, and none is answered beyond it (I8.3)', async () => {
    const limited = await serveRig({ environment: { II_RATE_IP: '30' } });
    const asking = toolClient(limited.ask);
    const batch = Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    const first = await asking.post(batch);
    expect([first.status, first.headers.get('ratelimit')]).toEqual([200, '"ip";r=10;t=40']);
    const second = await asking.post(batch);
    expect([second.status, errorOf(second).message]).toEqual([429, 'rate_limited']);
    expect((await asking.request('ping')).status).toBe(200);
    limited.close();
  });

  it('keep an id as it was sent', async () => {
    for (const id of ['', 'a"b', 0, -3, 1.5, '\u2028'])
      expect((await client.post({ jsonrpc: '2.0', id, method: 'ping' })).json()['id']).toBe(id);
  });
});

describe('the transport', () => {
  it('asks for JSON and answers with JSON (I4.MCP.2)', async () => {
    const plain = await client.post('{}', { 'content-type': 'text/plain' });
    expect([plain.status, plain.json()['code']]).toEqual([415, 'unsupported_media_type']);
    const stream = await client.request('ping', {}, { accept: 'text/event-stream' });
    expect([stream.status, stream.json()['code']]).toEqual([406, 'not_acceptable']);
    const refused = await client.request('ping', {}, { accept: 'application/json;q=0, */*' });
    expect([refused.status, refused.json()['code']]).toEqual([406, 'not_acceptable']);
    for (const accept of ['application/json, text/event-stream', '*/*', 'application/*;q=0.1', ''])
      expect((await client.request('ping', {}, { accept })).headers.get('content-type')).toBe(
        'application/json',
      );
  });

  it('has one method and no session (I4.MCP.1)', async () => {
    for (const method of ['GET', 'DELETE', 'HEAD']) {
      const answer = await rig.ask('/mcp', { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
  });

  it('takes no query but paymentMode (I4.MCP.4)', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await client.post(ping, {}, '/mcp?paymentMode=internal')).status).toBe(200);
    const unknown = await client.post(ping, {}, '/mcp?token=1');
    expect([unknown.status, unknown.json()['code']]).toEqual([400, 'unknown_parameter']);
  });

  it('refuses a name and a page that are not its own before a credential is used (I4.MCP.3)', async () => {
    const key = { 'x-api-key': await rig.key(['mcp']) };
    const before = rig.notes.length;
    const foreign: Record<string, string>[] = [
      { host: 'rebound.example' },
      { host: '127.0.0.1.rebound.example:8402' },
      { host: '127.0.0.1:8402', origin: 'https://rebound.example' },
      { host: 'localhost:8402', origin: 'null' },
    ];
    for (const headers of foreign) {
      const answer = await client.call('intel_readiness', {}, { ...key, ...headers });
      expect([answer.status, answer.json()['code']], JSON.stringify(headers)).toEqual([
        403,
        'origin_not_allowed',
      ]);
    }
    expect(rig.notes).toHaveLength(before);
    expect((await client.call('intel_readiness', {}, { ...key, host: 'localhost:8402' })).status).toBe(200);
    expect(rig.notes).toHaveLength(before + 1);
  });

  it('answers at its address with a slash at the end (I4.2)', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const answer = await client.post(ping, revision, '/mcp/');
    expect([answer.status, answer.json()['result']]).toEqual([200, {}]);
    expect((await client.post(ping, revision, '/mcp//')).status).toBe(404);
  });

  it('refuses a body over 256 KiB', async () => {
    const answer = await client.post('x'.repeat(262_145));
    expect([answer.status, answer.json()['code']]).toEqual([413, 'payload_too_large']);
  });

  it('is limited before anything is read, and says so in a frame (I4.MCP.24)', async () => {
    const limited = await serveRig({ environment: { II_RATE_IP: '1' } });
    const hurried = toolClient(limited.ask);
    await hurried.request('ping');
    const answer = await hurried.request('ping');
    expect([answer.status, errorOf(answer).code, errorOf(answer).message]).toEqual([
      429,
      -32000,
      'rate_limited',
    ]);
    expect(answer.headers.get('retry-after')).toBe('60');
    limited.close();
  });
});
