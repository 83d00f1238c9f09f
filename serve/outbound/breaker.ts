/** Stops calls to a provider that does not answer (P2.44). */
export type Breaker = {
  /** False while open; half-open lets one call through. */
  allows(): boolean;
  /** Counts a call that ended. */
  note(input: { readonly transport: boolean }): void;
  state(): 'closed' | 'open' | 'half_open';
  /** Opens it from outside: the settler cannot take jobs (P9.10). */
  trip(): void;
};

const failuresToOpen = 5;
const windowMs = 30_000;
const openMs = 10_000;

/**
 * Opens after 5 consecutive transport failures within 30 s, stays open 10 s, then lets one call through; its end
 * closes or opens it again. Time is taken from a clock that does not step (S37).
 */
export function breaker({ nowMs }: { nowMs(): number }): Breaker {
  let failures: number[] = [];
  let openedMs: number | null = null;
  let probedMs: number | null = null;

  // a probe that never reached the provider must not keep the breaker half open for good
  const probing = (): boolean => probedMs !== null && nowMs() - probedMs < openMs;

  function open(): void {
    openedMs = nowMs();
    probedMs = null;
    failures = [];
  }

  return {
    allows() {
      if (openedMs === null) return true;
      if (probing() || nowMs() - openedMs < openMs) return false;
      probedMs = nowMs();
      return true;
    },
    note({ transport }) {
      if (!transport) {
        failures = [];
        openedMs = null;
        probedMs = null;
        return;
      }
      if (openedMs !== null) {
        open();
        return;
      }
      const now = nowMs();
      failures = [...failures.filter((at) => now - at <= windowMs), now];
      if (failures.length >= failuresToOpen) open();
    },
    state() {
      if (openedMs === null) return 'closed';
      return probing() || nowMs() - openedMs >= openMs ? 'half_open' : 'open';
    },
    trip: open,
  };
}
