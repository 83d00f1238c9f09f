import { describe, expect, it } from 'vitest';
import { deprecationFault } from './deprecation.ts';
import { priceChangeFault } from './priceChange.ts';
import { routeUri } from './route.ts';
import { liveRoutes, routes } from './routes.ts';

// USD prices of the base specification, "Endpoints", in its order; * marks a mirrored row
const specified = `
R01 GET /v1/readiness 0.04 *
R02 GET /v1/daily-changes/latest 0.03 *
R03 GET /v1/daily-changes/evidence 0.03
R04 GET /v1/risk-distribution 0.04 *
R05 GET /v1/top-stressed 0.05 *
R06 GET /v1/alpha-opportunities 0.05 *
R07 GET /v1/alpha-opportunities/audit 0.03 *
R08 GET /v1/company-fundamentals/{ticker} 0.05 *
R09 GET /v1/alpha-signals/{ticker} 0.07 *
R10 GET /v1/peer-ranking/{ticker} 0.06 *
R11 GET /v1/covenant-stress/{ticker} 0.10 *
R12 GET /v1/covenant-stress 0.08 *
R13 GET /v1/market-core/perps/constituents/{product} 0.08
R14 GET /v1/market-core/perps/factors/{product} 0.10
R15 GET /v1/market-core/perps/calculation-history 0.20
R16 GET /v1/market-core/perps/rankings 0.12
R17 GET /v1/spectra-field-map/{ticker} 0.08
R18 GET /v1/market-spectra-field-map/{product} 0.08
R19 GET /v1/synthetic-etf/pressure-state/{product} 0.12
R20 GET /v1/synthetic-etf/audit/{product} 0.20
R21 GET /v1/synthetic-etf/audit/{product}/export 0.20
R22 GET /v1/synthetic-etf/audit/{product}/thresholds 0.20
R23 GET /v1/core-history/{ticker} 0.15
R24 GET /v1/core7/calculation-history 0.20
R25 GET /v1/morning-brief/natural 0.95
R26 GET /v1/top-stressed/natural 0.95
R27 GET /v1/covenant-stress/natural 1.20
R28 GET /v1/daily-brief/public 4.50
R29 GET /v1/company-report/{ticker} 0.60
R30 POST /v1/bundles/company-report 0.60
R31 POST /mcp 0.04`
  .trim()
  .split('\n')
  .map((line) => {
    const [id, method, path, usd, mirrored] = line.split(' ');
    return { id, uri: `${method} ${path}`, micro: Math.round(Number(usd) * 1e6), mirrored: mirrored === '*' };
  });

describe('route table', () => {
  it('has the priced rows of the base specification at their prices', () => {
    const ids = new Set(specified.map((r) => r.id));
    const priced = routes.filter((r) => ids.has(r.id));
    expect(
      priced.map((r) => ({
        id: r.id,
        uri: routeUri(r),
        micro: r.priceMicroUsd,
        mirrored: r.mirroredBy !== null,
      })),
    ).toEqual(specified);
  });

  it('mirrors each row that says so, in its order, with the price and parameters of the twin (I4.M.1)', () => {
    const mirrors = routes.filter((r) => r.family === 'mpp');
    expect(mirrors.map((r) => r.id)).toEqual(
      Array.from({ length: mirrors.length }, (_, i) => `M${String(i + 1).padStart(2, '0')}`),
    );
    expect(mirrors.map((r) => r.mirrorOf)).toEqual(
      routes.filter((r) => r.mirroredBy !== null).map((r) => r.id),
    );
    for (const mirror of mirrors) {
      const twin = routes.find((r) => r.id === mirror.mirrorOf);
      expect(mirror).toMatchObject({
        path: `/mpp${twin?.path}`,
        priceMicroUsd: twin?.priceMicroUsd,
        params: twin?.params,
      });
      expect(twin?.mirroredBy).toBe(mirror.id);
    }
    expect(mirrors.map((r) => r.operationId)).toContain('mppScreenCovenantStress');
  });

  it('has twenty-eight free rows', () => {
    const free = routes.filter((r) => r.family === 'free');
    const numbers = Array.from({ length: 28 }, (_, i) => i + 1);
    expect(free.map((r) => r.id)).toEqual(numbers.map((n) => `F${String(n).padStart(2, '0')}`));
  });

  it('names every route, operation and path once', () => {
    for (const key of ['id', 'operationId'] as const)
      expect(new Set(routes.map((r) => r[key])).size).toBe(routes.length);
    expect(new Set(routes.map(routeUri)).size).toBe(routes.length);
  });

  it('declares each path parameter of a template, and no other', () => {
    for (const route of routes) {
      const inTemplate = [...route.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]);
      expect(
        route.params.filter((p) => p.in === 'path').map((p) => p.name),
        route.id,
      ).toEqual(inTemplate);
    }
  });

  it('prices whole cents, so that credits are integers', () => {
    for (const route of routes) expect(route.priceMicroUsd % 10_000, route.id).toBe(0);
  });

  it('announces no change of price that breaks the contract (I9.5)', () => {
    expect(routes.map(priceChangeFault).filter((fault) => fault !== null)).toEqual([]);
  });

  it('ends no route against the contract (I9.4)', () => {
    const faults = routes.map((route) => deprecationFault(route, routes));
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });

  it('still serves what version 1.0.0 served: issuers, their history and last night, grants and card checkout', () => {
    const live = liveRoutes.map((r) => r.id);
    const served = `R01 R02 R03 R04 R05 R06 R07 R08 R09 R10 R11 R12 R17 R23 R24
      M01 M02 M03 M04 M05 M06 M07 M08 M09 M10 M11
      F01 F02 F03 F04 F05 F06 F07 F08 F09 F10 F12 F13 F14 F15 F16 F17`;
    expect(live).toEqual(expect.arrayContaining(served.split(/\s+/)));
  });
});
