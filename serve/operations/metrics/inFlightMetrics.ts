import { Counter, Gauge, type Registry } from 'prom-client';
import type { InFlight } from '../../http/inFlight.ts';

/** Registers what the bound on requests in flight shows; it is read when the metrics are. */
export function inFlightMetrics(registry: Registry): (inFlight: InFlight) => void {
  return (inFlight) => {
    new Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests that were begun and have not ended.',
      registers: [registry],
      collect() {
        this.set(inFlight.readings().open);
      },
    });
    new Gauge({
      name: 'http_requests_in_flight_limit',
      help: 'Most of them: of all clients, and of one address.',
      labelNames: ['of'],
      registers: [registry],
      collect() {
        for (const [of, most] of Object.entries(inFlight.readings().limits)) this.set({ of }, most);
      },
    });
    new Counter({
      name: 'http_requests_in_flight_refused_total',
      help: 'Requests answered 503 because as many as a limit allows were in flight.',
      labelNames: ['of'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [of, count] of Object.entries(inFlight.readings().refused)) this.inc({ of }, count);
      },
    });
  };
}
