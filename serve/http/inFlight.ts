import { networkOf } from './clientAddress.ts';

/** Most requests that are answered at a time: of all clients, and of one address or IPv6 /64 (I8.9). */
export type InFlightLimits = { readonly all: number; readonly address: number };

export const defaultInFlight: InFlightLimits = { all: 1024, address: 128 };

/** The requests a server has begun and not ended. */
export type InFlight = {
  /**
   * Admits a request before anything of it is read or claimed; the function it gives back ends it. null: it is one too
   * many.
   */
  enter(address: string): (() => void) | null;
  readings(): {
    readonly open: number;
    readonly limits: InFlightLimits;
    readonly refused: Readonly<Record<keyof InFlightLimits, number>>;
  };
};

/** Counts requests in flight against the limits; addresses without one take no memory. */
export function inFlight(limits: InFlightLimits): InFlight {
  const ofAddress = new Map<string, number>();
  const refused = { all: 0, address: 0 };
  let open = 0;
  return {
    enter(address) {
      const network = networkOf(address);
      const own = ofAddress.get(network) ?? 0;
      const full = open >= limits.all ? 'all' : own >= limits.address ? 'address' : null;
      if (full !== null) {
        refused[full] += 1;
        return null;
      }
      open += 1;
      ofAddress.set(network, own + 1);
      return () => {
        open -= 1;
        const left = (ofAddress.get(network) ?? 1) - 1;
        if (left === 0) ofAddress.delete(network);
        else ofAddress.set(network, left);
      };
    },
    readings: () => ({ open, limits, refused }),
  };
}
