import { createPublicKey, verify } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { RenderReceipt } from '../../data/contract/visual/renderReceipt.ts';
import type { RenderData } from '../../data/contract/visual/visualToolData.ts';
import { type VisualRig, visualRig } from '../../fixtures/rigs/visualRig.ts';
import { matrixContract, timelineContract } from '../../fixtures/visual/familyContracts.ts';
import { pipelineContract } from '../../fixtures/visual/pipelineContract.ts';

let desk: VisualRig;
beforeEach(async () => {
  desk = await visualRig();
});
afterEach(() => desk.rig.close());

describe('visual_diagram_render', () => {
  it('draws, signs and stores for an API key, quoted and not charged (I4.VIS.1, I4.VIS.11, I4.VIS.15)', async () => {
    const { data, structured } = await desk.ask<RenderData>('visual_diagram_render', {
      contract: matrixContract,
    });
    expect(data.artifact.svg).toContain('role="img"');
    expect(Buffer.byteLength(data.artifact.svg)).toBe(data.artifact.bytes);
    expect(structured['billing']).toMatchObject({
      billing_mode: 'api_key_not_charged',
      cost_usd: 0,
      quoted_cost_usd: 0.6,
    });
    expect(desk.rig.notes).toHaveLength(1);
    expect(desk.rig.notes[0]).toMatchObject({
      tool: 'visual_diagram_render',
      quotedMicro: 600_000,
      routeId: 'R31',
    });
    expect(await signatureHolds(data.render_receipt)).toBe(true);
    const altered = { ...data.render_receipt, quoted_price_usd: 0.01 };
    expect(await signatureHolds(altered)).toBe(false);
  });

  it('brings the same render again to an agent that repeats its call, stored once (V69)', async () => {
    const first = await desk.render(matrixContract);
    desk.rig.clock.nowMs += 60_000;
    const { data: again, structured } = await desk.ask<RenderData>('visual_diagram_render', {
      contract: matrixContract,
    });
    expect(again).toEqual(first);
    expect(structured['provenance']).toMatchObject({ computed_at_utc: first.render_receipt.created_at_utc });
    expect(desk.stored()).toEqual([first.render_receipt.receipt_id]);
  });

  it('binds another project to a receipt of its own over the same picture', async () => {
    const first = await desk.render(matrixContract);
    const other = await desk.render(matrixContract, desk.ours, {
      project_id: 'second',
      source_digest: ['a'.repeat(64)],
    });
    expect(other.artifact.sha256).toBe(first.artifact.sha256);
    expect(other.render_receipt).toMatchObject({ project_id: 'second', source_digest: ['a'.repeat(64)] });
    expect(other.fit_report).toEqual({
      ...first.fit_report,
      render_receipt_id: other.render_receipt.receipt_id,
    });
    expect(desk.stored()).toHaveLength(2);
  });

  it('keeps the renders of two keys apart, although the picture is the same (I4.VIS.12a)', async () => {
    const [own, other] = [await desk.render(matrixContract), await desk.render(matrixContract, desk.theirs)];
    expect(other.artifact.sha256).toBe(own.artifact.sha256);
    expect(other.render_receipt.receipt_id).not.toBe(own.render_receipt.receipt_id);
    const id = own.render_receipt.receipt_id;
    const unknown = 'vrcp_01JKZ3M6Q2V8R4T7W9Y1A3C5E7';
    const [foreign, missing] = [
      await desk.refused('visual_fit_report', { render_receipt_id: id }, desk.theirs),
      await desk.refused('visual_fit_report', { render_receipt_id: unknown }, desk.theirs),
    ];
    // a render of another key and none at all read alike
    expect({ ...foreign, detail: '', request_id: '' }).toEqual({ ...missing, detail: '', request_id: '' });
    expect(foreign).toMatchObject({ code: 'not_found', reason_code: 'render_unknown' });
    const asked = { render_receipt_ids: [id], package_name: 'theirs' };
    expect(await desk.refused('visual_spec_package', asked, desk.theirs)).toMatchObject({
      code: 'not_found',
    });
  });

  it('refuses what is no contract and what does not fit, with the report, and stores nothing (I4.VIS.13)', async () => {
    expect(await desk.refused('visual_diagram_render', { contract: {} })).toMatchObject({
      code: 'contract_invalid',
      cost_usd: 0,
    });
    const tiny = { ...pipelineContract, viewport_policy: { width: 320, height: 240 } };
    const error = await desk.refused('visual_diagram_render', { contract: tiny });
    expect(error).toMatchObject({ code: 'does_not_fit', billing_status: 'not_charged' });
    const { fit_report: report } = error as { fit_report: RenderData['fit_report'] };
    expect(report.verdict).toBe('does_not_fit');
    expect(report.violations.some(({ measured, limit }) => (measured ?? 0) > (limit ?? 0))).toBe(true);
    expect(desk.stored()).toEqual([]);
    expect(desk.rig.notes).toEqual([]);
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
    const data = await desk.render({
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
    mkdirSync(join(desk.rig.root, 'visual'));
    // the thread may run as root, which no mode keeps out: a file stands where the key would be
    mkdirSync(join(desk.rig.root, 'visual', 'render-ed25519.pem'));
    const error = await desk.refused('visual_diagram_render', { contract: matrixContract });
    expect(error).toMatchObject({ code: 'artifact_unavailable', retryable: true });
    expect(String(error['detail'])).toContain('Nothing was charged');
    expect([desk.stored(), desk.rig.notes]).toEqual([[], []]);
    rmSync(join(desk.rig.root, 'visual', 'render-ed25519.pem'), { recursive: true });
    await desk.render(matrixContract);
    expect(desk.stored()).toHaveLength(1);
  });

  it('records nothing for a caller that has left, and has the render when it comes back', async () => {
    const frame = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'visual_diagram_render', arguments: { contract: matrixContract } },
    };
    let asked = 0;
    await desk.rig.ask('/mcp', {
      method: 'POST',
      body: Buffer.from(JSON.stringify(frame)),
      headers: { 'content-type': 'application/json', ...desk.ours },
      // there when its turn comes, gone when the picture is finished
      clientGone: () => ++asked > 1,
    });
    expect(desk.rig.notes).toEqual([]);
    const { render_receipt: receipt } = await desk.render(matrixContract);
    expect(desk.stored()).toEqual([receipt.receipt_id]);
    expect(desk.rig.notes).toHaveLength(1);
  });

  it('does not serve a stored picture that was changed on the disk', async () => {
    const { render_receipt: receipt } = await desk.render(matrixContract);
    writeFileSync(join(desk.rig.root, 'visual', receipt.receipt_id, 'diagram.svg'), '<svg/>');
    const error = await desk.refused('visual_diagram_render', { contract: matrixContract });
    expect(error).toMatchObject({
      code: 'artifact_unavailable',
      artifact_key: `visual/${receipt.receipt_id}/diagram.svg`,
    });
  });

  it('is sent compressed as well', async () => {
    const answer = await desk.client.call(
      'visual_diagram_render',
      { contract: matrixContract },
      {
        ...desk.ours,
        'accept-encoding': 'gzip',
      },
    );
    const plain = JSON.parse(gunzipSync(answer.bytes).toString('utf8'));
    expect(plain.result.structuredContent.data.artifact.svg).toContain('<svg');
  });
});

/** Checks a receipt as an outsider does: with the key of the field contract (I4.F02.2). */
async function signatureHolds({ signature, ...unsigned }: RenderReceipt): Promise<boolean> {
  const { integrity } = (await desk.rig.ask('/v1/contract/fields')).json() as {
    integrity: { render_key: { key_id: string; public_key: string } | null };
  };
  const { render_key: shown } = integrity;
  if (shown === null || shown.key_id !== unsigned.key_id) return false;
  const x = Buffer.from(shown.public_key, 'base64').toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  return verify(null, Buffer.from(canonicalJson(unsigned)), key, Buffer.from(signature, 'base64'));
}
