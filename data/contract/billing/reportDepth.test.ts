import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advisoryLeg,
  type LegName,
  legNames,
  reportDepth,
  reportPrices,
  requiredLegs,
} from './reportDepth.ts';

const depthOf = (
  legs: readonly LegName[],
  asked: { mapped?: boolean; segments?: boolean; relatedParty?: boolean; full?: boolean } = {},
) =>
  reportDepth({
    legs: new Set(legs),
    mapped: true,
    segments: false,
    relatedParty: false,
    full: false,
    ...asked,
  });
const all = [...legNames];
const without = (...left: LegName[]) => all.filter((name) => !left.includes(name));

describe('the depth of a report (I4.R29.3)', () => {
  it('is 45 to 75 cents, 60 for all seven legs', () => {
    expect(reportPrices).toEqual({ least: 450_000, usual: 600_000, most: 750_000 });
    expect(depthOf(all)).toEqual({
      points: 60,
      price_usd: 0.6,
      price_micro_usd: 600_000,
      components: ['base', 'field_map'],
    });
    expect(depthOf(all, { full: true })?.points).toBe(65);
    expect(depthOf(all, { segments: true, relatedParty: true, full: true })).toMatchObject({
      price_usd: 0.75,
      components: ['base', 'field_map', 'segments', 'related_party', 'full'],
    });
  });

  it('is 45 cents exactly without a required leg, whatever was asked for', () => {
    for (const missing of ['readiness', 'alpha_signals', 'peer_ranking'] as const)
      for (const full of [false, true])
        expect(depthOf(without(missing), { full, segments: true, relatedParty: true })).toEqual({
          points: 45,
          price_usd: 0.45,
          price_micro_usd: 450_000,
          components: ['base'],
        });
  });

  it('counts no points of a map that is not there', () => {
    expect(depthOf(without(advisoryLeg), { full: true })?.components).toEqual(['base']);
    expect(depthOf(without(advisoryLeg), { segments: true })?.points).toBe(50);
    // a map whose figures are all null holds nothing
    expect(depthOf(all, { mapped: false, full: true })?.components).toEqual(['base']);
  });

  it('is none with less than the base', () => {
    expect(depthOf(without('covenant_stress'))).toBeNull();
    expect(depthOf(without('company_fundamentals'))).toBeNull();
    expect(depthOf(['company_fundamentals', 'covenant_stress', advisoryLeg])).toBeNull();
    expect(depthOf(['company_fundamentals', 'covenant_stress', 'readiness'])?.points).toBe(45);
  });

  it('lies in the band, is partial at the least price alone, and never falls when a leg is added', () => {
    const asked = fc.record({ segments: fc.boolean(), relatedParty: fc.boolean(), full: fc.boolean() });
    fc.assert(
      fc.property(fc.subarray(all), fc.constantFrom(...all), asked, (legs, added, flags) => {
        const depth = depthOf(legs, flags);
        const more = depthOf([...legs, added], flags);
        if (depth === null) return;
        expect(depth.price_micro_usd).toBeGreaterThanOrEqual(reportPrices.least);
        expect(depth.price_micro_usd).toBeLessThanOrEqual(reportPrices.most);
        expect(depth.price_micro_usd).toBe(depth.points * 10_000);
        if (!requiredLegs.every((name) => legs.includes(name))) expect(depth.points).toBe(45);
        expect(more?.points).toBeGreaterThanOrEqual(depth.points);
      }),
    );
  });
});
