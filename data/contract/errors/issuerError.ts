import {
  type CliCode,
  cliCodes,
  type ErrorCode,
  exitCodes,
  type ProblemCode,
  problemCodes,
} from './errorCodes.ts';

type Details = Readonly<Record<string, unknown>>;

/** The answer to an internal error: its cause stays in the server's log (I7.2). */
const undisclosed = { code: 'internal_error', detail: 'The request could not be answered.' } as const;

/**
 * The one error of the project: a code of the closed tables, one sentence saying what was wrong, a hint
 * saying the next step, and details for machines.
 */
export class IssuerError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: Details;
  readonly status: number | null;

  constructor({
    code,
    message,
    hint,
    details,
    status,
    cause,
  }: {
    code: ErrorCode;
    message: string;
    hint: string;
    details?: Details;
    /** For a code I7.5 lists under two statuses: the one that is not in the table. */
    status?: 403;
    cause?: unknown;
  }) {
    super(message, { cause });
    this.name = 'IssuerError';
    this.code = code;
    this.hint = hint;
    this.details = details ?? {};
    this.status = status ?? null;
  }

  /**
   * Status, title and members of the RFC 9457 problem (I7.2). A command-line code is an internal error on the wire, but
   * for a ledger without an answer (X43, X49): what moves money has its own answer to that before it comes here.
   */
  toProblem(): {
    status: number;
    code: ProblemCode;
    title: string;
    detail: string;
    retryable: boolean;
    extra: Details;
  } {
    if (!(this.code in problemCodes)) {
      const known = cliCodes[this.code as CliCode];
      const { code, detail } = 'wire' in known ? known.wire : undisclosed;
      const { status, title, retryable = false } = problemCodes[code];
      return { status, code, title, detail, retryable, extra: {} };
    }
    const code = this.code as ProblemCode;
    const entry = problemCodes[code];
    const detail = this.hint === '' ? this.message : `${this.message} ${this.hint}`;
    return {
      status: this.status ?? entry.status,
      code,
      title: entry.title,
      detail,
      // a 403 stays one, independent of the code's other status
      retryable: this.status === null && entry.retryable === true,
      extra: this.details,
    };
  }

  /** Exit code and the two lines a terminal shows. */
  toCli(): { exitCode: number; code: ErrorCode; message: string; hint: string; details: Details } {
    const exit = this.code in cliCodes ? cliCodes[this.code as CliCode].exit : 'internal';
    return {
      exitCode: exitCodes[exit],
      code: this.code,
      message: this.message,
      hint: this.hint,
      details: this.details,
    };
  }
}

/** A command line that cannot be run as it was typed; `hint` is one that can. */
export function usageError(message: string, hint: string): IssuerError {
  return new IssuerError({ code: 'usage', message, hint });
}
