import { describe, expect, it } from 'vitest';
import type { SurfaceOperation } from '../../data/contract/payloads/audit/auditRun.ts';
import { covenantStressList } from '../../data/contract/payloads/universe/covenantStressList.ts';
import { topStressed } from '../../data/contract/payloads/universe/topStressed.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { routes } from '../../data/contract/routes/routes.ts';
import { type Ask, type AuditAnswer, auditClient } from './auditClient.ts';
import { surfaceChecks } from './surfaceChecks.ts';

const answer = (body: object, status = 200): AuditAnswer => ({
  status,
  headers: new Map(),
  bytes: Buffer.from(JSON.stringify(body)),
});
const missing = (reason_code: string) => answer({ code: 'not_found', reason_code }, 404);

/** The route table with these routes live and all others pending. */
const only = (ids: readonly string[]): readonly Route[] =>
  routes.map((route): Route => ({ ...route, status: ids.includes(route.id) ? 'live' : 'pending' }));

function check(
  operation: SurfaceOperation,
  {
    ask,
    live,
    isCurrent = true,
    leftOutArtifacts = [],
  }: { ask: Ask; live: readonly string[]; isCurrent?: boolean; leftOutArtifacts?: readonly string[] },
) {
  const table = only(live);
  const client = auditClient({ ask, routes: table, sourceDate: null, rowStoresOnly: false });
  return surfaceChecks[operation]({ client, ask, routes: table, isCurrent, leftOutArtifacts });
}

describe('every route that is sold (M13.8)', () => {
  const live = ['R01', 'R16', 'R20', 'R23'];

  it('is asked once, those of products only where the slice has one', async () => {
    const asked: string[] = [];
    const ask: Ask = async (target) => {
      asked.push(target);
      return missing('not_published');
    };
    expect(await check('every_route', { ask, live: ['R01', 'R03', 'R20', 'R27', 'M01'] })).toEqual({
      outcome: 'ok',
    });
    // without an issuer and a product nothing is asked that needs one, and no mirror at all
    expect(asked).toEqual(['/v1/readiness']);
  });

  it('fails with the first route that breaks, or says what its schema does not know', async () => {
    const broken: Ask = async () => answer({ code: 'internal_error' }, 500);
    expect(await check('every_route', { ask: broken, live })).toEqual({
      outcome: 'failed',
      reason: 'getReadiness: status 500 internal_error',
    });
    const empty: Ask = async () => answer({});
    expect(await check('every_route', { ask: empty, live })).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/^getReadiness: schema: /),
    });
  });

  it.each([
    ['the current release', true],
    ['a past one', false],
  ])('fails for artifacts that were left out of %s, though not_published passes', async (_, isCurrent) => {
    const ask: Ask = async () => missing('not_published');
    const failedWith = (leftOutArtifacts: readonly string[]) =>
      check('every_route', { ask, live: ['R01', 'R20'], isCurrent, leftOutArtifacts });
    expect(await failedWith(['daily-brief/page.html', 'daily-brief/payload.json'])).toEqual({
      outcome: 'failed',
      reason: 'left_out_artifacts: daily-brief/page.html, daily-brief/payload.json',
    });
    expect(await failedWith(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toEqual({
      outcome: 'failed',
      reason: 'left_out_artifacts: a, b, c, d, e and 2 more',
    });
  });

  describe('of a peer ranking that answers 404 (M4.5)', () => {
    const [row] = topStressed.schema.parse(topStressed.example).data;
    const screened = covenantStressList.schema.parse(covenantStressList.example);
    const asks = (judged: number) => {
      const asked: string[] = [];
      const ask: Ask = async (target) => {
        asked.push(target);
        if (target.startsWith('/v1/top-stressed'))
          return answer({
            ...topStressed.example,
            data: judged === 0 ? [] : [row],
            meta: { ...topStressed.example.meta, total: judged },
          });
        return target === '/v1/covenant-stress?limit=1' ? answer(screened) : missing('issuer_not_ranked');
      };
      return { ask, asked };
    };
    const ofRanking = ['R05', 'R10', 'R12'];
    const fromRanking = (asked: readonly string[]) => asked.filter((target) => target.includes('peer'));

    it('passes for the only judged issuer, and fails where there are two', async () => {
      expect(await check('every_route', { ask: asks(1).ask, live: ofRanking })).toEqual({ outcome: 'ok' });
      expect(await check('every_route', { ask: asks(2).ask, live: ofRanking })).toEqual({
        outcome: 'failed',
        reason: 'getPeerRanking: status 404 not_found',
      });
    });

    it('is asked for the first issuer of the screen where none is judged', async () => {
      const { ask, asked } = asks(0);
      await check('every_route', { ask, live: ofRanking });
      expect(fromRanking(asked)).toEqual([`/v1/peer-ranking/${screened.data[0]?.cik}`]);
    });
  });

  it('passes without any history where the slice has no row, and fails with one', async () => {
    const screened = covenantStressList.schema.parse(covenantStressList.example);
    const withScreen =
      (data: readonly unknown[]): Ask =>
      async (target) =>
        target.startsWith('/v1/covenant-stress?')
          ? answer({ ...screened, data, meta: { ...screened.meta, total: data.length } })
          : missing(target.startsWith('/v1/core7') ? 'no_rows_in_range' : 'not_published');
    const asked = (data: readonly unknown[]) =>
      check('every_route', { ask: withScreen(data), live: ['R12', 'R24'] });
    expect(await asked([])).toEqual({ outcome: 'ok' });
    expect(await asked(screened.data)).toEqual({
      outcome: 'failed',
      reason: 'getCore7CalculationHistory: status 404 not_found',
    });
  });

  it('is no matter of a past slice, which holds less by right', async () => {
    const ask: Ask = () => Promise.reject(new Error('nothing is asked'));
    expect(await check('every_route', { ask, live, isCurrent: false })).toEqual({
      outcome: 'not_applicable',
      reason: 'past_slice',
    });
  });
});

describe('every tool (M13.8)', () => {
  const content = { mcp_summary: 'Fresh.', data: { row_count: 3 } };
  const result = (structuredContent: object, text: string, isError = false) =>
    answer({ result: { structuredContent, isError, content: [{ text }] } });

  /** An endpoint with three tools, one of which needs a product that the slice does not have. */
  function endpoint(called: AuditAnswer): { ask: Ask; calls: unknown[] } {
    const calls: unknown[] = [];
    const tools = [
      { name: 'intel_readiness', inputSchema: {} },
      { name: 'intel_perp_factors', inputSchema: { required: ['product'] } },
      { name: 'visual_diagram_render', inputSchema: { required: ['contract'] } },
    ];
    const ask: Ask = async (target, body) => {
      if (target !== '/mcp') return missing('not_published');
      const { method, params } = body as { method: string; params: unknown };
      if (method === 'tools/list') return answer({ result: { tools } });
      calls.push(params);
      return called;
    };
    return { ask, calls };
  }
  const live = ['R31'];

  it('answers with data and a text', async () => {
    const { ask, calls } = endpoint(result(content, 'Fresh.'));
    expect(await check('every_tool', { ask, live })).toEqual({ outcome: 'ok' });
    expect(calls).toEqual([{ name: 'intel_readiness', arguments: {} }]);
  });

  it.each([
    ['no text', result(content, ''), 'it has no text'],
    ['no data', result({ mcp_summary: 'Fresh.' }, 'Fresh.'), 'it has no data'],
    [
      'a refusal',
      result({ error: { code: 'artifact_unavailable' } }, '', true),
      'refused: artifact_unavailable',
    ],
    ['no result', answer({ error: { code: -32603 } }), 'status 200, no result'],
  ])('fails with %s', async (_, called, reason) => {
    const { ask } = endpoint(called);
    expect(await check('every_tool', { ask, live })).toEqual({
      outcome: 'failed',
      reason: `intel_readiness: ${reason}`,
    });
  });

  it('may lack by right what the night has not', async () => {
    const refusal = { error: { code: 'not_found', reason_code: 'not_published' } };
    const { ask } = endpoint(result(refusal, '', true));
    expect(await check('every_tool', { ask, live })).toEqual({ outcome: 'ok' });
  });
});
