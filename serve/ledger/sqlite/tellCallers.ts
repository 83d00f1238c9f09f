import { settle, type Waiting } from './operationQueue.ts';
import type { OperationResult } from './writerProtocol.ts';

/**
 * Callers told in one turn of the event loop. Each goes on to splice and send an answer: after a commit of a crowd the
 * others would wait for all of those.
 */
const callersPerTurn = 8;

/** Tells callers what their operations came to, in the order of the commits, a few a turn. */
export type TellCallers = {
  /** The operations of a commit and their results. */
  committed(batch: readonly Waiting[], results: readonly (OperationResult | null)[]): void;
  /** Tells everybody who is still to be told, now. */
  rest(): void;
  /** callers that are still to be told */
  readonly untold: number;
};

/** Nobody is to be told anything yet. `over` is called when the last of a crowd was told in a turn after the first. */
export function tellCallers(over: () => void = () => {}): TellCallers {
  const untold: (readonly [Waiting, OperationResult | null])[] = [];
  let scheduled = false;

  function tell(count: number): void {
    for (const [entry, result] of untold.splice(0, count)) settle(entry, result);
  }

  function turn(): void {
    scheduled = false;
    tell(callersPerTurn);
    if (untold.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      turn();
      if (untold.length === 0) over();
    });
  }

  return {
    committed: (batch, results) => {
      batch.forEach((entry, i) => {
        if (entry.caller !== null) untold.push([entry, results[i] ?? null]);
      });
      // those of the commit before come first
      if (!scheduled) turn();
    },
    rest: () => tell(untold.length),
    get untold() {
      return untold.length;
    },
  };
}
