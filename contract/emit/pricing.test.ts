import { describe, expect, it } from 'vitest';
import { routes } from '../routes/routes.ts';
import { documentationDeployment } from './deployment.ts';
import { emitPricing } from './pricing.ts';

type Program = { readonly recommended_default_routes: readonly string[] };

const reportOf = (table: typeof routes) => {
  const { grant_programs: programs } = emitPricing(documentationDeployment, table);
  return (programs['design_partner_alpha'] as unknown as Program).recommended_default_routes;
};

describe('grant programs in the pricing document (I5.43)', () => {
  it('show of their default routes those that answer', () => {
    expect(reportOf(routes)).toContain('GET /v1/readiness');
    expect(reportOf(routes)).not.toContain('GET /v1/company-report/{ticker}');
    const live = routes.map((route) => (route.id === 'R29' ? { ...route, status: 'live' as const } : route));
    expect(reportOf(live)).toContain('GET /v1/company-report/{ticker}');
  });
});
