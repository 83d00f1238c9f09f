import { describe, expect, it } from 'vitest';
import { routes } from '../../contract/routes/routes.ts';
import { codedBytes } from '../body/codedBytes.ts';
import { openBodies } from '../body/openBodies.ts';
import { storedPrice } from './storedPrice.ts';

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
    expect(storedPrice(routeOf('R11'), stored('{"ticker":"MSTR"}'))).toBe(100_000);
  });

  it('is what the artifact states on a route with a band (P1.5)', () => {
    const report = '{"data":{"depth":{"points":65,"price_micro_usd":650000}},"mcp_summary":"MSTR"}';
    expect(storedPrice(routeOf('R29'), stored(report))).toBe(650_000);
  });

  it.each([
    ['no depth', '{"data":{}}'],
    ['no data', '{"mcp_summary":"MSTR"}'],
    ['a text', '{"data":{"depth":{"price_micro_usd":"650000"}}}'],
    ['less than the band', '{"data":{"depth":{"price_micro_usd":449999}}}'],
    ['more than the band', '{"data":{"depth":{"price_micro_usd":750001}}}'],
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
