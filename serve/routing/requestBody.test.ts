import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { routes } from '../../data/contract/routes/routes.ts';
import type { Incoming } from '../exchange.ts';
import { byteCache } from '../store/byteCache.ts';
import { routeMatcher } from './routeMatcher.ts';
import { planOfTarget, type RoutePlan, requestPlanner } from './routePlan.ts';

// the company report by POST (I4.R30)
const match = routeMatcher(routes);
const planner = requestPlanner({ match, plans: byteCache(1 << 20), keptCharacters: 0 });

function planOf(
  body: unknown,
  target = '/v1/bundles/company-report',
  headers: Incoming['headers'] = { 'content-type': ['application/json'] },
): RoutePlan {
  const request: Incoming = {
    method: 'POST',
    target,
    headers,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    clientAddress: '192.0.2.1',
    secureTransport: true,
    clientGone: () => false,
  };
  const plan = planner(request, () => {});
  if (plan.kind !== 'route') throw new TypeError('a POST has a route');
  return plan;
}

const hex = (plan: RoutePlan) => Buffer.from(plan.fingerprint).toString('hex');

describe('the JSON body of a priced route', () => {
  it('is read into the parameters, with canonical values and defaults', () => {
    const { values } = planOf({ ticker: 'mstr', include_segments: true }).params;
    expect(Object.fromEntries(values)).toEqual({
      ticker: 'MSTR',
      include_segments: true,
      include_related_party: false,
      output_mode: 'compact',
      format: 'json',
    });
  });

  it('is part of the fingerprint: SHA-256 of body, method, path and query in RFC 8785 form (I5.24)', () => {
    const text =
      '{"body":{"include_segments":true,"ticker":"MSTR"},"method":"POST","path":"/v1/bundles/company-report","query":{}}';
    expect(hex(planOf({ include_segments: true, ticker: 'mstr' }))).toBe(
      createHash('sha256').update(text).digest('hex'),
    );
    expect(hex(planOf({ ticker: 'MARA', include_segments: true }))).not.toBe(hex(planOf({ ticker: 'MSTR' })));
  });

  it('has one fingerprint however its members are ordered, spaced and defaulted', () => {
    const spaced = planOf('{ "output_mode": "compact",\n "ticker": "MSTR" }');
    expect(hex(spaced)).toBe(hex(planOf({ ticker: 'mstr' })));
  });

  it('is there: no bytes are not an empty object where a member is required (I4.14)', () => {
    expect(() => planOf('')).toThrow(expect.objectContaining({ code: 'invalid_json_body' }));
    expect(() => planOf('{}')).toThrow(expect.objectContaining({ code: 'ticker_required' }));
  });

  it.each([
    ['text/plain', undefined, 'unsupported_media_type'],
    ['application/json; charset=utf-16', undefined, 'unsupported_media_type'],
    ['application/json;charset="latin1"', undefined, 'unsupported_media_type'],
    ['application/json', 'gzip', 'unsupported_media_type'],
    ['application/json', 'identity, gzip', 'unsupported_media_type'],
    ['application/json; charset=UTF-8', undefined, null],
    ['application/json; charset="utf-8"', 'identity', null],
  ])('of type %s and coding %s is read only as what it is declared (I4.14): %s', (type, coding, code) => {
    const headers = {
      'content-type': [type],
      ...(coding === undefined ? {} : { 'content-encoding': [coding] }),
    };
    const read = () => planOf({ ticker: 'MSTR' }, '/v1/bundles/company-report', headers);
    if (code === null) expect(read().bodyValues).toEqual({ ticker: 'MSTR' });
    else expect(read).toThrow(expect.objectContaining({ code }));
  });

  it('is not kept with the request line: the next body is read anew', () => {
    expect(planOf({ ticker: 'MSTR' }).bodyValues).toEqual({ ticker: 'MSTR' });
    expect(planOf({ ticker: 'MARA' }).bodyValues).toEqual({ ticker: 'MARA' });
  });

  it.each([
    [{}, 'ticker_required'],
    [{ ticker: 'MSTR', depth: 'full' }, 'unknown_parameter'],
    [{ ticker: 7 }, 'invalid_parameter'],
    [{ ticker: 'MSTR', include_segments: 'true' }, 'invalid_parameter'],
    ['{"ticker":"MSTR","ticker":"MARA"}', 'invalid_json_body'],
    ['[]', 'invalid_json_body'],
  ])('%j is 400 %s', (body, code) => {
    expect(() => planOf(body)).toThrow(expect.objectContaining({ code }));
  });

  it('takes no query parameter (I4.R30.1)', () => {
    expect(() => planOf({ ticker: 'MSTR' }, '/v1/bundles/company-report?ticker=MSTR')).toThrow(
      expect.objectContaining({ code: 'unknown_parameter' }),
    );
  });

  it('is not asked of an echoed resource, whose URL names path and query alone (P2.14)', () => {
    const echoed = planOfTarget(match)('POST', '/v1/bundles/company-report');
    expect(echoed).toMatchObject({ path: '/v1/bundles/company-report', query: '', bodyValues: null });
  });
});
