import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientOrigin } from './clientAddress.ts';
import { negotiateCoding } from './contentNegotiation.ts';
import { defaultRateLimits, rateLimiter } from './rateLimit.ts';

describe('rateLimiter', () => {
  it('counts the addresses of one IPv6 line together and others apart (I8.3)', () => {
    const limiter = rateLimiter({ limits: { ...defaultRateLimits, wallet: 2 }, nowMs: () => 0 });
    const left = (holder: string) => limiter.take('wallet', holder)?.remaining;
    expect(left('2001:db8:0:1::7')).toBe(1);
    expect(left('2001:DB8:0:1:ffff::')).toBe(0);
    expect(left('2001:db8:0:2::7')).toBe(1);
    expect(left('2001:db8::1')).toBe(1);
    expect(left('::1')).toBe(1);
    expect(left('203.0.113.7')).toBe(1);
    expect(left('203.0.113.8')).toBe(1);
    // what only looks like one
    expect(left('grt:1::2x')).toBe(1);
  });

  it('lets one holder of an IPv6 /48 through sixteen times the quota of a /64, however many of those he has', () => {
    const limiter = rateLimiter({
      limits: { ...defaultRateLimits, wallet: 2 },
      nowMs: () => 0,
      maxHolders: 40,
    });
    const take = (network: number) => limiter.take('wallet', `2001:db8:0:${network.toString(16)}::1`);
    const passed = Array.from({ length: 1000 }, (_, network) => take(network)).filter(
      (state) => state?.allowed,
    );
    expect(passed).toHaveLength(32);
    expect(take(2000)).toMatchObject({ allowed: false, quota: 32, remaining: 0 });
    // the refused networks have pushed no other holder out of the table
    expect(take(0)).toMatchObject({ allowed: false });
    expect(limiter.take('wallet', '2001:db8:1::1')?.allowed).toBe(true);
  });

  it('takes several tokens at once, or none of them', () => {
    const limiter = rateLimiter({ limits: { ...defaultRateLimits, wallet: 5 }, nowMs: () => 0 });
    expect(limiter.take('wallet', 'w', 3)).toMatchObject({ allowed: true, remaining: 2 });
    // three more tokens have grown back when the bucket holds three: one is missing, at five a minute
    expect(limiter.take('wallet', 'w', 3)).toMatchObject({ allowed: false, remaining: 2, retrySeconds: 12 });
    expect(limiter.take('wallet', 'w', 2)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('allows the quota at once and the next request when its token has grown back (A8.1, I8.3)', () => {
    let nowMs = 0;
    const limiter = rateLimiter({ limits: defaultRateLimits, nowMs: () => nowMs });
    const allowed = () => limiter.take('ip', 'a')?.allowed;
    expect(Array.from({ length: 120 }, allowed)).not.toContain(false);
    expect(limiter.take('ip', 'a')).toMatchObject({ allowed: false, remaining: 0, retrySeconds: 1 });
    expect(limiter.take('ip', 'b')?.allowed).toBe(true);
    nowMs = 499;
    expect(allowed()).toBe(false);
    nowMs = 500;
    expect([allowed(), allowed()]).toEqual([true, false]);
  });

  it('never lets more than quota plus refill through, whatever the timing', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2000), { maxLength: 300 }), (steps) => {
        let nowMs = 0;
        const limiter = rateLimiter({ limits: { ...defaultRateLimits, wallet: 5 }, nowMs: () => nowMs });
        let passed = 0;
        for (const step of steps) {
          nowMs += step;
          if (limiter.take('wallet', 'w')?.allowed === true) passed += 1;
        }
        expect(passed).toBeLessThanOrEqual(5 + Math.floor((nowMs * 5) / 60_000) + 1);
      }),
    );
  });

  it('gives nothing back when the clock steps back, and remembers a bounded number of holders', () => {
    let nowMs = 10_000;
    const limiter = rateLimiter({
      limits: { ...defaultRateLimits, wallet: 1 },
      nowMs: () => nowMs,
      maxHolders: 2,
    });
    expect(limiter.take('wallet', 'a')?.allowed).toBe(true);
    nowMs = 0;
    expect(limiter.take('wallet', 'a')?.allowed).toBe(false);
    limiter.take('wallet', 'b');
    limiter.take('wallet', 'c');
    expect(limiter.take('wallet', 'c')?.allowed).toBe(false);
    expect(limiter.take('wallet', 'a')?.allowed).toBe(true);
  });

  it('says nothing where limits are off', () => {
    expect(
      rateLimiter({ limits: { ...defaultRateLimits, ip: 'off' }, nowMs: () => 0 }).take('ip', 'a'),
    ).toBeNull();
  });
});

describe('negotiateCoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['gzip;q=0.5, zstd;q=0.9', 'zstd'],
    ['gzip;q=0, *;q=0.1', 'zstd'],
    ['br', 'identity'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['x-gzip', 'gzip'],
    ['gzip;q=nonsense', 'identity'],
    ['*', 'gzip'],
  ])('reads %j as %s', (field, coding) => {
    expect(negotiateCoding(field, ['gzip', 'zstd'])).toBe(coding);
  });
});

describe('clientOrigin', () => {
  const origin = clientOrigin(['10.0.0.0/8', '::1']);
  const of = (remoteAddress: string, forwardedFor?: string, forwardedProto?: string, forwarded?: string) =>
    origin({ remoteAddress, forwardedFor, forwarded, forwardedProto });

  it('believes forwarding headers from trusted proxies only, and the nearest untrusted hop of those (I8.7)', () => {
    expect(of('192.0.2.1', '1.2.3.4', 'https')).toEqual({ address: '192.0.2.1', tls: false });
    expect(of('10.1.1.1', '1.2.3.4, 5.6.7.8', 'https')).toEqual({ address: '5.6.7.8', tls: true });
    expect(of('10.1.1.1', '1.2.3.4, 10.9.9.9', 'http')).toEqual({ address: '1.2.3.4', tls: false });
    expect(of('::ffff:10.1.1.1', undefined, undefined, 'for=1.2.3.4;proto=https')).toEqual({
      address: '1.2.3.4',
      tls: true,
    });
    expect(of('::1', 'junk')).toEqual({ address: '::1', tls: false });
  });
});
