import type { Deployment } from '../../contract/deployment.ts';
import { problemCodes } from '../../contract/errorCodes.ts';
import { mppProblemType } from '../../contract/mppProblems.ts';
import type { LastRun } from '../../contract/releaseFiles.ts';
import type { Admit, ChallengeProvider, Refuse } from '../access/accessDecision.ts';
import type { Outgoing } from '../exchange.ts';
import type { RateState } from '../http/rateLimit.ts';
import { withCallHeaders } from '../http/standardHeaders.ts';
import type { ResolvedIssuer } from '../identity/resolveIssuer.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import {
  type ChallengeOptions,
  challengeMembers,
  mppChallengeMembers,
  paymentRequired,
} from './challenge.ts';
import type { Coding } from './openBodies.ts';
import { readinessMembers } from './readinessMembers.ts';
import { matchesTag, type PrintedChallenge, type Servable } from './servable.ts';
import { usd } from './servableHeaders.ts';
import { splice } from './splice.ts';

/** What the answers of one call need beside the servable. */
export type PaidCall = {
  readonly servable: Servable;
  readonly requestId: string;
  readonly rate: RateState | null;
  /** Coding of a paid body the client accepts (I9.20). */
  readonly coding: Coding;
  readonly ifNoneMatch: string | undefined;
  readonly startedMs: number;
  readonly nowMs: number;
};

/** 200 or 304 of an admitted call, HEAD without body (I4.24–I4.28, I9.12). */
export function paidAnswer(
  call: PaidCall,
  o: { admit: Admit; lookup: ResolvedIssuer['lookup'] | null; lastRun: LastRun | null },
): Outgoing {
  const { servable, coding } = call;
  const { admit } = o;
  const { receipt } = admit;
  const record = {
    requestId: call.requestId,
    route: servable.route.id,
    code: null,
    receiptId: receipt?.receiptId ?? null,
    apiKeyId: admit.apiKeyId,
  };
  const headers = withCallHeaders(servable.headers.admitted, call);
  if (receipt === null) {
    headers.push(...servable.headers.head);
    return { status: 200, headers, body: [], record, done: () => admit.done('delivered') };
  }
  headers.push('X-Receipt-Id', receipt.receiptId, 'X-Reconciliation-Key', receipt.reconciliationKey);
  headers.push('X-Charge-Status', receipt.chargeStatus, 'X-Cost-USD', costOf(receipt));
  for (const text of admit.headers) headers.push(text);
  if (matchesTag(call.ifNoneMatch, servable.etag)) {
    return { status: 304, headers, body: [], record, done: admit.done };
  }
  const suffix = servable.printEnvelope(
    {
      receipt,
      replayed: admit.replayed,
      requestId: call.requestId,
      servedMs: call.nowMs,
      latencyMs: Math.max(0, Math.round(call.nowMs - call.startedMs)),
      lookup: o.lookup,
    },
    serveTimeMembers(servable, o.lastRun, call.nowMs),
  );
  const body = splice({ bodies: servable.bodies, coding, suffix });
  headers.push('Content-Type', 'application/json; charset=utf-8');
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  headers.push('X-Payload-Length', String(servable.bodies.length));
  headers.push('Content-Digest', body.contentDigest, 'Repr-Digest', body.contentDigest);
  return { status: 200, headers, body: body.chunks, record, done: admit.done };
}

type UnpaidCall = {
  readonly deployment: Deployment;
  readonly options: ChallengeOptions;
  readonly provider: ChallengeProvider;
  readonly plan: RoutePlan;
  readonly head: boolean;
};

/** The 402 of an unpaid call: challenge header, and the problem that repeats it (I5.7, I7.7). */
export function challengeAnswer(
  call: PaidCall,
  o: UnpaidCall & { readonly grantIgnored?: boolean },
): Outgoing {
  const { challenges } = call.servable;
  // only the usual call is remembered: a restricted one is rare, and every kept text has to fit the memory of its plan
  const usual = o.provider === null && o.grantIgnored !== true;
  let printed = usual ? challenges.get(o.plan) : undefined;
  if (printed === undefined) {
    printed = printUnpaid(call.servable, o);
    if (usual) challenges.set(o.plan, printed);
  }
  return printedAnswer(call, { ...o, printed, headers: [], code: 'payment_required' });
}

function printUnpaid(servable: Servable, o: UnpaidCall & { readonly grantIgnored?: boolean }) {
  const price = (servable.priceMicroUsd / 1e6).toFixed(2);
  const mpp = servable.route.family === 'mpp';
  const how = mpp ? 'Sign the challenge of WWW-Authenticate' : 'Pay with one of accepts';
  const limit = !mpp && servable.priceMicroUsd > spendLimitMicroUsd ? ` ${spendLimitHint}` : '';
  const ignored = o.grantIgnored === true ? ` ${grantIgnoredHint}` : '';
  return printChallenge(servable, {
    ...o,
    code: 'payment_required',
    title: problemCodes.payment_required.title,
    detail: `${servable.routeUri} costs ${price} USD. ${how} and repeat the same request.${limit}${ignored}`,
    extra: {},
  });
}

/** The 402 of a payment or grant that was refused: its own code, and a fresh challenge (I5.15, P1.12). */
export function refusedPaymentAnswer(call: PaidCall, o: UnpaidCall & { readonly refusal: Refuse }): Outgoing {
  const { error, headers } = o.refusal;
  const problem = error.toProblem();
  const printed = printChallenge(call.servable, {
    ...o,
    code: problem.code,
    title: problem.title,
    detail: problem.detail,
    extra: problem.extra,
  });
  return printedAnswer(call, { ...o, printed, headers, code: problem.code });
}

// the official client refuses to sign more than 1 USD a payment unless told to (P2.51)
const spendLimitMicroUsd = 1_000_000;
const spendLimitHint =
  'It is above the 1 USD a payment that x402 clients sign by default: raise their limit.';

const grantIgnoredHint = 'Grants do not cover this family: the grant token was ignored.';

function printedAnswer(
  call: PaidCall,
  o: UnpaidCall & {
    readonly printed: PrintedChallenge;
    readonly headers: readonly string[];
    readonly code: string;
  },
): Outgoing {
  const { printed } = o;
  const headers = withCallHeaders(call.servable.headers.challenge, call);
  if (printed.header !== null) headers.push('PAYMENT-REQUIRED', printed.header);
  else headers.push('WWW-Authenticate', mintedChallenge(call, o));
  for (const text of o.headers) headers.push(text);
  return {
    status: 402,
    headers,
    body: o.head ? [] : [challengeBody(printed, call.requestId)],
    record: {
      requestId: call.requestId,
      route: call.servable.route.id,
      code: o.code,
      receiptId: null,
      apiKeyId: null,
    },
    done: () => {},
  };
}

// one piece of memory: joining pieces costs as much again as the copy. Ids are ASCII (I4.27)
function challengeBody({ beforeRequestId, afterRequestId }: PrintedChallenge, requestId: string): Buffer {
  const idEnd = beforeRequestId.length + requestId.length;
  const body = Buffer.allocUnsafe(idEnd + afterRequestId.length);
  beforeRequestId.copy(body);
  body.write(requestId, beforeRequestId.length, 'latin1');
  afterRequestId.copy(body, idEnd);
  return body;
}

function mintedChallenge({ servable, nowMs }: PaidCall, { options, plan }: UnpaidCall): string {
  if (options.mpp === null) throw new RangeError('a family that is off has no challenge');
  return options.mpp.header({
    amountMicro: servable.priceMicroUsd,
    fingerprint: plan.fingerprint,
    nowMs,
  });
}

type ChallengeText = {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly extra: Readonly<Record<string, unknown>>;
};

function printChallenge(servable: Servable, o: UnpaidCall & ChallengeText): PrintedChallenge {
  if (servable.route.family === 'mpp') {
    const type = mppProblemType(o.code) ?? `${o.deployment.baseUrl}/help#${o.code}`;
    return printed402(o, { type, header: null, members: mppChallengeMembers(servable) });
  }
  const { deployment, plan, options } = o;
  const { challenge, header } = paymentRequired({
    route: servable.route,
    amountMicroUsd: servable.priceMicroUsd,
    path: plan.path,
    query: plan.query,
    pathValues: plan.pathValues,
    queryValues: plan.queryValues,
    provider: o.provider,
    error: o.code,
    deployment,
    payTo: deployment.x402.payTo ?? '',
    bazaar: options.bazaar,
  });
  return printed402(o, {
    type: `${deployment.baseUrl}/help#${o.code}`,
    header,
    members: challengeMembers({ challenge, servable, deployment, v1Network: options.v1Network }),
  });
}

function printed402(
  o: UnpaidCall & ChallengeText,
  p: { type: string; header: string | null; members: Readonly<Record<string, unknown>> },
): PrintedChallenge {
  const head = JSON.stringify({
    type: p.type,
    title: o.title,
    status: 402,
    detail: o.detail,
    instance: o.plan.instance,
    code: o.code,
  });
  const tail = JSON.stringify({
    billing_status: 'not_charged',
    cost_usd: 0,
    payment_status: 'not_applicable',
    retryable: true,
    ...o.extra,
    ...p.members,
  });
  return {
    header: p.header,
    beforeRequestId: Buffer.from(`${head.slice(0, -1)},"request_id":"`),
    afterRequestId: Buffer.from(`",${tail.slice(1)}`),
  };
}

function serveTimeMembers(servable: Servable, lastRun: LastRun | null, nowMs: number): string {
  if (servable.readinessClock === null) return '';
  const members = readinessMembers({ clock: servable.readinessClock, lastRun, nowMs });
  return `${JSON.stringify(members).slice(1, -1)},`;
}

function costOf({ chargedMicro }: { readonly chargedMicro: number }): string {
  return chargedMicro === 0 ? '0.000000' : usd(chargedMicro);
}
