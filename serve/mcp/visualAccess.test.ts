import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorOf, refusalOf, resultOf } from '../../fixtures/rigs/toolCalls.ts';
import { type VisualRig, visualRig } from '../../fixtures/rigs/visualRig.ts';
import { matrixContract } from '../../fixtures/visual/familyContracts.ts';

let desk: VisualRig;
beforeEach(async () => {
  desk = await visualRig();
});
afterEach(() => desk.rig.close());

describe('access to visual tools', () => {
  const args = { contract: matrixContract };

  it('is an API key with the scope alone: a payment is neither asked for nor looked at (I4.VIS.1)', async () => {
    const paid = { 'payment-signature': Buffer.from('{}').toString('base64') };
    for (const headers of [{}, paid, { authorization: 'Bearer ii1.a.b' }]) {
      const answer = await desk.client.call('visual_diagram_render', args, headers);
      expect(refusalOf(answer)).toMatchObject({ status: 200, isError: true, code: 'api_key_required' });
      for (const name of ['payment-required', 'www-authenticate'])
        expect(answer.headers.has(name), name).toBe(false);
    }
    const inBand = await desk.client.call(
      'visual_diagram_render',
      args,
      { 'mcp-protocol-version': '2025-11-25' },
      {
        'x402/payment': {},
      },
    );
    expect(refusalOf(inBand)).toMatchObject({ status: 200, code: 'api_key_required' });
    expect([desk.stored(), desk.rig.notes]).toEqual([[], []]);
  });

  it('is refused to a key without the scope, and to one that is wrong', async () => {
    const scoped = await desk.client.call('visual_diagram_render', args, {
      'x-api-key': await desk.rig.key(['mcp']),
    });
    expect(refusalOf(scoped)).toMatchObject({ status: 200, error: { required_scope: 'visual' } });
    const wrong = await desk.client.call('visual_diagram_render', args, {
      'x-api-key': `iik_AAAAAAAAAA_${'a'.repeat(43)}`,
    });
    expect(refusalOf(wrong)).toMatchObject({ status: 200, code: 'invalid_api_key' });
    const twoKeys = await desk.client.call('visual_diagram_render', args, {
      'x-api-key': desk.ours['x-api-key'],
      'mcp-api-key': desk.theirs['x-api-key'],
    });
    expect([twoKeys.status, errorOf(twoKeys).message]).toEqual([400, 'conflicting_credentials']);
  });

  it('does not open intel tools with the scope of pictures', async () => {
    const release = desk.rig.release({ sourceDate: '2026-02-07' });
    desk.rig.promote(release, { '2026-02-07': release });
    const answer = await desk.client.call('intel_readiness', {}, desk.ours);
    expect(refusalOf(answer)).toMatchObject({ status: 200, code: 'api_key_scope' });
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
        await desk.client.call('visual_diagram_render', { ...given }),
      );
      expect(isError).toBe(true);
      expect(structuredContent['error']).toMatchObject({
        code,
        parameter,
        detail: expect.stringContaining(parameter),
      });
    }
  });
});
