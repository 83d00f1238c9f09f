import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceIndex } from '../../data/contract/emit/serviceIndex.ts';
import { liveRoutes } from '../../data/contract/routes/routes.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';

// GET / and /samples/{operation_id}: the first two addresses of a buyer (I4.F18.1, I4.F20.1)

let rig: Rig;
beforeAll(async () => {
  rig = await serveRig();
});
afterAll(() => rig.close());

describe('GET /', () => {
  it('answers before anything is published, and then with the age of the slice', async () => {
    expect((await rig.ask('/')).json()).toMatchObject({ source_date: null, age_minutes: null });
    const release = rig.release({ sourceDate: '2026-02-07', computedAt: '2026-02-07T09:30:00Z' });
    rig.promote(release, { '2026-02-07': release });
    const index = serviceIndex.parse((await rig.ask('/')).json());
    expect(index).toMatchObject({ source_date: '2026-02-07', age_minutes: 30 });
  });

  it('links only what answers as it stands, under relations that differ', async () => {
    const { links } = serviceIndex.parse((await rig.ask('/')).json());
    const plain = links.filter(({ href }) => !href.includes('{'));
    const answers = await Promise.all(plain.map(({ href }) => rig.ask(href)));
    expect(answers.map(({ status }) => status)).toEqual(plain.map(() => 200));
    expect(answers.map(({ headers }) => headers.get('content-type')?.split(';')[0])).toEqual(
      plain.map(({ type }) => type),
    );
    expect(links.map(({ rel, href }) => `${rel} ${href}`)).toEqual([
      'pricing /v1/pricing',
      'fields /v1/contract/fields',
      'service-doc /help',
      'service-desc /openapi.json',
      'companies /companies',
      'health /health',
      'status /ready',
      'x402 /.well-known/x402',
      'llms /llms.txt',
      'artifact-manifest /.well-known/artifact-manifest.json',
      'self /',
      'reference /reference',
      'samples /samples/getCovenantStress',
      'mcp /.well-known/mcp.json',
      'arazzo /arazzo.json',
      'did /.well-known/did.json',
      'agent-card /.well-known/agent-card.json',
      'server /server.json',
      'robots /robots.txt',
      'favicon /favicon.ico',
    ]);
  });
});

describe('the doors other programs look for', () => {
  it('answer with their own media types, and there is no contact where nobody is named (I4.F27.1)', async () => {
    const typeOf = async (path: string) => {
      const { status, headers } = await rig.ask(path);
      return `${status} ${headers.get('content-type')}`;
    };
    expect(await typeOf('/.well-known/did.json')).toBe('200 application/json; charset=utf-8');
    expect(await typeOf('/robots.txt')).toBe('200 text/plain; charset=utf-8');
    expect(await typeOf('/favicon.ico')).toBe('200 image/vnd.microsoft.icon');
    expect((await rig.ask('/.well-known/security.txt')).json()).toMatchObject({ code: 'route_not_found' });
    const named = await serveRig({ environment: { II_SECURITY_CONTACT: 'mailto:security@example.com' } });
    const told = await named.ask('/.well-known/security.txt');
    expect(told.bytes.toString('utf8')).toMatch(/^Contact: mailto:security@example\.com\nExpires: 20/);
    expect(JSON.stringify((await named.ask('/')).json())).toContain('/.well-known/security.txt');
    await named.close();
  });
});

describe('GET /samples/{operation_id}', () => {
  it('shows a whole answer of every priced live operation, marked first, also under the name of its mirror', async () => {
    // tools answer with the payloads of other routes
    const sold = liveRoutes.filter(({ priceMicroUsd, family }) => priceMicroUsd > 0 && family !== 'mcp');
    for (const { operationId } of sold) {
      const answer = await rig.ask(`/samples/${operationId}`);
      expect(answer.status, operationId).toBe(200);
      expect(answer.bytes.toString('utf8')).toMatch(/^\{"sample":true,".*"settlement_receipt":/);
    }
    const [twin, mirror] = await Promise.all(
      ['getCovenantStress', 'mppGetCovenantStress'].map((id) => rig.ask(`/samples/${id}`)),
    );
    expect(mirror?.bytes.equals(twin?.bytes ?? Buffer.of())).toBe(true);
  });

  it('is a 404 that names the nearest operation for one that is unknown or free', async () => {
    const answer = await rig.ask('/samples/getCovenantStres');
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({
      code: 'not_found',
      reason_code: 'sample_unknown',
      suggestions: expect.arrayContaining(['getCovenantStress']),
    });
    expect((await rig.ask('/samples/getHelp')).json()).toMatchObject({ reason_code: 'sample_unknown' });
    expect((await rig.ask('/samples/..%2F..%2Fpackage')).json()).toMatchObject({ code: 'invalid_parameter' });
  });

  it('shows the sample of the daily brief to a browser as its page, marked as a sample, and other samples as JSON', async () => {
    const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
    const page = await rig.ask('/samples/getDailyBriefPublic', { headers: { accept } });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('vary')).toBe('Accept, Accept-Encoding');
    const markup = page.bytes.toString('utf8');
    expect(markup.match(/<header>\n<p class="quiet">Sample: [^<]*<\/p>/g)).toHaveLength(1);
    const { html } = (await rig.ask('/samples/getDailyBriefPublic')).json() as { html: string };
    expect(markup.replace(/<p class="quiet">Sample: [^<]*<\/p>/, '').replace('<header>\n', '<header>')).toBe(
      html,
    );
    const issuer = await rig.ask('/samples/getCompanyReport', { headers: { accept } });
    expect(issuer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(issuer.bytes.toString('utf8')).toMatch(
      /Sample: [^<]*<\/p>[\s\S]*<h1>Strategy Inc is LOW at live prices/,
    );
    const other = await rig.ask('/samples/getCovenantStress', { headers: { accept } });
    expect(other.headers.get('content-type')).toMatch(/^application\/json/);
  });
});

it('lets the reference page run its search, by its hash, and nothing else (I4.F18.1)', async () => {
  const { headers, bytes } = await rig.ask('/reference');
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(bytes.toString('utf8')) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'sha256-[^;' ]+'; /,
  );
  expect(headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}';`);
});
