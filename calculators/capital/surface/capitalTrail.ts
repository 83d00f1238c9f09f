import type { Capital } from '../capital.ts';

/** What a published capital structure does not say of how it was found (M18.87). */
export type CapitalTrail = {
  /** Members that were joined into one instrument, with the letters of the joins. */
  readonly joined: readonly {
    readonly id: string;
    readonly members: readonly string[];
    readonly joins: readonly string[];
  }[];
  /** Groups of facts that are no instrument, and why. */
  readonly refused: readonly { readonly members: readonly string[]; readonly reason: string }[];
};

export function capitalTrail({ instruments: { found, refused } }: Capital): CapitalTrail {
  return {
    joined: found
      .filter(({ members }) => members.length > 1)
      .map(({ id, members, joins }) => ({ id, members: [...members], joins: [...joins] })),
    refused: refused.map(({ members, reason }) => ({ members: [...members], reason })),
  };
}
