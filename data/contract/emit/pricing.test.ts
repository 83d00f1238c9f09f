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
    expect(reportOf(routes)).toContain('GET /v1/company-report/{ticker}');
    const pending = routes.map((route) =>
      route.id === 'R29' ? { ...route, status: 'pending' as const } : route,
    );
    expect(reportOf(pending)).not.toContain('GET /v1/company-report/{ticker}');
  });
});

describe('the price of a report (I4.R29.4)', () => {
  it('is a band with the rule behind it: parts of which every price is a sum', () => {
    const entries = emitPricing(documentationDeployment).routes.filter(({ id }) =>
      ['R29', 'R30'].includes(id),
    );
    expect(entries).toHaveLength(2);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        price: '$0.60',
        price_range: '$0.45-$0.75',
        price_range_usd: { min: 0.45, max: 0.75 },
        recommended_display_price_usd: 0.6,
      });
      const parts = entry.price_components ?? [];
      expect(parts.map(({ component, usd }) => [component, usd])).toEqual([
        ['base', 0.45],
        ['field_map', 0.15],
        ['segments', 0.05],
        ['related_party', 0.05],
        ['full', 0.05],
      ]);
      for (const { condition } of parts) expect(condition).toMatch(/^[A-Zo].*\.$/);
    }
  });
});
