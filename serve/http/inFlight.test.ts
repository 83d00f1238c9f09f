import { describe, expect, it } from 'vitest';
import { inFlight } from './inFlight.ts';

describe('requests in flight (I8.9)', () => {
  it('are bounded for an address, whose IPv6 /64 counts as one, and free a place when they end', () => {
    const admission = inFlight({ all: 100, address: 2 });
    const first = admission.enter('2001:db8::1');
    expect(first).not.toBeNull();
    expect(admission.enter('2001:db8::2')).not.toBeNull();
    expect(admission.enter('2001:db8::3')).toBeNull();
    expect(admission.enter('2001:db8:0:1::1')).not.toBeNull();
    first?.();
    expect(admission.enter('2001:db8::3')).not.toBeNull();
    expect(admission.readings()).toMatchObject({ open: 3, refused: { all: 0, address: 1 } });
  });

  it('are bounded for all addresses together', () => {
    const admission = inFlight({ all: 2, address: 2 });
    const leave = admission.enter('192.0.2.1');
    admission.enter('192.0.2.2');
    expect(admission.enter('192.0.2.3')).toBeNull();
    leave?.();
    expect(admission.enter('192.0.2.3')).not.toBeNull();
    expect(admission.readings()).toMatchObject({ open: 2, refused: { all: 1, address: 0 } });
  });
});
