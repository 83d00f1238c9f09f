import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { supportedRevisions } from '../../data/contract/tools/toolProtocol.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { errorOf, resultOf, toolClient } from '../../fixtures/rigs/toolCalls.ts';

// the revision without a handshake, beside the ones with it, on one path (I4.MCP.30)

type Json = Readonly<Record<string, unknown>>;
let rig: Rig;
let client: ReturnType<typeof toolClient>;
const version = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'judge', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

beforeAll(async () => {
  rig = await serveRig({ environment: { II_RATE_IP: '10000' } });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  client = toolClient(rig.ask);
});
afterAll(() => rig.close());

/** A request as the revision writes it, with changes. */
function modern(method: string, params: Json = {}, headers: Record<string, string | undefined> = {}, id = 7) {
  const { name } = params;
  const said = {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    ...headers,
  };
  const sent = Object.entries(said).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const frame = { jsonrpc: '2.0', id, method, params: { _meta: meta, ...params } };
  return client.post(frame, Object.fromEntries(sent));
}

describe('a request that says who it is', () => {
  it('discovers the server without a handshake, and may keep what it found until the next night', async () => {
    const answer = await modern('server/discover');
    expect(answer.status).toBe(200);
    const { ttlMs } = resultOf(await modern('tools/list')) as unknown as { ttlMs: number };
    expect(resultOf(answer)).toMatchObject({
      resultType: 'complete',
      supportedVersions: supportedRevisions,
      capabilities: { tools: { listChanged: false } },
      ttlMs,
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'issuer_intelligence', version: '1.0.0' } },
    });
    expect(supportedRevisions[0]).toBe('2025-12-11');
    expect(ttlMs).toBeGreaterThan(0);
    expect(ttlMs).toBeLessThanOrEqual(86_400_000);
  });

  it('gets results that are complete and name the server, failed ones as well', async () => {
    for (const [name, args] of [
      ['intel_company_lookup', { mode: 'full' }],
      ['intel_covenant_stress', { ticker: 'ZZZZZ' }],
      ['intel_readiness', {}],
    ] as const) {
      const result = resultOf(await modern('tools/call', { name, arguments: args })) as unknown as Json;
      expect(result, name).toMatchObject({
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'issuer_intelligence' } },
      });
    }
  });

  it('finds no method that a session needs: 404, where a client with a handshake has it or gets 200', async () => {
    for (const method of ['initialize', 'ping', 'resources/list', 'subscriptions/listen']) {
      const answer = await modern(method);
      expect([answer.status, errorOf(answer).code, answer.json()['id']], method).toEqual([404, -32601, 7]);
    }
    expect((await client.request('ping')).status).toBe(200);
  });

  it.each([
    ['no _meta', {}],
    ['no revision', { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': undefined } }],
    ['a revision that is no text', { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': 7 } }],
    ['no capabilities', { _meta: { ...meta, 'io.modelcontextprotocol/clientCapabilities': undefined } }],
  ])('with %s is malformed: 400, -32602, its id', async (_, params) => {
    const frame = { jsonrpc: '2.0', id: 9, method: 'server/discover', params };
    const answer = await client.post(frame, {
      'mcp-protocol-version': version,
      'mcp-method': 'server/discover',
    });
    expect([answer.status, errorOf(answer).code, answer.json()['id']]).toEqual([400, -32602, 9]);
  });

  it('needs no name of the client', async () => {
    const { 'io.modelcontextprotocol/clientInfo': _, ...nameless } = meta;
    expect((await modern('tools/list', { _meta: nameless })).status).toBe(200);
  });

  it.each([
    ['another revision in the header', { 'mcp-protocol-version': '2025-11-25' }],
    ['no revision in a header', { 'mcp-protocol-version': undefined }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['a method in other letters', { 'mcp-method': 'TOOLS/CALL' }],
    ['no method', { 'mcp-method': undefined }],
    ['another name', { 'mcp-name': 'intel_readiness' }],
    ['no name', { 'mcp-name': undefined }],
    ['a coded name that is another', { 'mcp-name': '=?base64?eA==?=' }],
  ])('with %s than its body is refused: 400, -32020, its id', async (_, headers) => {
    const answer = await modern('tools/call', { name: 'intel_help' }, headers);
    expect([answer.status, errorOf(answer).code, answer.json()['id']]).toEqual([400, -32020, 7]);
  });

  it('may write the name of a tool in base64', async () => {
    const coded = `=?base64?${Buffer.from('intel_help').toString('base64')}?=`;
    expect((await modern('tools/call', { name: 'intel_help' }, { 'mcp-name': coded })).status).toBe(200);
  });
});

describe('a revision that is not spoken', () => {
  it('is refused with those that are, what was asked, and the id: in the header, in _meta, and in both', async () => {
    const strange = { ...meta, 'io.modelcontextprotocol/protocolVersion': 'v999' };
    for (const answer of [
      await modern('tools/list', { _meta: strange }, { 'mcp-protocol-version': 'v999' }),
      await modern('tools/list', { _meta: strange }, { 'mcp-protocol-version': undefined }),
      await client.request('ping', {}, { 'mcp-protocol-version': 'v999' }),
    ]) {
      const { code, data } = errorOf(answer);
      expect([answer.status, code]).toEqual([400, -32022]);
      expect(answer.json()['id']).not.toBeNull();
      expect(data).toMatchObject({ supported: supportedRevisions, requested: 'v999' });
    }
    const note = await client.post(
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { 'mcp-protocol-version': 'v999' },
    );
    expect([note.status, errorOf(note).code, note.json()['id']]).toEqual([400, -32022, null]);
  });

  it('is negotiated by a handshake, and the client that goes on with its own header is served', async () => {
    const asked = await client.request('initialize', { protocolVersion: version });
    expect(resultOf(asked)).toMatchObject({ protocolVersion: '2025-11-25' });
    const own = { 'mcp-protocol-version': version };
    expect((await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, own)).status).toBe(
      202,
    );
    expect((await client.request('ping', undefined, own)).json()['result']).toEqual({});
    expect((await client.call('intel_help', {}, own)).status).toBe(200);
  });
});
