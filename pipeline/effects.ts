/** Wall clock and waiting, injected so that tests decide what time it is. */
export type Clock = {
  now(): Date;
  sleep(ms: number): Promise<void>;
};

/** One line of progress or warning; printed on a terminal, written as JSON lines otherwise. */
export type LogEvent = {
  readonly level: 'info' | 'warn' | 'error';
  readonly step: string;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string | number | boolean | null>>;
};

export type Log = (event: LogEvent) => void;

/** What a step of the night may do to the world besides its declared inputs and outputs. */
export type Effects = {
  readonly clock: Clock;
  readonly log: Log;
};
