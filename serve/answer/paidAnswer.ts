import type { Deployment } from '../../contract/deployment.ts';
import { problemCodes } from '../../contract/errorCodes.ts';
import type { LastRun } from '../../contract/releaseFiles.ts';
import { routeUri } from '../../contract/route.ts';
import { challengeMembers, paymentRequired } from '../challenge.ts';
import type { Outgoing } from '../exchange.ts';
import type { Admit } from '../gate.ts';
import { negotiateCoding } from '../http/negotiateCoding.ts';
import type { ResolvedIssuer } from '../identity/resolveIssuer.ts';
import { splice } from '../splice.ts';
import type { Coding } from './openBodies.ts';
import { readinessMembers } from './readinessMembers.ts';
import { matchesTag, type PrintedChallenge, type Servable } from './servable.ts';

const paidVary =
  'Accept-Encoding, Authorization, PAYMENT-SIGNATURE, X-API-Key, MCP-API-Key, X-Svc-Grant-Token';
const codings: readonly Exclude<Coding, 'identity'>[] = ['gzip', 'zstd'];
const rememberedChallenges = 16;

/** What the answers of one call need beside the servable. */
export type PaidCall = {
  readonly servable: Servable;
  readonly requestId: string;
  /** Flat list of the headers every answer carries. */
  readonly headers: readonly string[];
  readonly instance: string;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly startedMs: number;
  readonly nowMs: number;
};

/** 200 or 304 of an admitted call, HEAD without body (I4.24–I4.28, I9.12). */
export function paidAnswer(
  call: PaidCall & { admit: Admit; lookup: ResolvedIssuer['lookup'] | null; lastRun: LastRun | null },
): Outgoing {
  const { servable, admit } = call;
  const { receipt } = admit;
  const record = {
    requestId: call.requestId,
    route: servable.route.id,
    code: null,
    receiptId: receipt?.receiptId ?? null,
    apiKeyId: admit.apiKeyId,
  };
  const headers = [
    ...call.headers,
    ...artifactHeaders(servable),
    'X-Artifact-Digest',
    servable.artifactDigest,
    'Cache-Control',
    'private, no-cache',
    'Vary',
    paidVary,
    'ETag',
    servable.etag,
    'Accept-Ranges',
    'none',
  ];
  if (receipt === null) {
    headers.push('X-Artifact-ETag', servable.etag, 'X-Quoted-Cost-USD', usd(servable.priceMicroUsd));
    headers.push('Content-Type', 'application/json; charset=utf-8');
    return { status: 200, headers, body: [], record, done: () => admit.done('delivered') };
  }
  headers.push('X-Receipt-Id', receipt.receiptId, 'X-Reconciliation-Key', receipt.reconciliationKey);
  headers.push('X-Charge-Status', receipt.chargeStatus, 'X-Cost-USD', usd(receipt.chargedMicro));
  if (matchesTag(call.ifNoneMatch, servable.etag)) {
    return { status: 304, headers, body: [], record, done: admit.done };
  }
  const coding = negotiateCoding(call.acceptEncoding, codings);
  const suffix = servable.printEnvelope(
    {
      receipt,
      requestId: call.requestId,
      servedMs: call.nowMs,
      latencyMs: Math.max(0, Math.round(call.nowMs - call.startedMs)),
      lookup: call.lookup,
    },
    serveTimeMembers(servable, call.lastRun, call.nowMs),
  );
  const body = splice({ bodies: servable.bodies, coding, suffix });
  headers.push('Content-Type', 'application/json; charset=utf-8');
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  headers.push('X-Payload-Length', String(servable.bodies.length));
  headers.push('Content-Digest', body.contentDigest, 'Repr-Digest', body.contentDigest);
  return { status: 200, headers, body: body.chunks, record, done: admit.done };
}

/** The 402 of an unpaid call: challenge header, and the problem that repeats it (I5.7, I7.7). */
export function challengeAnswer(
  call: PaidCall & {
    deployment: Deployment;
    provider: 'x402_exact' | 'gateway_batched' | null;
    path: string;
    query: string;
    pathValues: Readonly<Record<string, string>>;
    queryValues: Readonly<Record<string, string>>;
  },
): Outgoing {
  const { servable } = call;
  const key = `${call.provider ?? ''} ${call.path}${call.query}`;
  let printed = servable.challenges.get(key);
  if (printed === undefined) {
    printed = printChallenge(call);
    if (servable.challenges.size < rememberedChallenges) servable.challenges.set(key, printed);
  }
  const headers = [
    ...call.headers,
    ...artifactHeaders(servable),
    'X-Artifact-ETag',
    servable.etag,
    'X-Quoted-Cost-USD',
    usd(servable.priceMicroUsd),
    'Cache-Control',
    'no-store',
    'Vary',
    paidVary,
    'Content-Type',
    'application/problem+json',
    'PAYMENT-REQUIRED',
    printed.header,
  ];
  const instance = JSON.stringify(call.instance);
  const between = Buffer.from(`${instance}${printed.beforeRequestId}${call.requestId}`);
  return {
    status: 402,
    headers,
    body: [printed.beforeInstance, between, printed.afterRequestId],
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

function printChallenge(call: Parameters<typeof challengeAnswer>[0]): PrintedChallenge {
  const { servable, deployment } = call;
  const { route } = servable;
  const { challenge, header } = paymentRequired({
    route,
    amountMicroUsd: servable.priceMicroUsd,
    path: call.path,
    query: call.query,
    pathValues: call.pathValues,
    queryValues: call.queryValues,
    provider: call.provider,
    error: 'payment_required',
    deployment,
    payTo: deployment.x402.payTo ?? '',
  });
  const price = (servable.priceMicroUsd / 1e6).toFixed(2);
  const head = JSON.stringify({
    type: `${deployment.baseUrl}/help#payment_required`,
    title: problemCodes.payment_required.title,
    status: 402,
    detail: `${routeUri(route)} costs ${price} USD. Pay with one of accepts and repeat the same request.`,
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

function artifactHeaders(servable: Servable): string[] {
  return ['X-Artifact-Version', servable.artifactVersion, 'X-Source-Date', servable.sourceDate];
}

function serveTimeMembers(servable: Servable, lastRun: LastRun | null, nowMs: number): string {
  if (servable.readinessClock === null) return '';
  const members = readinessMembers({ clock: servable.readinessClock, lastRun, nowMs });
  return `${JSON.stringify(members).slice(1, -1)},`;
}

function usd(micro: number): string {
  return (micro / 1e6).toFixed(6);
}
