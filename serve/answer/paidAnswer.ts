import type { Deployment } from '../../contract/deployment.ts';
import { problemCodes } from '../../contract/errorCodes.ts';
import type { LastRun } from '../../contract/releaseFiles.ts';
import { challengeMembers, paymentRequired } from '../challenge.ts';
import type { Outgoing } from '../exchange.ts';
import type { Admit } from '../gate.ts';
import type { RateState } from '../http/rateLimit.ts';
import { withCallHeaders } from '../http/standardHeaders.ts';
import type { ResolvedIssuer } from '../identity/resolveIssuer.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import { splice } from '../splice.ts';
import type { Coding } from './openBodies.ts';
import { readinessMembers } from './readinessMembers.ts';
import { matchesTag, type PrintedChallenge, type Servable } from './servable.ts';
import { usd } from './servableHeaders.ts';

const rememberedChallenges = 16;

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
  if (matchesTag(call.ifNoneMatch, servable.etag)) {
    return { status: 304, headers, body: [], record, done: admit.done };
  }
  const suffix = servable.printEnvelope(
    {
      receipt,
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
  readonly provider: 'x402_exact' | 'gateway_batched' | null;
  readonly plan: RoutePlan;
  readonly head: boolean;
};

/** The 402 of an unpaid call: challenge header, and the problem that repeats it (I5.7, I7.7). */
export function challengeAnswer(call: PaidCall, o: UnpaidCall): Outgoing {
  const { servable } = call;
  const { plan } = o;
  const key = `${o.provider ?? ''} ${plan.path}${plan.query}`;
  let printed = servable.challenges.get(key);
  if (printed === undefined) {
    printed = printChallenge(servable, o);
    if (servable.challenges.size < rememberedChallenges) servable.challenges.set(key, printed);
  }
  const headers = withCallHeaders(servable.headers.challenge, call);
  headers.push('PAYMENT-REQUIRED', printed.header);
  const instance = JSON.stringify(plan.instance);
  const between = Buffer.from(`${instance}${printed.beforeRequestId}${call.requestId}`);
  return {
    status: 402,
    headers,
    body: o.head ? [] : [Buffer.concat([printed.beforeInstance, between, printed.afterRequestId])],
    record: {
      requestId: call.requestId,
      route: servable.route.id,
      code: 'payment_required',
      receiptId: null,
      apiKeyId: null,
    },
    done: () => {},
  };
}

function printChallenge(servable: Servable, o: UnpaidCall): PrintedChallenge {
  const { deployment, plan } = o;
  const { challenge, header } = paymentRequired({
    route: servable.route,
    amountMicroUsd: servable.priceMicroUsd,
    path: plan.path,
    query: plan.query,
    pathValues: plan.pathValues,
    queryValues: plan.queryValues,
    provider: o.provider,
    error: 'payment_required',
    deployment,
    payTo: deployment.x402.payTo ?? '',
  });
  const price = (servable.priceMicroUsd / 1e6).toFixed(2);
  const head = JSON.stringify({
    type: `${deployment.baseUrl}/help#payment_required`,
    title: problemCodes.payment_required.title,
    status: 402,
    detail: `${servable.routeUri} costs ${price} USD. Pay with one of accepts and repeat the same request.`,
  });
  const tail = JSON.stringify({
    billing_status: 'not_charged',
    cost_usd: 0,
    payment_status: 'not_applicable',
    retryable: true,
    ...challengeMembers({ challenge, servable, deployment }),
  });
  return {
    header,
    beforeInstance: Buffer.from(`${head.slice(0, -1)},"instance":`),
    beforeRequestId: ',"code":"payment_required","request_id":"',
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
