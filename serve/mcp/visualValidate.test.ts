import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ValidateData } from '../../data/contract/visual/visualToolData.ts';
import { type VisualRig, visualRig } from '../../fixtures/rigs/visualRig.ts';
import { matrixContract } from '../../fixtures/visual/familyContracts.ts';
import { workedExample } from '../../fixtures/visual/workedExample.ts';

let desk: VisualRig;
beforeEach(async () => {
  desk = await visualRig();
});
afterEach(() => desk.rig.close());

describe('visual_diagram_validate', () => {
  const validated = async (contract: unknown) =>
    await desk.ask<ValidateData>('visual_diagram_validate', { contract });

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
    const { render_receipt: receipt } = await desk.render(example);
    expect(receipt.quoted_price_usd).toBe(1.42);
    expect(desk.rig.notes.map(({ quotedMicro }) => quotedMicro)).toEqual([100_000, 1_420_000]);
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
      expect((await desk.client.call('visual_diagram_validate', { contract }, desk.ours)).status).toBe(
        status,
      );
    }
    const ring = nodes(3).map(({ id }, i) => ({ from: id, to: `n${(i + 1) % 3}` }));
    const cycle = { ...matrixContract, diagram_family: 'hierarchy', nodes: nodes(3), edges: ring };
    expect((await validated(cycle)).data.valid).toBe(false);
    const padded = { ...matrixContract, metadata: { note: 'x'.repeat(210_000) } };
    expect((await validated(padded)).data.errors[0]).toMatchObject({ code: 'too_large' });
    const long = { ...matrixContract, metadata: { note: 'x'.repeat(300_000) } };
    const oversize = await desk.client.call('visual_diagram_validate', { contract: long }, desk.ours);
    expect(oversize.status).toBe(413);
    const lone = { ...matrixContract, title: '\ud800' };
    expect((await validated(lone)).data.errors[0]).toMatchObject({ code: 'not_json', path: '/title' });
  });
});
