import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ready } from '../../data/contract/emit/operations.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { type LandingFigures, landing } from '../../data/contract/payloads/universe/landing.ts';
import { object } from '../../fixtures/rigs/sampleSlice.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';

// the page of GET / (I4.F18.1, V58)

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const figures: LandingFigures = {
  source_date: '2026-02-07',
  computed_at_utc: '2026-02-07T07:12:40Z',
  issuer_count: 3,
  critical: { live: 1, filing: 0 },
  bands: { moderate: 0.5, high: 0.65, critical: 1, covenant: 0.65 },
  ladder: [landing.schema.shape.ladder.element.parse(covenantStress.example)],
  example_ticker: 'MSTR',
};

let rig: Rig;
beforeAll(async () => {
  rig = await serveRig();
});
afterAll(() => rig.close());

const publish = (build: number, more: Parameters<Rig['release']>[0]['more'] = []) => {
  const release = rig.release({ sourceDate: '2026-02-07', build, more });
  rig.promote(release, { '2026-02-07': release });
};

describe('the page of GET /', () => {
  it('stands before anything is published, runs nothing and asks for nothing', async () => {
    const { status, headers, bytes } = await rig.ask('/', { headers: html });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline';/);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(bytes.toString('utf8')).toContain('<dt>Last night</dt><dd>none yet</dd>');
    const json = await rig.ask('/');
    expect(json.headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(json.json()).toMatchObject({ service: 'issuer_intelligence' });
  });

  it('says so where a slice was published without its figures, and shows them when a build has them', async () => {
    publish(1);
    const without = await rig.ask('/', { headers: html });
    expect(without.bytes.toString('utf8')).toContain('was published without these figures');
    publish(2, [object(landing.key({ slice: '2026-02-07' }), figures)]);
    const shown = await rig.ask('/', { headers: html });
    expect(shown.bytes.toString('utf8')).toContain('<dt>Companies covered</dt><dd>3</dd>');
    expect(shown.headers.get('etag')).not.toBe(without.headers.get('etag'));
  });

  it('has a strong tag and comes compressed', async () => {
    const { headers } = await rig.ask('/', { headers: html });
    const tag = headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await rig.ask('/', { headers: { ...html, 'if-none-match': tag } })).status).toBe(304);
    const coded = await rig.ask('/', { headers: { ...html, 'accept-encoding': 'gzip' } });
    expect(coded.headers.get('content-encoding')).toBe('gzip');
  });

  it('shows the 402 that the server sends to the call beside it', async () => {
    const page = (await rig.ask('/', { headers: html })).bytes.toString('utf8');
    const [command = '', answer = ''] = [...page.matchAll(/<pre [^>]*><code>(.*?)<\/code>/gs)].map(
      ([, shown = '']) => shown.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
    );
    const [head = '', body = ''] = answer.split('\n\n');
    const [statusLine, header = ''] = head.split('\n');
    const asked = await rig.ask(new URL(command.trim().split(' ').at(-1) ?? '').pathname);
    expect(asked.status).toBe(402);
    expect(statusLine).toBe('HTTP/1.1 402 Payment Required');
    const [name = '', value] = header.split(': ');
    expect(asked.headers.get(name.toLowerCase())).toBe(value);
    const { accepts: shown402, ...members } = JSON.parse(body);
    const { accepts, ...sent } = asked.json() as { accepts: unknown[] };
    expect(sent).toMatchObject(members);
    expect(shown402).toEqual(accepts.slice(0, 1));
  });

  it('is a 503 where the stored figures are none', async () => {
    publish(3, [object(landing.key({ slice: '2026-02-07' }), { source_date: '2026-02-07' })]);
    expect((await rig.ask('/', { headers: html })).json()).toMatchObject({ code: 'artifact_unavailable' });
  });

  it('says how old the slice is nine months later, as /ready does, and is another document each day', async () => {
    const ready = async () => {
      const { slice_age_days, checks } = (await rig.ask('/ready')).json() as Ready;
      return [slice_age_days, checks.slice];
    };
    const tagOf = async () => (await rig.ask('/', { headers: html })).headers.get('etag');
    publish(4, [object(landing.key({ slice: '2026-02-07' }), figures)]);
    const tag = await tagOf();
    expect(await ready()).toEqual([0, { status: 'ok', detail: null }]);
    rig.clock.nowMs = Date.parse('2026-11-25T05:05:14Z');
    const page = (await rig.ask('/', { headers: html })).bytes.toString('utf8');
    expect(page).toMatch(/<dt>Last slice<\/dt><dd>.*2026-02-07.*291 days old/);
    expect(page).not.toContain('Last night');
    const detail = 'the newest slice, 2026-02-07, is 291 days old';
    expect(await ready()).toEqual([291, { status: 'ok', detail }]);
    const old = await tagOf();
    rig.clock.nowMs += 86_400_000;
    expect(new Set([tag, old, await tagOf()]).size).toBe(3);
  });
});
