import type { Deployment } from '../../data/contract/emit/deployment.ts';
import { problemCodes } from '../../data/contract/errors/errorCodes.ts';
import { mppProblemType } from '../../data/contract/errors/problem.ts';
import type { PaymentWay } from '../../data/contract/routes/paymentRail.ts';
import { mppChallengeMember } from '../../data/contract/tools/toolPayment.ts';
import { type Admit, clientLeft, type Decision, type Refuse } from '../access/accessDecision.ts';
import type { Gate } from '../access/gate.ts';
import {
  type ChallengeOptions,
  challengeMembers,
  mppToolMembers,
  paymentRequired,
} from '../answer/challenge.ts';
import type { ChallengeText, UnpaidCall } from '../answer/challengeAnswer.ts';
import { usd } from '../body/servableBody.ts';
import type { Outgoing } from '../exchange.ts';
import type { Servable } from '../find/servable/servable.ts';
import type { ArtifactStore } from '../store/artifactStore.ts';
import type { CallMoment, EndpointCall } from './endpointCall.ts';
import {
  accessFailure,
  errorResult,
  type FailingCall,
  type FrameExtras,
  frameAnswer,
  problemRpcCode,
  rpcError,
} from './jsonRpc.ts';
import type { ShownPayment } from './paymentWay.ts';
import { soldAnswer } from './toolAnswers.ts';
import type { ToolSource } from './toolSource.ts';

/** What selling the answer of a tool needs of the server. */
export type SellDeps = {
  readonly deployment: Deployment;
  readonly gate: Gate;
  readonly store: Pick<ArtifactStore, 'lastRun'>;
  readonly challenges: ChallengeOptions;
  nowMs(): number;
  readonly momentOf: CallMoment;
};

/** What is sold to whom. */
export type Sale = {
  readonly source: ToolSource;
  readonly payment: ShownPayment;
  readonly fingerprint: Uint8Array;
  /** A price before that of the endpoint that is still accepted; null otherwise. */
  readonly formerMicroUsd: number | null;
  /** The answer in the version that was served first (I5.26). */
  readonly again: (version: string) => ToolSource | Promise<ToolSource>;
};

/** Makes the last stages of a paid tool: access, payment, answer. */
export function toolSeller(deps: SellDeps): (call: EndpointCall, sale: Sale) => Promise<Outgoing> {
  function answerRefused(
    call: EndpointCall,
    { source, payment, fingerprint }: Sale,
    decision: Exclude<Decision, Admit>,
  ): Outgoing {
    const refusal = decision.kind === 'refuse' ? decision : null;
    if (refusal !== null && refusal.challenge === null)
      return accessFailure(call, refusal.error, payment.way);
    return toolChallenge(call, {
      servable: source.servable,
      plan: call.plan,
      provider: decision.kind === 'challenge' ? decision.provider : (refusal?.challenge?.provider ?? null),
      way: payment.way,
      deployment: deps.deployment,
      options: deps.challenges,
      refusal,
      fingerprint,
      nowMs: deps.nowMs(),
    });
  }

  return async (call, sale) => {
    // without a client nothing is claimed and nothing is sent (P1.13)
    if (call.request.clientGone()) throw clientLeft();
    const decision = await deps.gate.decide({
      nowMs: deps.nowMs(),
      presented: sale.payment.presented,
      servable: sale.source.servable,
      formerMicroUsd: sale.formerMicroUsd,
      way: sale.payment.way,
      plan: call.plan,
      requestId: call.requestId,
      head: false,
      fingerprint: sale.fingerprint,
      clientAddress: call.request.clientAddress,
      clientGone: call.request.clientGone,
    });
    if (decision.kind !== 'admit') return answerRefused(call, sale, decision);
    try {
      const version = decision.receipt?.artifactVersion;
      const { source: current, again } = sale;
      const isOther =
        decision.replayed && version !== undefined && version !== current.servable.artifactVersion;
      const source = isOther ? await again(version) : current;
      const nowMs = deps.nowMs();
      const lastRun = source.serveTime?.showsLastRun === true ? await deps.store.lastRun() : null;
      return soldAnswer(call, source, { admit: decision, lastRun, ...deps.momentOf(call, nowMs) });
    } catch (error) {
      // what fails after access is our fault, which the gate learns (P7.9)
      decision.done('undelivered', true);
      throw error;
    }
  };
}

/** An unpaid tool call whose answer exists. */
type UnpaidTool = Omit<UnpaidCall, 'head'> & {
  readonly servable: Servable;
  readonly way: PaymentWay;
  /** The refused payment; null where none was shown. */
  readonly refusal: Refuse | null;
  readonly fingerprint: Uint8Array;
  readonly nowMs: number;
};

type Json = Readonly<Record<string, unknown>>;
type Challenge = ReturnType<typeof paymentRequired>;

/** Asks for the payment of a tool call: by status 402 and header, or as the result of the call (I4.MCP.19, I4.MCP.20). */
function toolChallenge(call: FailingCall, unpaid: UnpaidTool): Outgoing {
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
          error: errorOf(text),
          deployment,
          payTo,
          // a result is read by the one who called the tool (P10.10)
          bazaar: unpaid.options.bazaar && unpaid.way !== 'in_band',
          offers: unpaid.options.offers,
          nowMs: unpaid.nowMs,
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

// where a purse is empty no signature helps, so the text itself names whose and how much (P2.56)
function errorOf({ code, detail, extra }: ChallengeText): string {
  return extra['payer'] === undefined ? code : `${code}: ${detail}`;
}

/** One result for the clients of every rail: x402 in its content, MPP in its metadata (P10.2, P10.16). */
function askedInFrame(
  call: FailingCall,
  {
    unpaid,
    text,
    x402,
    extras,
  }: { unpaid: UnpaidTool; text: ChallengeText; x402: Challenge | null; extras: FrameExtras },
): Outgoing {
  const { servable, refusal } = unpaid;
  const type = mppProblemType(text.code);
  const meta = mppMeta(unpaid, refusal === null ? null : problemOf(call, { unpaid, text, type }));
  if (x402 !== null) {
    const { challenge } = x402;
    const told = refusal === null ? [] : [`${text.code}: ${text.detail}`];
    const texts = [JSON.stringify(challenge), ...told];
    return frameAnswer(call, errorResult(call, texts, challenge, meta), extras);
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
  {
    unpaid,
    text,
    x402,
    extras,
  }: { unpaid: UnpaidTool; text: ChallengeText; x402: Challenge; extras: FrameExtras },
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
  { unpaid, text, type }: { unpaid: UnpaidTool; text: ChallengeText; type: string | null },
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

function unpaidText({ tool, priceMicroUsd }: Servable, x402On: boolean): ChallengeText {
  const price = (priceMicroUsd / 1e6).toFixed(2);
  const how = x402On ? 'Pay with one of accepts' : `Sign the challenge of _meta["${mppChallengeMember}"]`;
  return {
    code: 'payment_required',
    title: problemCodes.payment_required.title,
    detail: `A call of ${tool} costs ${price} USD. ${how} and repeat the same call.`,
    extra: {},
  };
}
