import { describe, expect, it } from 'vitest';
import { breaker } from './breaker.ts';

function rig() {
  const clock = { nowMs: 0 };
  const one = breaker({ nowMs: () => clock.nowMs });
  const fail = (times: number): void => {
    for (let i = 0; i < times; i += 1) one.note({ transport: true });
  };
  return { clock, one, fail };
}

describe('a breaker (P2.44)', () => {
  it('opens after five failures in a row, not after four', () => {
    const { one, fail } = rig();
    fail(4);
    expect(one.allows()).toBe(true);
    fail(1);
    expect([one.allows(), one.state()]).toEqual([false, 'open']);
  });

  it('counts only failures in a row and within 30 s', () => {
    const { clock, one, fail } = rig();
    fail(4);
    one.note({ transport: false });
    fail(4);
    expect(one.allows()).toBe(true);
    clock.nowMs += 30_001;
    fail(4);
    expect(one.allows()).toBe(true);
  });

  it('lets one call through after 10 s, and its end decides', () => {
    const { clock, one, fail } = rig();
    fail(5);
    clock.nowMs = 9999;
    expect(one.allows()).toBe(false);
    clock.nowMs = 10_000;
    expect([one.allows(), one.allows()]).toEqual([true, false]);
    fail(1);
    clock.nowMs = 19_999;
    expect(one.allows()).toBe(false);
    clock.nowMs = 20_000;
    expect(one.allows()).toBe(true);
    one.note({ transport: false });
    expect([one.allows(), one.allows(), one.state()]).toEqual([true, true, 'closed']);
  });

  it('lets the next one through when a probe was refused before it reached the provider', () => {
    const { clock, one, fail } = rig();
    fail(5);
    clock.nowMs = 10_000;
    expect([one.allows(), one.allows()]).toEqual([true, false]);
    clock.nowMs = 20_000;
    expect(one.allows()).toBe(true);
  });
});
