import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bytes, object, rows } from '../../data/contract/payloads/stored.ts';
import { list, storedObject } from '../../data/contract/routes/answer.ts';
import { equals } from '../../data/contract/routes/filter.ts';
import * as p from '../../data/contract/routes/param.ts';
import { paid, type Route } from '../../data/contract/routes/route.ts';
import { routes as contractRoutes } from '../../data/contract/routes/routes.ts';
import type { Answer } from '../../fixtures/rigs/askServer.ts';
import { sampleMarket } from '../../fixtures/rigs/sampleMarket.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import type { Artifact } from '../../pipeline/release/artifact.ts';

// routes that no build has: the server answers them from their rows alone

const bucket = p.bucketLength;
const pressure = z.object({ product: z.string(), pressure: z.number() });
const pressureRows = rows({
  name: ({ slice, bucket_length }: { slice: string; bucket_length: string }) =>
    `made-up/${slice}/${bucket_length}`,
  row: pressure,
  columns: { product: (row) => row.product },
});
const pressureList = z.object({
  data: z.array(pressure),
  total: z.number(),
  filters: z.record(z.string(), z.unknown()),
});

const page = bytes({ subject: 'none', mediaType: 'text/html', key: ({ slice }) => `made-up/${slice}.html` });
const paper = bytes({
  subject: 'none',
  mediaType: 'application/pdf',
  key: ({ slice }) => `made-up/${slice}.pdf`,
});
const brief = object({ subject: 'none', schema: z.object({}), key: ({ slice }) => `made-up/${slice}.json` });
const state = object({
  subject: 'product',
  schema: z.object({}),
  key: ({ slice, product, bucket_length }: { slice: string; product: string; bucket_length: string }) =>
    `made-up/${slice}/${product}/${bucket_length}.json`,
});
const report = object({
  subject: 'issuer',
  schema: z.object({}),
  key: ({ slice, cik, variant }) => `made-up/${slice}/CIK${cik}${variant}.json`,
  variants: { include_segments: '+seg' },
});

const row = { status: 'live', schemaId: 'readiness.v1', micro: 50_000 } as const;
const madeUp: readonly Route[] = [
  paid({
    ...row,
    id: 'R90',
    path: '/v1/made-up/list',
    operationId: 'listMadeUp',
    params: [bucket, p.text('product', 1, 32, 'Only this product.'), p.limit(1, 10, 2), p.offset(100)],
    answer: list({
      payload: { schema: pressureList },
      rows: pressureRows,
      filters: [equals('product', 'product')],
      member: 'data',
      members: ({ page: { total }, filters }) => ({ total, filters }),
    }),
    description: 'A list.',
    examplePath: '/v1/made-up/list',
  }),
  paid({
    ...row,
    id: 'R91',
    path: '/v1/made-up/brief',
    operationId: 'getMadeUpBrief',
    params: [p.oneOf('format', ['html', 'json', 'pdf'], 'Representation.', 'json'), p.briefDate],
    answer: storedObject({ stored: { object: brief }, formats: { html: page, pdf: paper } }),
    description: 'A brief.',
    examplePath: '/v1/made-up/brief',
  }),
  paid({
    ...row,
    id: 'R92',
    path: '/v1/made-up/state/{product}',
    operationId: 'getMadeUpState',
    params: [p.productPath, bucket, p.sourceDate],
    answer: storedObject({ stored: { object: state } }),
    description: 'A state.',
    examplePath: '/v1/made-up/state/AI-PERP-INTX',
  }),
  paid({
    ...row,
    id: 'R93',
    method: 'POST',
    path: '/v1/made-up/report',
    operationId: 'postMadeUpReport',
    priceBand: { minMicroUsd: 45_000, maxMicroUsd: 75_000, statedAt: ['depth', 'price_micro_usd'] },
    params: [
      p.inBody(p.required(p.tickerQuery, 'MSTR')),
      p.inBody(p.flag('include_segments', 'Adds segments.')),
    ],
    answer: storedObject({ stored: { object: report } }),
    description: 'A report.',
    examplePath: '/v1/made-up/report',
  }),
];

const slice = '2026-02-07';
const html = Buffer.from(`<!doctype html><html lang="en"><h1>${'Coins '.repeat(300)}</h1></html>`);
const text = (key: string, value: string): Artifact => ({
  key,
  mediaType: 'application/json',
  bytes: Buffer.from(value),
  coded: false,
});
const lines = ['{"pressure":0.2,"product":"AI"}\n', '{"pressure":0.1,"product":"BTC"}\n'];
const artifacts: readonly Artifact[] = [
  { key: `made-up/${slice}.html`, mediaType: 'text/html', bytes: html, coded: false },
  { key: `made-up/${slice}.pdf`, mediaType: 'application/pdf', bytes: Buffer.from('%PDF-1.7'), coded: false },
  text(`made-up/${slice}.json`, '{"headline":"One issuer is CRITICAL."}'),
  text(`made-up/${slice}/AI-PERP-INTX/1d.json`, '{"pressure":0.2}'),
  text(`made-up/${slice}/CIK0001050446.json`, '{"depth":{"price_micro_usd":45000}}'),
  text(`made-up/${slice}/CIK0001050446+seg.json`, '{"depth":{"price_micro_usd":50000}}'),
  text(`made-up/${slice}/CIK0001507605.json`, '{"depth":{"price_micro_usd":76000}}'),
  { ...text(`made-up/${slice}/1d.ndjson`, lines.join('')), mediaType: 'application/x-ndjson' },
  ...sampleMarket({ sourceDate: slice }),
];

let rig: Rig;
let key: string;
beforeEach(async () => {
  rig = await serveRig({ routes: [...contractRoutes, ...madeUp] });
  const release = rig.release({ sourceDate: slice, more: artifacts });
  rig.promote(release, { [slice]: release });
  key = await rig.key();
});
afterEach(() => rig.close());

const withKey = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  rig.ask(path, { headers: { 'x-api-key': key, ...headers } });
const post = (body: object, paidFor = true) =>
  rig.ask('/v1/made-up/report', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(paidFor ? { 'x-api-key': key } : {}) },
    body: Buffer.from(JSON.stringify(body)),
  });
const digest = (content: Uint8Array) => `sha-256=:${createHash('sha256').update(content).digest('base64')}:`;
const metadata = (answer: Answer) => answer.json()['response_metadata'] as Record<string, unknown>;

describe('a list that its row describes', () => {
  it('is a page of stored rows, with the members of the row around it', async () => {
    const answer = await withKey('/v1/made-up/list?limit=1');
    expect(answer.json()).toMatchObject({ data: [{ product: 'AI' }], total: 2, filters: {} });
    expect(metadata(answer)).toMatchObject({ artifact_key: `made-up/${slice}/1d.ndjson`, product: null });
  });

  it('filters by the column the row names, and shows the filter', async () => {
    const answer = await withKey('/v1/made-up/list?product=BTC');
    expect(answer.json()).toMatchObject({
      data: [{ product: 'BTC' }],
      total: 1,
      filters: { product: 'BTC' },
    });
  });

  it('takes parameters into the key of its store', async () => {
    expect((await withKey('/v1/made-up/list?bucket_length=1h')).json()).toMatchObject({ status: 503 });
  });
});

describe('an opaque answer', () => {
  it('is the bytes of the artifact, with digest, policy, strong tag and the receipt in headers (I4.R28.4)', async () => {
    const answer = await withKey('/v1/made-up/brief?format=html');
    expect([answer.status, answer.bytes]).toEqual([200, html]);
    const header = (name: string) => answer.headers.get(name);
    expect(header('content-type')).toBe('text/html; charset=utf-8');
    expect(header('etag')).toMatch(/^"[0-9a-f]{32}"$/);
    expect([header('content-digest'), header('repr-digest'), header('x-artifact-digest')]).toEqual([
      digest(html),
      digest(html),
      digest(html),
    ]);
    expect(header('content-security-policy')).toContain("default-src 'none'");
    expect(header('x-receipt-id')).toMatch(/^rcpt_/);
    expect([header('x-charge-status'), header('x-cost-usd')]).toEqual(['not_charged', '0.000000']);
    expect(header('x-payload-length')).toBeUndefined();
    expect(rig.notes).toHaveLength(1);
  });

  it('is coded under a tag of its own, which a second call may name to get 304', async () => {
    const coded = await withKey('/v1/made-up/brief?format=html', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(coded.bytes)).toEqual(html);
    const tag = coded.headers.get('etag') ?? '';
    expect(tag).toMatch(/-gz"$/);
    const again = await withKey('/v1/made-up/brief?format=html', {
      'accept-encoding': 'gzip',
      'if-none-match': tag,
    });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('has the media type of its format, and JSON keeps its envelope', async () => {
    const pdf = await withKey('/v1/made-up/brief?format=pdf', { 'accept-encoding': 'gzip' });
    expect([pdf.headers.get('content-type'), pdf.bytes.toString()]).toEqual(['application/pdf', '%PDF-1.7']);
    expect(pdf.headers.get('content-encoding')).toBeUndefined();
    const json = await withKey('/v1/made-up/brief');
    expect(json.json()).toMatchObject({
      headline: 'One issuer is CRITICAL.',
      billing_mode: 'api_key_not_charged',
    });
  });

  it('is offered unpaid with its media type and price, and never sent', async () => {
    const unpaid = await rig.ask('/v1/made-up/brief?format=html');
    expect(unpaid.json()).toMatchObject({
      status: 402,
      resource: { mimeType: 'text/html' },
      quoted_micro_usd: 50_000,
    });
    expect(rig.notes).toEqual([]);
  });
});

describe('the object of a product', () => {
  it('is named by the product in the envelope', async () => {
    const answer = await withKey('/v1/made-up/state/ai-perp-intx');
    expect(answer.json()).toMatchObject({ pressure: 0.2 });
    expect(metadata(answer)).toMatchObject({ product: 'AI-PERP-INTX', ticker: null });
  });

  it('is missed under the name of the product, unpaid too', async () => {
    const answer = await rig.ask('/v1/made-up/state/NOPE');
    expect(answer.json()).toMatchObject({ status: 404, reason_code: 'unknown_product', product: 'NOPE' });
  });
});

describe('an answer whose artifact states the price', () => {
  it('is quoted at that price, in the 402 and on the receipt (I4.R29.4)', async () => {
    const quoted = async (body: object) => (await post(body, false)).json()['quoted_micro_usd'];
    expect(await quoted({ ticker: 'mstr' })).toBe(45_000);
    expect(await quoted({ ticker: 'MSTR', include_segments: true })).toBe(50_000);
    expect((await post({ ticker: 'MSTR', include_segments: true })).json()).toMatchObject({
      quoted_cost_usd: 0.05,
      settlement_receipt: { quoted_cost_usd: 0.05, charged_amount_usdc: '0.000000' },
    });
  });

  it('describes its JSON body to discovery clients (P2.11)', async () => {
    const challenge = (await post({ ticker: 'mstr' }, false)).json();
    const { info } = (challenge['extensions'] as { bazaar: { info: { input: object } } }).bazaar;
    expect(info.input).toMatchObject({ method: 'POST', bodyType: 'json', body: { ticker: 'MSTR' } });
  });

  it('is not served at a price outside the band: 503, nothing written', async () => {
    expect((await post({ ticker: 'MARA' })).json()).toMatchObject({
      status: 503,
      code: 'artifact_unavailable',
    });
    expect(rig.notes).toEqual([]);
  });
});

describe('the route table', () => {
  it('says of every live route how it is answered, and of no other', () => {
    const unanswered = contractRoutes.filter(
      ({ status, answer, family }) => status === 'live' && answer === null && family !== 'mcp',
    );
    expect(unanswered.map(({ id }) => id)).toEqual([]);
  });

  it('leaves seven answers to code of their own', () => {
    const own = contractRoutes.filter(({ answer, family }) => answer?.kind === 'own' && family === 'v1');
    expect(own.map(({ id }) => id)).toEqual(['R02', 'R03', 'R07', 'R20', 'R21', 'R24', 'R29', 'R30']);
  });
});
