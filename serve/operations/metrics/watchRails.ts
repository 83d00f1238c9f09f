import type { Claimed, Payable, Rail } from '../../access/rail.ts';
import type { PaymentMetrics } from './paymentMetrics.ts';

/** The rails, timing how long a request waits for its settlement (`pay_wait_seconds`, P2.38). */
export function watchRails(
  rails: readonly Rail[],
  { metrics, monotonicMs }: { metrics: PaymentMetrics; monotonicMs(): number },
): readonly Rail[] {
  function settling(rail: Rail['name'], claimed: Claimed): Claimed {
    return {
      ...claimed,
      async settle() {
        const sinceMs = monotonicMs();
        try {
          return await claimed.settle();
        } finally {
          metrics.waited(rail, (monotonicMs() - sinceMs) / 1000);
        }
      },
    };
  }

  function claiming(rail: Rail['name'], payable: Payable): Payable {
    return {
      ...payable,
      async claim() {
        const claimed = await payable.claim();
        return claimed.kind === 'claimed' ? settling(rail, claimed) : claimed;
      },
    };
  }

  return rails.map((rail) => ({
    ...rail,
    async check(request) {
      const checked = await rail.check(request);
      return checked.kind === 'payable' ? claiming(rail.name, checked) : checked;
    },
  }));
}
