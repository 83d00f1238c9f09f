import type { Deployment } from '../../data/contract/emit/deployment.ts';
import { problemCodes } from '../../data/contract/errors/errorCodes.ts';
import { mppProblemType } from '../../data/contract/errors/problem.ts';
import type { ChallengeProvider, Refuse } from '../access/accessDecision.ts';
import type { Outgoing } from '../exchange.ts';
import type { PrintedChallenge, Servable } from '../find/servable/servable.ts';
import { withCallHeaders } from '../http/standardHeaders.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import {
  type ChallengeOptions,
  challengeMembers,
  mppChallengeMembers,
  paymentRequired,
} from './challenge.ts';
import type { PaidCall } from './paidAnswer.ts';

/** What the 402 of a call depends on beside its servable. */
export type UnpaidCall = {
  readonly deployment: Deployment;
  readonly options: ChallengeOptions;
  readonly provider: ChallengeProvider;
  readonly plan: RoutePlan;
  readonly head: boolean;
};

/** What a 402 says beside its challenge. */
export type ChallengeText = {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly extra: Readonly<Record<string, unknown>>;
};

/** The 402 of an unpaid call: challenge header, and the problem that repeats it (I5.7, I7.7). */
export function challengeAnswer(
  call: PaidCall,
  { grantIgnored = false, ...unpaid }: UnpaidCall & { readonly grantIgnored?: boolean },
): Outgoing {
  const { challenges } = call.servable;
  // a restricted challenge is rare, and every cached text has to fit the memory of its plan
  const usual = unpaid.provider === null && !grantIgnored;
  let printed = usual ? challenges.get(unpaid.plan) : undefined;
  if (printed === undefined || printed.shownUntilMs <= call.nowMs) {
    printed = printChallenge(call, unpaid, unpaidText(call.servable, grantIgnored));
    if (usual) challenges.set(unpaid.plan, printed);
  }
  return answerOf(call, unpaid, { printed, headers: [], code: 'payment_required' });
}

function unpaidText(
  { priceMicroUsd, route, routeUri, counts }: Servable,
  grantIgnored: boolean,
): ChallengeText {
  const price = (priceMicroUsd / 1e6).toFixed(2);
  const mpp = route.family === 'mpp';
  const how = mpp ? 'Sign the challenge of WWW-Authenticate' : 'Pay with one of accepts';
  const limit = !mpp && priceMicroUsd > spendLimitMicroUsd ? ` ${spendLimitHint}` : '';
  const ignored = grantIgnored ? ` ${grantIgnoredHint}` : '';
  return {
    code: 'payment_required',
    title: problemCodes.payment_required.title,
    detail: `${routeUri} costs ${price} USD. ${how} and repeat the same request.${heldBy(counts)}${limit}${ignored}`,
    extra: {},
  };
}

function heldBy(counts: Servable['counts']): string {
  if (counts === null) return '';
  const held = Object.entries(counts).map(([name, count]) => `${name}: ${count}`);
  return ` The answer holds ${held.join(', ')}.`;
}

/** The 402 of a payment or grant that was refused: its own code, and a fresh challenge (I5.15, P1.12). */
export function refusedPaymentAnswer(
  call: PaidCall,
  { refusal, ...unpaid }: UnpaidCall & { readonly refusal: Refuse },
): Outgoing {
  const problem = refusal.error.toProblem();
  const printed = printChallenge(call, unpaid, problem);
  return answerOf(call, unpaid, { printed, headers: refusal.headers, code: problem.code });
}

// the official client signs at most 1 USD a payment by default (P2.51)
const spendLimitMicroUsd = 1_000_000;
const spendLimitHint =
  'It is above the 1 USD a payment that x402 clients sign by default: raise their limit.';

const grantIgnoredHint = 'Grants do not cover this family: the grant token was ignored.';

function answerOf(
  call: PaidCall,
  unpaid: UnpaidCall,
  { printed, ...own }: { printed: PrintedChallenge; headers: readonly string[]; code: string },
): Outgoing {
  const headers = withCallHeaders(call.servable.headers.challenge, call);
  if (printed.header !== null) headers.push('PAYMENT-REQUIRED', printed.header);
  else headers.push('WWW-Authenticate', mintedChallenge(call, unpaid));
  for (const text of own.headers) headers.push(text);
  return {
    status: 402,
    headers,
    body: unpaid.head ? [] : [challengeBody(printed, call.requestId)],
    record: {
      requestId: call.requestId,
      route: call.servable.route.id,
      code: own.code,
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

function printChallenge(
  { servable, nowMs }: Pick<PaidCall, 'servable' | 'nowMs'>,
  unpaid: UnpaidCall,
  text: ChallengeText,
): PrintedChallenge {
  const { deployment, plan, options, provider } = unpaid;
  const help = `${deployment.baseUrl}/help#${text.code}`;
  if (servable.route.family === 'mpp') {
    const type = mppProblemType(text.code) ?? help;
    const members = mppChallengeMembers(servable);
    return printed402(plan, text, { type, header: null, shownUntilMs: Number.POSITIVE_INFINITY, members });
  }
  const { challenge, header, shownUntilMs } = paymentRequired({
    servable,
    plan,
    provider,
    error: text.code,
    deployment,
    payTo: deployment.x402.payTo ?? '',
    bazaar: options.bazaar,
    offers: options.offers,
    nowMs,
  });
  const members = challengeMembers({ challenge, servable, deployment, v1Network: options.v1Network });
  return printed402(plan, text, { type: help, header, shownUntilMs, members });
}

type Printed = {
  readonly type: string;
  readonly header: string | null;
  readonly shownUntilMs: number;
  readonly members: Readonly<Record<string, unknown>>;
};

function printed402({ instance }: RoutePlan, text: ChallengeText, printed: Printed): PrintedChallenge {
  const { title, detail, code, extra } = text;
  const head = JSON.stringify({ type: printed.type, title, status: 402, detail, instance, code });
  const tail = JSON.stringify({
    billing_status: 'not_charged',
    cost_usd: 0,
    payment_status: 'not_applicable',
    retryable: true,
    ...extra,
    ...printed.members,
  });
  return {
    header: printed.header,
    shownUntilMs: printed.shownUntilMs,
    beforeRequestId: Buffer.from(`${head.slice(0, -1)},"request_id":"`),
    afterRequestId: Buffer.from(`",${tail.slice(1)}`),
  };
}
