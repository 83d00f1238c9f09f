import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { mppProblemType } from '../../data/contract/errors/problem.ts';
import { versions } from '../../data/contract/values/versions.ts';

/** Statuses, headers and JSON of one error (I7.1–I7.3). */
export type Problem = {
  readonly contentType: string;
  readonly status: number;
  readonly code: string;
  /** Flat list of the headers this error adds. */
  readonly headers: readonly string[];
  readonly body: Buffer;
};

const retryAfterSeconds: Readonly<Record<string, number>> = {
  not_ready: 30,
  artifact_unavailable: 30,
  settlement_unavailable: 30,
  settlement_pending: 2,
  payment_in_progress: 1,
  overloaded: 1,
};

/** Turns any error into the answer a client sees; an unexpected one says nothing of its cause (I7.2). */
export function problemBody(
  error: unknown,
  { baseUrl, instance, requestId }: { baseUrl: string; instance: string; requestId: string },
): Problem {
  const known =
    error instanceof IssuerError
      ? error
      : new IssuerError({ code: 'internal', message: 'Unexpected error.', hint: '', cause: error });
  const problem = known.toProblem();
  if (known instanceof PayloadMiss) {
    const uncharged = { billing_status: 'not_charged', cost_usd: 0, request_id: requestId };
    return {
      contentType: 'application/json; charset=utf-8',
      status: problem.status,
      code: problem.code,
      headers: [],
      body: Buffer.from(JSON.stringify({ ...known.payload, ...uncharged })),
    };
  }
  const body = JSON.stringify({
    // every 402 but these is printed with its challenge; this 400 is one rail's alone (I7.3)
    type: (problem.status === 400 && mppProblemType(problem.code)) || `${baseUrl}/help#${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance,
    code: problem.code,
    request_id: requestId,
    billing_status: 'not_charged',
    cost_usd: 0,
    payment_status: 'not_applicable',
    retryable: problem.retryable,
    ...problem.extra,
  });
  return {
    contentType: 'application/problem+json',
    status: problem.status,
    code: problem.code,
    headers: headersOf(problem),
    body: Buffer.from(body),
  };
}

function headersOf({ status, code, extra }: ReturnType<IssuerError['toProblem']>): string[] {
  const headers: string[] = [];
  const allowed = extra['allowed_methods'];
  if (code === 'method_not_allowed' && Array.isArray(allowed)) headers.push('Allow', allowed.join(', '));
  if (code === 'rate_limited') headers.push('Retry-After', String(extra['retry_after_seconds']));
  const retryAfter = retryAfterSeconds[code];
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter));
  // a 401 names a scheme (RFC 9110 11.6.1), and ours knows only the token's
  if (status === 401) headers.push('WWW-Authenticate', `Bearer realm="${versions.service}"`);
  return headers;
}

/** A miss that is answered in the form of its payload instead of a problem, and is never charged (I4.R03.5). */
export class PayloadMiss extends IssuerError {
  /** The body without the members every uncharged answer carries. */
  readonly payload: object;

  constructor({ message, payload }: { readonly message: string; readonly payload: object }) {
    super({ code: 'not_found', message, hint: '' });
    this.payload = payload;
  }
}
