import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BriefEvidence, compileBrief } from '../../calculators/briefs/compileBrief.ts';
import { covenantEvidence } from '../../calculators/briefs/covenantEvidence.ts';
import { ratioText } from '../../calculators/briefs/figureText.ts';
import { topStressedEvidence } from '../../calculators/briefs/topStressedEvidence.ts';
import { composeGraded } from '../../calculators/composeSlice.ts';
import type { NaturalBrief } from '../../contract/payloads/reports/naturalBrief.ts';
import { briefStyles } from '../../contract/values/enums.ts';
import { briefSourcesOf, issuerSourcesOf } from '../../fixtures/builders/briefSourcesOf.ts';
import { goldenContext, goldenDate, goldenPositions } from '../../fixtures/builders/goldenSlice.ts';
import { virtualClock } from '../../fixtures/rigs/virtualClock.ts';
import { configuredRenderer } from './configuredRenderer.ts';
import { modelLimits, modelRenderer } from './modelRenderer.ts';
import { renderBriefs } from './renderBriefs.ts';

type Answering = (response: ServerResponse, asked: { text: string; key: string | undefined }) => void;

let server: Server;
let address: string;
let answering: Answering;
let calls = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    calls += 1;
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const { messages } = JSON.parse(body) as { messages: { content: string }[] };
      const text = (messages[1]?.content ?? '').split('\n\n').slice(1).join('\n\n');
      answering(response, { text, key: request.headers.authorization });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
const strategy = slice.issuers.find(({ stress }) => stress.ticker === 'MSTR');
if (strategy === undefined) throw new RangeError('the golden slice has Strategy');
const sources = briefSourcesOf(slice, { sourceDate: goldenDate });
const evidence = covenantEvidence(sources, issuerSourcesOf(slice, strategy));

const completed = (response: ServerResponse, text: string, more: object = {}) =>
  response.end(
    JSON.stringify({ choices: [{ message: { content: text }, ...more }], usage: { total_tokens: 321 } }),
  );

/** Says the text again with one change. */
const saying =
  (from: string | RegExp, to: string): Answering =>
  (response, { text }) =>
    void completed(response, text.replace(from, to));

/** The first of the briefs in every style, as it is stored after the model had its say. */
async function rendered(say: Answering, limits = {}, of: BriefEvidence = evidence) {
  answering = say;
  const clock = virtualClock('2026-02-08T09:00:00Z');
  const renderer = modelRenderer({
    address,
    model: 'made-up',
    key: 'secret-token',
    clock,
    limits: { ...modelLimits, failures: 99, ...limits },
  });
  const o = {
    computedAt: '2026-02-08T09:00:00Z',
    rawData: 'ii://covenant-stress/2026-02-07?ticker=MSTR',
    renderer,
  };
  const render = renderBriefs(of, o);
  const briefs: NaturalBrief[] = [];
  for (const style of briefStyles) briefs.push(await render(style));
  const [professional] = briefs;
  if (professional === undefined) throw new RangeError('there are four styles');
  return professional;
}

const baseline = compileBrief(evidence, 'professional');

describe('a model that may rephrase', () => {
  it('is served where every figure stays as it is', async () => {
    let key: string | undefined;
    const brief = await rendered((response, asked) => {
      key = asked.key;
      completed(response, asked.text.replace('shows debt of', 'reports debt of'));
    });
    expect(brief).toMatchObject({
      model: 'made-up',
      renderer_agent: 'language_model',
      renderer_mode: 'apex',
      fallback_reason: null,
      prompt_version: 'rephrase-1.0',
      tokens_used: 321,
      validation_status: 'passed',
    });
    expect(brief.natural_brief).toContain('reports debt of USD 8.2 B');
    expect(key).toBe('Bearer secret-token');
    expect(JSON.stringify(brief)).not.toContain('secret-token');
  });

  const refusals: readonly [string, string, Answering, object?][] = [
    ['never answers', 'apex_timeout', () => undefined, { answerMs: 50 }],
    [
      'begins an answer and stops',
      'apex_timeout',
      (response) => void response.write('{"choices":['),
      { answerMs: 50 },
    ],
    ['fails', 'apex_api_error', (response) => void response.writeHead(500).end('no')],
    ['is not JSON', 'apex_api_error', (response) => void response.end('<html>busy</html>')],
    [
      'cuts its body',
      'apex_api_error',
      (response) => {
        response.writeHead(200, { 'content-length': '5000' });
        response.write('{"choices":');
        response.destroy();
      },
    ],
    ['says too much', 'apex_api_error', (response) => void completed(response, 'x'.repeat(70_000))],
    ['says nothing', 'apex_empty_output', (response) => void completed(response, '  \n')],
    [
      'refuses',
      'apex_policy_blocked',
      (response) =>
        void response.end(
          JSON.stringify({ choices: [{ message: { content: null, refusal: 'I cannot.' } }] }),
        ),
    ],
    [
      'is filtered',
      'apex_policy_blocked',
      (response) => void completed(response, 'partly', { finish_reason: 'content_filter' }),
    ],
    [
      'advises',
      'apex_policy_blocked',
      saying('## Filing Evidence', 'Investors should buy.\n\n## Filing Evidence'),
    ],
    ['drops a heading', 'apex_malformed_markdown', saying('## Filing Evidence\n', '')],
    ['leaves emphasis open', 'apex_malformed_markdown', saying('Its risk', '**Its risk')],
    ['has a number of its own', 'apex_validation_failed', saying('USD 8.2 B', 'USD 8.4 B')],
    ['has another tier', 'apex_validation_failed', saying('risk tier is LOW', 'risk tier is HIGH')],
    ['leaves a caveat out', 'apex_validation_failed', saying(/^- Enterprise level.*$/m, '- None.')],
  ];

  it.each(refusals)('that %s leaves the baseline, %s', async (_, reason, say, limits = {}) => {
    const brief = await rendered(say, limits);
    expect(brief).toMatchObject({
      natural_brief: baseline,
      fallback_reason: reason,
      renderer_mode: 'deterministic_fallback',
      renderer_agent: 'deterministic_fallback',
      model: 'deterministic-template',
      tokens_used: 0,
      validation_status: 'passed',
      prompt_version: 'none',
    });
  });

  it('that gives an issuer the figure of another one leaves the baseline (I2.44 c)', async () => {
    const ranked = topStressedEvidence(sources, 5);
    const [first, second] = ranked.top_stressed.map((row) => ({
      ticker: row.ticker,
      value: ratioText(row.live_stress_50pct ?? row.stress_50pct),
    }));
    if (first === undefined || second === undefined) throw new RangeError('the golden slice ranks several');
    const swapped = await rendered(
      (response, { text }) =>
        void completed(
          response,
          text
            .replace(`1. ${first.ticker} ${first.value}`, `1. ${first.ticker} ${second.value}`)
            .replace(`2. ${second.ticker} ${second.value}`, `2. ${second.ticker} ${first.value}`),
        ),
      {},
      ranked,
    );
    expect(swapped).toMatchObject({
      fallback_reason: 'apex_validation_failed',
      natural_brief: compileBrief(ranked, 'professional'),
    });
    const kept = await rendered((response, { text }) => void completed(response, text), {}, ranked);
    expect(kept).toMatchObject({ fallback_reason: null, renderer_mode: 'apex' });
  });

  it('is asked no more after failures in a row, or once its time of the night is spent', async () => {
    calls = 0;
    await rendered((response) => void response.writeHead(503).end(), { failures: 2 });
    expect(calls).toBe(2);
    calls = 0;
    const brief = await rendered((response) => void response.end('{}'), { nightMs: 0 });
    expect([calls, brief.fallback_reason]).toEqual([0, 'apex_timeout']);
  });
});

describe('the environment', () => {
  const clock = virtualClock('2026-02-08T09:00:00Z');
  const url = 'https://model.example.com/v1';

  it('names no model, one that is off, or one that may rephrase', async () => {
    expect(configuredRenderer({}, clock).kind).toBe('none');
    const off = configuredRenderer({ II_BRIEF_MODEL_URL: url, II_BRIEF_MODEL: 'm' }, clock);
    expect(off.kind).toBe('off');
    const on = { II_BRIEF_MODEL_URL: url, II_BRIEF_MODEL: 'm', II_BRIEF_MODEL_ENABLED: 'true' };
    expect(configuredRenderer(on, clock).kind).toBe('model');
    const render = renderBriefs(evidence, {
      computedAt: '2026-02-08T09:00:00Z',
      rawData: '',
      renderer: off,
    });
    for (const style of briefStyles)
      expect(await render(style)).toMatchObject({
        fallback_reason: 'feature_flag_disabled',
        renderer_mode: 'deterministic_fallback',
      });
  });

  it.each([
    { II_BRIEF_MODEL_URL: 'http://model.example.com' },
    { II_BRIEF_MODEL_URL: 'https://user:secret@model.example.com' },
    { II_BRIEF_MODEL_URL: 'file:///etc/passwd' },
    { II_BRIEF_MODEL_URL: url, II_BRIEF_MODEL: '' },
    { II_BRIEF_MODEL_URL: url, II_BRIEF_MODEL: 'm', II_BRIEF_MODEL_ENABLED: 'yes' },
  ])('is refused where it cannot be right: %o', (environment) => {
    expect(() => configuredRenderer({ II_BRIEF_MODEL: 'm', ...environment }, clock)).toThrow(/has to be/);
  });
});
