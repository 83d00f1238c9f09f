import { describe, expect, it } from 'vitest';
import { routes } from '../../../data/contract/routes/routes.ts';
import { codedBytes, openBodies } from '../../body/openBodies.ts';
import { storedPrice } from './servable.ts';

const routeOf = (id: string) => {
  const found = routes.find((route) => route.id === id);
  if (found === undefined) throw new RangeError(id);
  return found;
};
const entry = {
  key: 'company-report/2026-02-07/CIK0001050446/compact.json',
  version: '2026-02-07+0f3c4a5d6e7b',
  sha256: '0'.repeat(64),
  bytes: 1,
  media_type: 'application/json',
  source_date: '2026-02-07',
};
const stored = (text: string) => ({ entry, bodies: openBodies({ open: Buffer.from(text.slice(0, -1)) }) });

describe('the price of an answer', () => {
  it('is the price of the route where the route has no band', () => {
    expect(storedPrice(routeOf('R11'), stored('{"ticker":"MSTR"}'))).toEqual({
      microUsd: 100_000,
      components: null,
    });
  });

  it('is what the artifact states on a route with a band (P1.5)', () => {
    const report =
      '{"data":{"depth":{"components":["base","field_map","full"],"price_micro_usd":650000}},"mcp_summary":"MSTR"}';
    expect(storedPrice(routeOf('R29'), stored(report))).toEqual({
      microUsd: 650_000,
      components: [
        { component: 'base', usd: 0.45 },
        { component: 'field_map', usd: 0.15 },
        { component: 'full', usd: 0.05 },
      ],
    });
  });

  it.each([
    ['no depth', '{"data":{}}'],
    ['no data', '{"mcp_summary":"MSTR"}'],
    ['a text', '{"data":{"depth":{"price_micro_usd":"650000"}}}'],
    ['less than the band', '{"data":{"depth":{"price_micro_usd":449999}}}'],
    ['more than the band', '{"data":{"depth":{"price_micro_usd":750001}}}'],
    ['no parts', '{"data":{"depth":{"price_micro_usd":600000}}}'],
    ['parts of another sum', '{"data":{"depth":{"components":["base"],"price_micro_usd":600000}}}'],
    ['a part twice', '{"data":{"depth":{"components":["base","base"],"price_micro_usd":450000}}}'],
    ['an unknown part', '{"data":{"depth":{"components":["base","gold"],"price_micro_usd":450000}}}'],
  ])('is refused with 503 before anything is charged: %s', (_, text) => {
    expect(() => storedPrice(routeOf('R29'), stored(text))).toThrow(
      expect.objectContaining({ code: 'artifact_unavailable' }),
    );
  });

  it('is refused for opaque bytes of a route with a band: they state none', () => {
    expect(() => storedPrice(routeOf('R29'), { entry, bytes: codedBytes(Buffer.from('%PDF')) })).toThrow(
      expect.objectContaining({ code: 'artifact_unavailable' }),
    );
  });
});
