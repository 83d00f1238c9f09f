import type { Deployment } from '../../data/contract/emit/deployment.ts';
import { railsOf } from '../../data/contract/routes/paymentRail.ts';
import type { Admit, Decision } from '../access/accessDecision.ts';
import { clientLeft } from '../access/clientLeft.ts';
import type { Gate } from '../access/gate.ts';
import type { ChallengeOptions } from '../answer/challenge.ts';
import { caught } from '../caught.ts';
import type { Outgoing } from '../exchange.ts';
import { soon } from '../soon.ts';
import type { ArtifactStore } from '../store/artifactStore.ts';
import type { CallMoment } from './callMoment.ts';
import type { EndpointCall } from './endpointCall.ts';
import { accessFailure } from './failedCall.ts';
import type { ShownPayment } from './paymentWay.ts';
import { soldAnswer } from './soldAnswer.ts';
import { toolChallenge } from './toolChallenge.ts';
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

/** Makes the last stages of a paid tool: access, payment, answer; at once where nothing has to be read for them. */
export function toolSeller(deps: SellDeps): (call: EndpointCall, sale: Sale) => Outgoing | Promise<Outgoing> {
  function decide(call: EndpointCall, sale: Sale): Decision | Promise<Decision> {
    // without a client nothing is claimed and nothing is sent (P1.13)
    if (call.request.clientGone()) throw clientLeft();
    return deps.gate.decide({
      nowMs: deps.nowMs(),
      presented: sale.payment.presented,
      servable: sale.source.servable,
      formerMicroUsd: sale.formerMicroUsd,
      rails: railsOf(call.plan.route, sale.payment.way),
      plan: call.plan,
      requestId: call.requestId,
      head: false,
      fingerprint: sale.fingerprint,
      clientAddress: call.request.clientAddress,
      clientGone: call.request.clientGone,
    });
  }

  function answerAdmitted(call: EndpointCall, sale: Sale, admit: Admit): Outgoing | Promise<Outgoing> {
    return caught(
      () =>
        soon(admittedVersion(sale, admit), (source) => {
          const nowMs = deps.nowMs();
          const showsLastRun = source.serveTime?.showsLastRun === true;
          return soon(showsLastRun ? deps.store.lastRun() : null, (lastRun) =>
            soldAnswer(call, source, { admit, lastRun, ...deps.momentOf(call, nowMs) }),
          );
        }),
      (error) => {
        // what fails after access is our fault, which the gate learns (P7.9)
        admit.done('undelivered', true);
        throw error;
      },
    );
  }

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

  return (call, sale) =>
    soon(decide(call, sale), (decision) =>
      decision.kind === 'admit' ? answerAdmitted(call, sale, decision) : answerRefused(call, sale, decision),
    );
}

function admittedVersion(
  { source, again }: Sale,
  { replayed, receipt }: Admit,
): ToolSource | Promise<ToolSource> {
  const version = receipt?.artifactVersion;
  const isOther = replayed && version !== undefined && version !== source.servable.artifactVersion;
  return isOther ? again(version) : source;
}
