import { expect, it } from 'vitest';
import type { LedgerLog } from '../ledger/port/ledger.ts';
import { clockSkew } from './postJson.ts';

function rig(...skews: (number | null)[]) {
  const events: Parameters<LedgerLog>[0][] = [];
  const clients = skews.map((_, i) => ({ clockSkewMs: () => skews[i] ?? null }));
  return { skews, events, skew: clockSkew({ clients, log: (line) => void events.push(line) }) };
}

it('a clock that agrees with providers within five seconds is not mentioned (X52)', () => {
  expect(rig().skew()).toBeNull();
  expect(rig(null, 5999, -5999).skew()).toBeNull();
});

it('a clock that is ahead or behind is named with its seconds, and alerted once (X52, X53)', () => {
  const { skews, events, skew } = rig(null, 1000, -30_000);
  expect(skew()).toBe("clock_skew: this clock is 30 s ahead of a provider's");
  skew();
  expect(events).toEqual([{ level: 'error', event: 'clock_skew', fields: { seconds: -30 } }]);
  skews[2] = 31_000;
  expect(skew()).toBe("clock_skew: this clock is 31 s behind a provider's");
  skews[2] = 0;
  expect(skew()).toBeNull();
  skews[2] = 6000;
  skew();
  expect(events).toHaveLength(2);
});
