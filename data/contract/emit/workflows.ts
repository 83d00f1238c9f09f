import { z } from 'zod';
import { isRailOn, offeredRoutes, type PaymentRail } from '../routes/paymentRail.ts';
import type { Route } from '../routes/route.ts';
import { versions } from '../values/versions.ts';
import type { Deployment } from './deployment.ts';
import table from './workflows.json' with { type: 'json' };

const step = z.looseObject({
  stepId: z.string(),
  description: z.string(),
  operationId: z.string(),
  successCriteria: z.array(z.object({ condition: z.string() })),
});

/** `/arazzo.json` (I4.F22.1): Arazzo 1.0 workflows over the operations of `/openapi.json`. */
export const workflows = z.object({
  arazzo: z.literal('1.0.1'),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  sourceDescriptions: z.array(z.object({ name: z.string(), url: z.string(), type: z.literal('openapi') })),
  workflows: z.array(
    z.looseObject({
      workflowId: z.string(),
      summary: z.string(),
      description: z.string(),
      steps: z.array(step),
    }),
  ),
});

export type Workflows = z.infer<typeof workflows>;
type Flow = Pick<Workflows['workflows'][number], 'summary' | 'description' | 'steps'> & {
  /** What each input is. */
  readonly inputs: Inputs;
};
type Inputs = Readonly<Record<string, string>>;

/** The workflows by their ids. */
const flows: Readonly<Record<string, Flow>> = table;

const purchases: { readonly [R in PaymentRail]: string } = { x402: 'buy_with_x402', mpp: 'buy_with_mpp' };

/** The key that steps take, or how they are paid without one. */
function keyWords(deployment: Deployment): string {
  const ways = [
    ...(isRailOn(deployment, 'x402') ? [`each step as ${purchases.x402} shows`] : []),
    ...(isRailOn(deployment, 'mpp') ? [`its route below /mpp/v1 as ${purchases.mpp} shows`] : []),
  ];
  return ways.length === 0 ? 'API key.' : `API key; without one pay ${ways.join(', or ')}.`;
}

function inputsOf(inputs: Inputs, deployment: Deployment) {
  const properties = Object.entries(inputs).map(([name, about]) => [
    name,
    { type: 'string', description: name === 'api_key' ? keyWords(deployment) : about },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/**
 * Emits the workflows whose every operation is offered, with a purchase on each rail that is on (I4.37).
 *
 * Pure: the same routes and deployment give the same document.
 */
export function emitWorkflows(deployment: Deployment, routes: readonly Route[]): Workflows {
  const offered = new Set(offeredRoutes(routes, deployment).map(({ operationId }) => operationId));
  const off = (['x402', 'mpp'] as const).flatMap((rail) =>
    isRailOn(deployment, rail) ? [] : [purchases[rail]],
  );
  return {
    arazzo: '1.0.1',
    info: {
      title: `${versions.title}: workflows`,
      version: versions.api,
      description: 'What agents and desks do with the operations, step by step.',
    },
    sourceDescriptions: [{ name: 'api', url: `${deployment.baseUrl}/openapi.json`, type: 'openapi' }],
    workflows: Object.entries(flows)
      .filter(([id, { steps }]) => !off.includes(id) && steps.every((one) => offered.has(one.operationId)))
      .map(([workflowId, flow]) => ({ workflowId, ...flow, inputs: inputsOf(flow.inputs, deployment) })),
  };
}
