import problems from './problemCodes.json' with { type: 'json' };

/** Exit codes of `issuer` and `issuer-serve` (I5.51). */
export const exitCodes = {
  done: 0,
  internal: 1,
  usage: 2,
  inputMissing: 3,
  sourceRefused: 4,
  validationFailed: 5,
  degraded: 6,
  locked: 75,
  interrupted: 130,
} as const;

type HttpError = {
  readonly status: number;
  readonly title: string;
  readonly meaning: string;
  /** What a caller does about it. */
  readonly remedy: string;
  readonly retryable?: boolean;
};

/** Problem codes of I7.5 and I7.10, each stated here and nowhere else; `/help#<code>` says what it means (I7.3). */
export const problemCodes: Readonly<Record<keyof typeof problems, HttpError>> = problems;

/** Codes of the command line; each names the exit code it ends with, and what a client sees of it where that is no defect. */
export const cliCodes = {
  internal: { exit: 'internal', title: 'Internal error' },
  usage: { exit: 'usage', title: 'Usage error' },
  configuration: { exit: 'usage', title: 'Configuration error' },
  input_missing: { exit: 'inputMissing', title: 'Input missing' },
  source_refused: { exit: 'sourceRefused', title: 'Source refused' },
  validation_failed: { exit: 'validationFailed', title: 'Validation failed' },
  bad_archive: { exit: 'validationFailed', title: 'Bad archive' },
  store_unwritable: {
    exit: 'internal',
    title: 'Store not writable',
    wire: {
      code: 'settlement_unavailable',
      detail: 'The ledger gave no answer. Nothing was charged; send the same request again later.',
    },
  },
  store_unavailable: { exit: 'sourceRefused', title: 'Store not available' },
  degraded: { exit: 'degraded', title: 'Published with degraded coverage' },
  locked: { exit: 'locked', title: 'Another run holds the lock' },
  interrupted: { exit: 'interrupted', title: 'Interrupted' },
} as const satisfies Record<
  string,
  { exit: keyof typeof exitCodes; title: string; wire?: { code: keyof typeof problemCodes; detail: string } }
>;

export type ProblemCode = keyof typeof problemCodes;
export type CliCode = keyof typeof cliCodes;
export type ErrorCode = ProblemCode | CliCode;
