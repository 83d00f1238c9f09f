import type { Deployment } from '../../data/contract/emit/deployment.ts';
import { problemCodes } from '../../data/contract/errors/errorCodes.ts';
import { mppProblemType } from '../../data/contract/errors/mppProblems.ts';
import { mppChallengeMember } from '../../data/contract/tools/toolPayment.ts';
import type { ChallengeProvider, Refuse } from '../access/accessDecision.ts';
import {
  type ChallengeOptions,
  challengeMembers,
  mppToolMembers,
  paymentRequired,
} from '../answer/challenge.ts';
import { usd } from '../body/servableHeaders.ts';
import type { Outgoing } from '../exchange.ts';
import type { Servable } from '../find/servable/servable.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import { errorResult, type FailingCall } from './failedCall.ts';
import { type FrameExtras, frameAnswer } from './frameAnswer.ts';
import type { PaymentWay } from './paymentWay.ts';
import { problemRpcCode, rpcError } from './rpcText.ts';

/** An unpaid tool call whose answer exists. */
export type UnpaidTool = {
  readonly servable: Servable;
  readonly plan: RoutePlan;
  readonly provider: ChallengeProvider;
  readonly way: PaymentWay;
  readonly deployment: Deployment;
  readonly options: ChallengeOptions;
  /** The refused payment; null where none was shown. */
  readonly refusal: Refuse | null;
  readonly fingerprint: Uint8Array;
  readonly nowMs: number;
};

type Json = Readonly<Record<string, unknown>>;
type Text = {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly extra: Json;
};
type Challenge = ReturnType<typeof paymentRequired>;

/** Asks for the payment of a tool call: by status 402 and header, or as the result of the call (I4.MCP.19, I4.MCP.20). */
export function toolChallenge(call: FailingCall, unpaid: UnpaidTool): Outgoing {
  const { servable, deployment, refusal } = unpaid;
  const { payTo } = deployment.x402;
  const text = refusal === null ? unpaidText(servable, payTo !== null) : refusal.error.toProblem();
  const x402 =
    payTo === null
      ? null
      : paymentRequired({
          servable,
          plan: unpaid.plan,
          provider: unpaid.provider,
          error: text.code,
          deployment,
          payTo,
          // a result is read by the one who called the tool (P10.10)
          bazaar: unpaid.options.bazaar && unpaid.way !== 'in_band',
        });
  const headers = [
    'X-Artifact-Version',
    servable.artifactVersion,
    'X-Source-Date',
    servable.sourceDate,
    'X-Quoted-Cost-USD',
    usd(servable.priceMicroUsd),
    ...(refusal?.headers ?? []),
  ];
  const extras = { headers, record: { code: text.code } };
  if (unpaid.way === 'in_band') return askedInFrame(call, { unpaid, text, x402, extras });
  if (x402 === null) throw new RangeError('a rail that is off has no challenge');
  return askedByStatus(call, { unpaid, text, x402, extras });
}

/** One result for the clients of every rail: x402 in its content, MPP in its metadata (P10.2, P10.16). */
function askedInFrame(
  call: FailingCall,
  {
    unpaid,
    text,
    x402,
    extras,
  }: { unpaid: UnpaidTool; text: Text; x402: Challenge | null; extras: FrameExtras },
): Outgoing {
  const { servable, refusal } = unpaid;
  const type = mppProblemType(text.code);
  const meta = mppMeta(unpaid, refusal === null ? null : problemOf(call, { unpaid, text, type }));
  if (x402 !== null) {
    const { challenge } = x402;
    return frameAnswer(call, errorResult(call, JSON.stringify(challenge), challenge, meta), extras);
  }
  // a client of the tool protocol knows two contents of an unpaid call; without x402 it is the error (P10.9)
  const error = { ...problemOf(call, { unpaid, text, type }), ...mppToolMembers(servable) };
  return frameAnswer(call, errorResult(call, `${text.code}: ${text.detail}`, { error }, meta), extras);
}

function mppMeta({ options, servable, fingerprint, nowMs }: UnpaidTool, problem: Json | null): Json {
  if (options.mpp === null) return {};
  const charge = { amountMicro: servable.priceMicroUsd, fingerprint, nowMs };
  const challenges = [options.mpp.inFrame(charge, servable.route.description)];
  return {
    [mppChallengeMember]: { httpStatus: 402, challenges, ...(problem === null ? {} : { problem }) },
  };
}

function askedByStatus(
  call: FailingCall,
  { unpaid, text, x402, extras }: { unpaid: UnpaidTool; text: Text; x402: Challenge; extras: FrameExtras },
): Outgoing {
  const { servable, deployment, options } = unpaid;
  const { challenge, header } = x402;
  const problem = {
    ...problemOf(call, { unpaid, text, type: null }),
    ...challengeMembers({ servable, challenge, deployment, v1Network: options.v1Network }),
  };
  const body = rpcError(call.id, { code: problemRpcCode, message: text.code, data: problem });
  const headers = [...(extras.headers ?? []), 'PAYMENT-REQUIRED', header];
  return frameAnswer(call, body, { ...extras, status: 402, headers });
}

function problemOf(
  call: FailingCall,
  { unpaid, text, type }: { unpaid: UnpaidTool; text: Text; type: string | null },
): Json {
  return {
    type: type ?? `${unpaid.deployment.baseUrl}/help#${text.code}`,
    title: text.title,
    status: 402,
    detail: text.detail,
    instance: unpaid.plan.instance,
    code: text.code,
    request_id: call.requestId,
    billing_status: 'not_charged',
    cost_usd: 0,
    payment_status: 'not_applicable',
    retryable: true,
    ...text.extra,
  };
}

function unpaidText({ tool, priceMicroUsd }: Servable, x402On: boolean): Text {
  const price = (priceMicroUsd / 1e6).toFixed(2);
  const how = x402On ? 'Pay with one of accepts' : `Sign the challenge of _meta["${mppChallengeMember}"]`;
  return {
    code: 'payment_required',
    title: problemCodes.payment_required.title,
    detail: `A call of ${tool} costs ${price} USD. ${how} and repeat the same call.`,
    extra: {},
  };
}
