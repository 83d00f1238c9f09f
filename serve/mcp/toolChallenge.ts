import type { Deployment } from '../../contract/emit/deployment.ts';
import { problemCodes } from '../../contract/errors/errorCodes.ts';
import type { ChallengeProvider, Refuse } from '../access/accessDecision.ts';
import { type ChallengeOptions, challengeMembers, paymentRequired } from '../answer/challenge.ts';
import { usd } from '../body/servableHeaders.ts';
import type { Outgoing } from '../exchange.ts';
import type { Servable } from '../find/servable/servable.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import { errorResult, type FailingCall } from './failedCall.ts';
import { frameAnswer } from './frameAnswer.ts';
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
};

/** Asks for the payment of a tool call: by status 402 and header, or as the result of the call (I4.MCP.19, I4.MCP.20). */
export function toolChallenge(call: FailingCall, unpaid: UnpaidTool): Outgoing {
  const { servable, deployment, refusal, way } = unpaid;
  const text = refusal === null ? unpaidText(servable) : refusal.error.toProblem();
  const { challenge, header } = paymentRequired({
    servable,
    plan: unpaid.plan,
    provider: unpaid.provider,
    error: text.code,
    deployment,
    payTo: deployment.x402.payTo ?? '',
    bazaar: false,
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
  const record = { code: text.code };
  if (way === 'in_band')
    return frameAnswer(call, errorResult(call, JSON.stringify(challenge), challenge), { headers, record });
  const problem = {
    type: `${deployment.baseUrl}/help#${text.code}`,
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
    ...challengeMembers({ servable, challenge, deployment, v1Network: unpaid.options.v1Network }),
  };
  const body = rpcError(call.id, { code: problemRpcCode, message: text.code, data: problem });
  return frameAnswer(call, body, {
    status: 402,
    headers: [...headers, 'PAYMENT-REQUIRED', header],
    record,
  });
}

function unpaidText({ tool, priceMicroUsd }: Servable) {
  const price = (priceMicroUsd / 1e6).toFixed(2);
  return {
    code: 'payment_required',
    title: problemCodes.payment_required.title,
    detail: `A call of ${tool} costs ${price} USD. Pay with one of accepts and repeat the same call.`,
    extra: {},
  };
}
