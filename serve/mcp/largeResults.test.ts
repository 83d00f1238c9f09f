import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { resultOf, toolClient } from '../../fixtures/rigs/toolCalls.ts';

// a result has 256 KiB; what is larger is refused with the size that would fit, and never cut (I4.MCP.17)

let rig: Rig;
let client: ReturnType<typeof toolClient>;
let key: { 'x-api-key': string };
beforeAll(async () => {
  rig = await serveRig();
  const release = rig.release({ sourceDate: '2026-02-07', padding: 'x'.repeat(200_000) });
  rig.promote(release, { '2026-02-07': release });
  client = toolClient(rig.ask);
  key = { 'x-api-key': await rig.key(['mcp']) };
});
afterAll(() => rig.close());

const errorOfResult = async (name: string, args: object, headers: Record<string, string>) => {
  const { isError, structuredContent, content } = resultOf(await client.call(name, { ...args }, headers));
  expect(isError).toBe(true);
  const error = structuredContent['error'] as { code: string; detail: string; limit: number | null };
  expect(content[0]?.text).toBe(`${error.code}: ${error.detail}`);
  return error;
};

describe('a result that is too large', () => {
  it('names a limit that fits, and with it the call is answered', async () => {
    const screen = 'intel_covenant_stress_screen';
    const error = await errorOfResult(screen, { detail: 'full' }, key);
    expect(error).toMatchObject({ code: 'result_too_large', billing_status: 'not_charged', cost_usd: 0 });
    const { limit } = error;
    expect(limit).toBeGreaterThan(0);
    const { isError, structuredContent } = resultOf(
      await client.call(screen, { limit, detail: 'full' }, key),
    );
    expect(isError).toBe(false);
    expect((structuredContent['data'] as { data: unknown[] }).data).toHaveLength(limit ?? 0);
    expect(rig.notes).toHaveLength(1);
  });

  it('is refused before payment is asked for', async () => {
    const error = await errorOfResult('intel_covenant_stress_screen', { detail: 'full' }, {});
    expect(error.code).toBe('result_too_large');
  });

  it('is answered below the bound', async () => {
    const { isError } = resultOf(await client.call('intel_covenant_stress', { ticker: 'MSTR' }, key));
    expect(isError).toBe(false);
  });
});
