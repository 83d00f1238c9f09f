import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Deprecation } from '../data/contract/routes/route.ts';
import { routes } from '../data/contract/routes/routes.ts';
import { type Rig, serveRig } from '../fixtures/rigs/serveRig.ts';

const deprecation: Deprecation = {
  announcedAt: '2026-01-01T00:00:00Z',
  sunsetAt: '2026-06-30T00:00:00Z',
  successor: '/v1/company-fundamentals/{ticker}',
};
const table = routes.map((route) => (route.id === 'R11' ? { ...route, deprecation } : route));

let rig: Rig;
beforeEach(async () => {
  rig = await serveRig({ routes: table });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
});
afterEach(() => rig.close());

const endOf = (headers: ReadonlyMap<string, string>) =>
  ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));

describe('a route whose end is announced (I9.4, A9.8)', () => {
  const announced = (ticker: string) => [
    '@1767225600',
    'Tue, 30 Jun 2026 00:00:00 GMT',
    `<http://127.0.0.1:8402/v1/pricing>; rel="deprecation", <http://127.0.0.1:8402/v1/company-fundamentals/${ticker}>; rel="successor-version"`,
  ];

  it('says so with every answer, paid, unpaid or refused, and no other route does', async () => {
    const key = await rig.key();
    const path = '/v1/covenant-stress/MSTR';
    const unpaid = await rig.ask(path);
    expect([unpaid.status, endOf(unpaid.headers)]).toEqual([402, announced('MSTR')]);
    const paid = await rig.ask(path, { headers: { 'x-api-key': key } });
    expect([paid.status, endOf(paid.headers)]).toEqual([200, announced('MSTR')]);
    const refused = await rig.ask(`${path}?nothing=1`);
    expect([refused.status, endOf(refused.headers)]).toEqual([400, announced('MSTR')]);
    const missed = await rig.ask('/v1/covenant-stress/ZZZZZ');
    expect([missed.status, endOf(missed.headers)]).toEqual([404, announced('ZZZZZ')]);
    expect(endOf((await rig.ask('/v1/readiness')).headers)).toEqual([undefined, undefined, undefined]);
  });

  it('is marked in pricing and OpenAPI', async () => {
    const { routes: entries } = (await rig.ask('/v1/pricing')).json() as { routes: { id: string }[] };
    expect(entries.find(({ id }) => id === 'R11')).toMatchObject({
      deprecated: true,
      replaced_by: deprecation.successor,
    });
    expect(entries.find(({ id }) => id === 'R01')).toMatchObject({ deprecated: false, replaced_by: null });
    const { paths } = (await rig.ask('/openapi.json')).json() as { paths: Record<string, { get?: object }> };
    expect(paths['/v1/covenant-stress/{ticker}']?.get).toMatchObject({
      deprecated: true,
      'x-replaced-by': deprecation.successor,
      'x-sunset': deprecation.sunsetAt,
    });
    expect(paths['/v1/readiness']?.get).not.toHaveProperty('deprecated');
  });

  it('is no route from its end on, in documents neither', async () => {
    rig.clock.nowMs = Date.parse(deprecation.sunsetAt) - 1;
    expect((await rig.ask('/v1/covenant-stress/MSTR')).status).toBe(402);
    rig.clock.nowMs += 1;
    for (const path of ['/v1/covenant-stress/MSTR', '/v1/covenant-stress/MSTR?nothing=1']) {
      const gone = await rig.ask(path);
      expect(gone.status).toBe(404);
      expect(gone.json()).toMatchObject({
        code: 'route_not_found',
        canonical_path: '/v1/company-fundamentals/MSTR',
      });
      expect(endOf(gone.headers)).toEqual([undefined, undefined, undefined]);
    }
    const { paths } = (await rig.ask('/openapi.json')).json() as { paths: Record<string, object> };
    expect(paths).not.toHaveProperty('/v1/covenant-stress/{ticker}');
    expect(paths).toHaveProperty('/v1/covenant-stress');
  });
});
