import { createPublicKey, verify } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { routes } from '../../contract/routes/routes.ts';
import { emitTools } from '../../contract/tools/emitTools.ts';
import { canonicalJson } from '../../contract/values/canonicalJson.ts';
import type { RenderReceipt } from '../../contract/visual/renderReceipt.ts';
import type {
  FitReportData,
  RenderData,
  SpecPackageData,
  SpecSearchData,
  ValidateData,
} from '../../contract/visual/visualToolData.ts';
import { strayNumbers } from '../../fixtures/checks/strayNumbers.ts';
import { type Answer, type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { errorOf, resultOf, toolClient } from '../../fixtures/rigs/toolCalls.ts';
import { matrixContract, timelineContract } from '../../fixtures/visual/familyContracts.ts';
import { type ContractInput, pipelineContract } from '../../fixtures/visual/pipelineContract.ts';
import { workedExample } from '../../fixtures/visual/workedExample.ts';

let rig: Rig;
let client: ReturnType<typeof toolClient>;
let ours: { 'x-api-key': string };
let theirs: { 'x-api-key': string };
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const valid = new Map(
  emitTools(routes).map(({ name, outputSchema }) => [name, ajv.compile(outputSchema ?? true)]),
);

beforeEach(async () => {
  rig = await serveRig({ environment: { II_RATE_IP: '10000', II_RATE_KEY: '10000' } });
  client = toolClient(rig.ask);
  ours = { 'x-api-key': await rig.key(['visual']) };
  theirs = { 'x-api-key': await rig.key(['visual', 'mcp']) };
});
afterEach(() => rig.close());

type Served<T> = { readonly data: T; readonly structured: Readonly<Record<string, unknown>> };

/** A served answer, with what holds of each: its form, its serialization, its words. */
function served<T>(tool: string, answer: Answer): Served<T> {
  expect(answer.status).toBe(200);
  const { isError, structuredContent, content } = resultOf(answer);
  expect(isError, content[0]?.text).toBe(false);
  const check = valid.get(tool);
  expect(check?.(structuredContent), ajv.errorsText(check?.errors)).toBe(true);
  expect(JSON.parse(content[1]?.text ?? '')).toEqual(structuredContent);
  expect(content[0]?.text.length).toBeLessThanOrEqual(1500);
  expect(strayNumbers(content[0]?.text ?? '', content[1]?.text ?? '')).toEqual([]);
  return { data: structuredContent['data'] as T, structured: structuredContent };
}
async function ask<T>(tool: string, args: object, key = ours): Promise<Served<T>> {
  return served<T>(tool, await client.call(tool, { ...args }, key));
}
const render = async (contract: ContractInput, key = ours, more: object = {}): Promise<RenderData> =>
  (await ask<RenderData>('visual_diagram_render', { contract, ...more }, key)).data;
async function refused(tool: string, args: object, key = ours): Promise<Readonly<Record<string, unknown>>> {
  const { isError, structuredContent } = resultOf(await client.call(tool, { ...args }, key));
  expect(isError).toBe(true);
  expect(valid.get(tool)?.(structuredContent)).toBe(true);
  return structuredContent['error'] as Readonly<Record<string, unknown>>;
}
const stored = (): string[] => {
  const directory = join(rig.root, 'visual');
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.startsWith('vrcp_')) : [];
};

describe('visual_diagram_render', () => {
  it('draws, signs and stores for an API key, quoted and not charged (I4.VIS.1, I4.VIS.11, I4.VIS.15)', async () => {
    const { data, structured } = await ask<RenderData>('visual_diagram_render', { contract: matrixContract });
    expect(data.artifact.svg).toContain('role="img"');
    expect(Buffer.byteLength(data.artifact.svg)).toBe(data.artifact.bytes);
    expect(structured['billing']).toMatchObject({
      billing_mode: 'api_key_not_charged',
      cost_usd: 0,
      quoted_cost_usd: 0.6,
    });
    expect(structured['settlement_receipt']).toMatchObject({
      settlement_mode: 'api_key_not_charged',
      quoted_cost_usd: 0.6,
      charged_amount_usdc: '0.000000',
    });
    expect(rig.notes).toHaveLength(1);
    expect(rig.notes[0]).toMatchObject({
      tool: 'visual_diagram_render',
      quotedMicro: 600_000,
      routeId: 'R31',
    });
    expect(await signatureHolds(data.render_receipt)).toBe(true);
    const altered = { ...data.render_receipt, quoted_price_usd: 0.01 };
    expect(await signatureHolds(altered)).toBe(false);
  });

  it('brings the same render again to an agent that repeats its call, stored once (V69)', async () => {
    const first = await render(matrixContract);
    rig.clock.nowMs += 60_000;
    const { data: again, structured } = await ask<RenderData>('visual_diagram_render', {
      contract: matrixContract,
    });
    expect(again).toEqual(first);
    expect(structured['response_metadata']).toMatchObject({ cache_hit: true });
    expect(stored()).toEqual([first.render_receipt.receipt_id]);
  });

  it('binds another project to a receipt of its own over the same picture', async () => {
    const first = await render(matrixContract);
    const other = await render(matrixContract, ours, {
      project_id: 'second',
      source_digest: ['a'.repeat(64)],
    });
    expect(other.artifact.sha256).toBe(first.artifact.sha256);
    expect(other.render_receipt).toMatchObject({ project_id: 'second', source_digest: ['a'.repeat(64)] });
    expect(other.fit_report).toEqual({
      ...first.fit_report,
      render_receipt_id: other.render_receipt.receipt_id,
    });
    expect(stored()).toHaveLength(2);
  });

  it('keeps the renders of two keys apart, although the picture is the same (I4.VIS.12a)', async () => {
    const [own, other] = [await render(matrixContract), await render(matrixContract, theirs)];
    expect(other.artifact.sha256).toBe(own.artifact.sha256);
    expect(other.render_receipt.receipt_id).not.toBe(own.render_receipt.receipt_id);
    const id = own.render_receipt.receipt_id;
    const unknown = 'vrcp_01JKZ3M6Q2V8R4T7W9Y1A3C5E7';
    const [foreign, missing] = [
      await refused('visual_fit_report', { render_receipt_id: id }, theirs),
      await refused('visual_fit_report', { render_receipt_id: unknown }, theirs),
    ];
    // a render of another key and none at all read alike
    expect({ ...foreign, detail: '', request_id: '' }).toEqual({ ...missing, detail: '', request_id: '' });
    expect(foreign).toMatchObject({ code: 'not_found', reason_code: 'render_unknown' });
    const asked = { render_receipt_ids: [id], package_name: 'theirs' };
    expect(await refused('visual_spec_package', asked, theirs)).toMatchObject({ code: 'not_found' });
  });

  it('refuses what is no contract and what does not fit, with the report, and stores nothing (I4.VIS.13)', async () => {
    expect(await refused('visual_diagram_render', { contract: {} })).toMatchObject({
      code: 'contract_invalid',
      cost_usd: 0,
    });
    const tiny = { ...pipelineContract, viewport_policy: { width: 320, height: 240 } };
    const error = await refused('visual_diagram_render', { contract: tiny });
    expect(error).toMatchObject({ code: 'does_not_fit', billing_status: 'not_charged' });
    const { fit_report: report } = error as { fit_report: RenderData['fit_report'] };
    expect(report.verdict).toBe('does_not_fit');
    expect(report.violations.some(({ measured, limit }) => (measured ?? 0) > (limit ?? 0))).toBe(true);
    expect(stored()).toEqual([]);
    expect(rig.notes).toEqual([]);
  });

  it('writes labels in scripts from the right and with markup as text (I4.VIS.12)', async () => {
    const labels = [
      '<script>alert(1)</script>',
      '"&\'>',
      'שלום עולם',
      'مرحبا',
      '\u202eexe.gpj',
      '😀😀',
      'x'.repeat(200),
    ];
    const data = await render({
      ...timelineContract,
      diagram_family: 'layered_flow',
      nodes: labels.map((label, i) => ({ id: `n${i}`, label })),
      edges: [],
      labels: [],
      viewport_policy: { width: 4096, height: 4096 },
      fit_policy: { fail_on: [] },
    });
    expect(data.artifact.svg).not.toMatch(/<script|foreignObject|\son\w+=|\u202e/);
    expect(data.artifact.svg).toContain('&lt;script&gt;');
    expect(data.artifact.svg).toContain('direction="rtl"');
  });

  it('is not charged and leaves nothing behind when nothing can be stored', async () => {
    mkdirSync(join(rig.root, 'visual'));
    // the thread may run as root, which no mode keeps out: a file stands where the key would be
    mkdirSync(join(rig.root, 'visual', 'render-ed25519.pem'));
    const error = await refused('visual_diagram_render', { contract: matrixContract });
    expect(error).toMatchObject({ code: 'artifact_unavailable', retryable: true });
    expect(String(error['detail'])).toContain('Nothing was charged');
    expect([stored(), rig.notes]).toEqual([[], []]);
    rmSync(join(rig.root, 'visual', 'render-ed25519.pem'), { recursive: true });
    await render(matrixContract);
    expect(stored()).toHaveLength(1);
  });

  it('records nothing for a caller that has left, and has the render when it comes back', async () => {
    const frame = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'visual_diagram_render', arguments: { contract: matrixContract } },
    };
    let asked = 0;
    await rig.ask('/mcp', {
      method: 'POST',
      body: Buffer.from(JSON.stringify(frame)),
      headers: { 'content-type': 'application/json', ...ours },
      // there when its turn comes, gone when the picture is finished
      clientGone: () => ++asked > 1,
    });
    expect(rig.notes).toEqual([]);
    const { render_receipt: receipt } = await render(matrixContract);
    expect(stored()).toEqual([receipt.receipt_id]);
    expect(rig.notes).toHaveLength(1);
  });

  it('does not serve a stored picture that was changed on the disk', async () => {
    const { render_receipt: receipt } = await render(matrixContract);
    writeFileSync(join(rig.root, 'visual', receipt.receipt_id, 'diagram.svg'), '<svg/>');
    const error = await refused('visual_diagram_render', { contract: matrixContract });
    expect(error).toMatchObject({
      code: 'artifact_unavailable',
      artifact_key: `visual/${receipt.receipt_id}/diagram.svg`,
    });
  });

  it('is sent compressed as well', async () => {
    const answer = await client.call(
      'visual_diagram_render',
      { contract: matrixContract },
      {
        ...ours,
        'accept-encoding': 'gzip',
      },
    );
    const plain = JSON.parse(gunzipSync(answer.bytes).toString('utf8'));
    expect(plain.result.structuredContent.data.artifact.svg).toContain('<svg');
    expect(JSON.parse(plain.result.content[1].text)).toEqual(plain.result.structuredContent);
  });
});

/** Checks a receipt as an outsider does: with the key of the field contract (I4.F02.2). */
async function signatureHolds({ signature, ...unsigned }: RenderReceipt): Promise<boolean> {
  const { integrity } = (await rig.ask('/v1/contract/fields')).json() as {
    integrity: { render_key: { key_id: string; public_key: string } | null };
  };
  const { render_key: shown } = integrity;
  if (shown === null || shown.key_id !== unsigned.key_id) return false;
  const x = Buffer.from(shown.public_key, 'base64').toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  return verify(null, Buffer.from(canonicalJson(unsigned)), key, Buffer.from(signature, 'base64'));
}

describe('access to visual tools', () => {
  const args = { contract: matrixContract };

  it('is an API key with the scope alone: a payment is neither asked for nor looked at (I4.VIS.1)', async () => {
    const paid = { 'payment-signature': Buffer.from('{}').toString('base64') };
    for (const headers of [{}, paid, { authorization: 'Bearer ii1.a.b' }]) {
      const answer = await client.call('visual_diagram_render', args, headers);
      expect([answer.status, errorOf(answer).message]).toEqual([401, 'api_key_required']);
      expect(answer.headers.has('payment-required')).toBe(false);
      expect(errorOf(answer).data).not.toHaveProperty('accepts');
    }
    const inBand = await client.call(
      'visual_diagram_render',
      args,
      { 'mcp-protocol-version': '2025-11-25' },
      {
        'x402/payment': {},
      },
    );
    expect([inBand.status, errorOf(inBand).message]).toEqual([401, 'api_key_required']);
    expect([stored(), rig.notes]).toEqual([[], []]);
  });

  it('is refused to a key without the scope, and to one that is wrong', async () => {
    const scoped = await client.call('visual_diagram_render', args, { 'x-api-key': await rig.key(['mcp']) });
    expect([scoped.status, errorOf(scoped).data['required_scope']]).toEqual([403, 'visual']);
    const wrong = await client.call('visual_diagram_render', args, {
      'x-api-key': `iik_AAAAAAAAAA_${'a'.repeat(43)}`,
    });
    expect([wrong.status, errorOf(wrong).message]).toEqual([401, 'invalid_api_key']);
    const twoKeys = await client.call('visual_diagram_render', args, {
      'x-api-key': ours['x-api-key'],
      'mcp-api-key': theirs['x-api-key'],
    });
    expect([twoKeys.status, errorOf(twoKeys).message]).toEqual([400, 'conflicting_credentials']);
  });

  it('does not open intel tools with the scope of pictures', async () => {
    const release = rig.release({ sourceDate: '2026-02-07' });
    rig.promote(release, { '2026-02-07': release });
    const answer = await client.call('intel_readiness', {}, ours);
    expect([answer.status, errorOf(answer).message]).toEqual([403, 'api_key_scope']);
  });

  it('comes after the arguments (I4.MCP.18)', async () => {
    const wrong: [object, string, string][] = [
      [{}, 'missing_parameter', 'contract'],
      [{ contract: [] }, 'invalid_parameter', 'contract'],
      [{ contract: {}, theme: 'dark' }, 'unknown_parameter', 'theme'],
      [{ contract: {}, project_id: 'A b' }, 'invalid_parameter', 'project_id'],
    ];
    for (const [given, code, parameter] of wrong) {
      const { isError, structuredContent } = resultOf(
        await client.call('visual_diagram_render', { ...given }),
      );
      expect(isError).toBe(true);
      expect(structuredContent['error']).toMatchObject({ code, parameter });
    }
  });
});

describe('visual_diagram_validate', () => {
  const validated = async (contract: unknown) =>
    await ask<ValidateData>('visual_diagram_validate', { contract });

  it('answers an invalid contract with what is wrong in it (I4.VIS.10)', async () => {
    const { data, structured } = await validated({ ...matrixContract, nodes: [] });
    expect(data).toMatchObject({ valid: false, would_render: false, contract_sha256: null });
    expect(data.errors[0]).toMatchObject({ path: '/nodes' });
    expect(structured['billing']).toMatchObject({ cost_usd: 0, quoted_cost_usd: 0.1 });
  });

  it('quotes the worked example (I4.VIS.22), and the render of it states the same price', async () => {
    const example = workedExample;
    const { data } = await validated(example);
    expect(data.quote).toMatchObject({
      triggers: ['T2', 'T7'],
      input_tokens: 25_000,
      output_tokens: 12_400,
      quoted_price_usd: 1.42,
      expires_at: '2026-02-07T10:15:00Z',
    });
    const { render_receipt: receipt } = await render(example);
    expect(receipt.quoted_price_usd).toBe(1.42);
    expect(rig.notes.map(({ quotedMicro }) => quotedMicro)).toEqual([100_000, 1_420_000]);
    const again = await validated(example);
    expect(again.data.quote?.quoted_price_usd).toBe(1.42);
  });

  it('is bounded in what it reads: size, depth, width, and cycles (I4.VIS.5, V68)', async () => {
    const nodes = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `n${i}`, label: 'x' }));
    const many = { ...matrixContract, diagram_family: 'network', nodes: nodes(1000) };
    expect((await validated(many)).data.errors[0]).toMatchObject({ code: 'out_of_range', path: '/nodes' });
    for (const [count, status] of [
      [2000, 400],
      [10_000, 413],
    ] as const) {
      const contract = { nodes: nodes(count) };
      expect((await client.call('visual_diagram_validate', { contract }, ours)).status).toBe(status);
    }
    const ring = nodes(3).map(({ id }, i) => ({ from: id, to: `n${(i + 1) % 3}` }));
    const cycle = { ...matrixContract, diagram_family: 'hierarchy', nodes: nodes(3), edges: ring };
    expect((await validated(cycle)).data.valid).toBe(false);
    const padded = { ...matrixContract, metadata: { note: 'x'.repeat(210_000) } };
    expect((await validated(padded)).data.errors[0]).toMatchObject({ code: 'too_large' });
    const long = { ...matrixContract, metadata: { note: 'x'.repeat(300_000) } };
    const oversize = await client.call('visual_diagram_validate', { contract: long }, ours);
    expect(oversize.status).toBe(413);
    const lone = { ...matrixContract, title: '\ud800' };
    expect((await validated(lone)).data.errors[0]).toMatchObject({ code: 'not_json', path: '/title' });
  });
});

describe('visual_fit_report', () => {
  it('shows the report of a render again, quoted and covered (I4.VIS.16)', async () => {
    const { fit_report: report, render_receipt: receipt } = await render(matrixContract);
    const { data, structured } = await ask<FitReportData>('visual_fit_report', {
      render_receipt_id: receipt.receipt_id,
    });
    expect(data).toEqual({
      fit_report: report,
      render_receipt_id: receipt.receipt_id,
      covered_by_render_receipt: true,
    });
    expect(structured['billing']).toMatchObject({ cost_usd: 0, quoted_cost_usd: 0.3 });
  });
});

describe('visual_spec_search', () => {
  it('finds own and public specs at the price of its page (I4.VIS.17)', async () => {
    await render(matrixContract);
    const shared = await render({
      ...timelineContract,
      reuse_metadata: { visibility: 'public', tags: ['plan'] },
    });
    const search = async (args: object, key = ours) =>
      await ask<SpecSearchData>('visual_spec_search', args, key);
    const query = 'matrix';
    const own = await search({ query });
    expect(own.data.data.map(({ diagram_id }) => diagram_id)).toEqual([matrixContract.diagram_id]);
    expect(own.structured['billing']).toMatchObject({ quoted_cost_usd: 0.03 });
    expect((await search({ query }, theirs)).data.meta.total).toBe(0);
    const found = await search({ query: 'plan', tags: ['plan'], limit: 50, include_contract: true }, theirs);
    expect(found.data.data[0]).toMatchObject({
      spec_id: shared.search_metadata.spec_id,
      contract: { diagram_id: timelineContract.diagram_id },
    });
    expect(found.structured['billing']).toMatchObject({ quoted_cost_usd: 0.08, cost_usd: 0 });
  });
});

describe('visual_spec_package', () => {
  it('holds the files of renders with a manifest that proves itself (I4.VIS.19)', async () => {
    const ids = [
      (await render(matrixContract)).render_receipt.receipt_id,
      (await render(timelineContract)).render_receipt.receipt_id,
    ];
    const { data, structured } = await ask<SpecPackageData>('visual_spec_package', {
      render_receipt_ids: ids,
      package_name: 'two-renders',
    });
    expect(data.package.files).toHaveLength(11);
    expect(structured['billing']).toMatchObject({ quoted_cost_usd: 1.25 });
    const manifest = JSON.parse(
      Buffer.from(data.package.files.at(-1)?.content_base64 ?? '', 'base64').toString('utf8'),
    );
    const { signature, ...unsigned } = manifest;
    const x = Buffer.from(signature.public_key, 'base64').toString('base64url');
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
    const bytes = Buffer.from(canonicalJson(unsigned));
    expect(verify(null, bytes, key, Buffer.from(signature.value, 'base64'))).toBe(true);
    expect(unsigned.files.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(
      data.package.files.slice(0, -1).map(({ sha256 }) => sha256),
    );
  });
});
