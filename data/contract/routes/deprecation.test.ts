import { describe, expect, it } from 'vitest';
import {
  deprecationFault,
  deprecationHeaders,
  isSunset,
  successorPath,
  sunsetInstants,
} from './deprecation.ts';
import type { Deprecation, Route } from './route.ts';
import { routes } from './routes.ts';

const end: Deprecation = {
  announcedAt: '2026-01-01T00:00:00Z',
  sunsetAt: '2026-06-30T00:00:00Z',
  successor: '/v1/peer-ranking/{ticker}',
};
/** The table with a route that is not served yet. */
const table = routes.map((route): Route => (route.id === 'R01' ? { ...route, status: 'pending' } : route));
const ended = (deprecation: Deprecation): Route => {
  const route = routes.find(({ id }) => id === 'R11');
  if (route === undefined) throw new RangeError('R11');
  return { ...route, deprecation };
};

describe('the announced end of a route (I9.4)', () => {
  it('is in the headers of RFC 9745 and RFC 8594, with the successor of the path that was asked', () => {
    const asked = { baseUrl: 'https://api.example.com', asked: '/v1/covenant-stress/MSTR' };
    // 2026-01-01 is day 20,454 of the epoch
    expect(deprecationHeaders(ended(end), asked)).toEqual([
      'Deprecation',
      '@1767225600',
      'Sunset',
      'Tue, 30 Jun 2026 00:00:00 GMT',
      'Link',
      '<https://api.example.com/v1/pricing>; rel="deprecation", <https://api.example.com/v1/peer-ranking/MSTR>; rel="successor-version"',
    ]);
    expect(deprecationHeaders(ended({ ...end, successor: null }), asked).at(-1)).toBe(
      '<https://api.example.com/v1/pricing>; rel="deprecation"',
    );
  });

  it('takes the values of the path over by name', () => {
    expect(successorPath(ended({ ...end, successor: '/v1/readiness' }), '/v1/covenant-stress/MSTR')).toBe(
      '/v1/readiness',
    );
    expect(successorPath(ended(end), '/v1/covenant-stress/0001050446')).toBe('/v1/peer-ranking/0001050446');
  });

  it('takes effect at its instant', () => {
    const sunsetMs = Date.parse(end.sunsetAt);
    expect([isSunset(ended(end), sunsetMs - 1), isSunset(ended(end), sunsetMs)]).toEqual([false, true]);
    expect(sunsetInstants([ended(end), ended(end)])).toEqual([sunsetMs]);
  });

  it.each<[string, Partial<Deprecation>, string | null]>([
    ['of 180 days', {}, null],
    [
      'a second too short',
      { announcedAt: '2026-01-01T00:00:01Z' },
      'it ends less than 180 days after its announcement',
    ],
    ['without a successor', { successor: null }, null],
    [
      'of a day instead of an instant',
      { sunsetAt: '2026-06-30' },
      'an instant is not written YYYY-MM-DDTHH:MM:SSZ',
    ],
    ['for a route that answers 501', { successor: '/v1/readiness' }, 'its successor is no route that stays'],
    ['for a path that is not there', { successor: '/v1/nothing' }, 'its successor is no route that stays'],
    [
      'for a route about something else',
      { successor: '/checkout/sessions/{checkout_id}' },
      'its successor asks for a path value it does not have',
    ],
  ])('is judged: notice %s', (_, change, fault) => {
    expect(deprecationFault(ended({ ...end, ...change }), table)).toBe(fault);
  });
});
