import type { Ledger } from '../ledger.ts';

/** One ledger of an adapter with an empty schema, on a store of its own. */
export type RunningLedger = {
  readonly ledger: Ledger;
  /** Another server on the same store; it is closed with the first. */
  second(): Promise<Ledger>;
  /** Runs one statement as the service role would, outside the port. */
  run(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  stop(): Promise<void>;
};

/** An adapter as the conformance suites see it. */
export type LedgerUnderTest = { readonly name: string; start(): Promise<RunningLedger> };
