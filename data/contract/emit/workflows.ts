import { z } from 'zod';
import { isRailOn, offeredRoutes, type PaymentRail } from '../routes/paymentRail.ts';
import type { Route } from '../routes/route.ts';
import { versions } from '../values/versions.ts';
import type { Deployment } from './deployment.ts';

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
type Step = z.infer<typeof step>;
type Flow = Workflows['workflows'][number];

/** A step that is to be answered with 200, its parameters read from inputs and earlier steps. */
function ask({
  stepId,
  operationId,
  description,
  parameters = {},
  paid = true,
  outputs,
}: {
  stepId: string;
  operationId: string;
  description: string;
  parameters?: Readonly<Record<string, { in: 'path' | 'query'; value: string }>>;
  paid?: boolean;
  outputs?: Readonly<Record<string, string>>;
}): Step {
  const given = Object.entries(parameters).map(([name, rest]) => ({ name, ...rest }));
  const payment = paid ? [{ name: 'x-api-key', in: 'header', value: '$inputs.api_key' }] : [];
  return {
    stepId,
    description,
    operationId,
    ...(given.length + payment.length === 0 ? {} : { parameters: [...given, ...payment] }),
    successCriteria: [{ condition: '$statusCode == 200' }],
    ...(outputs === undefined ? {} : { outputs }),
  };
}

const inputs = (members: Readonly<Record<string, string>>) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(members).map(([name, description]) => [name, { type: 'string', description }]),
  ),
});

/** The key that steps take, or how they are paid without one. */
function keyInput(deployment: Deployment): { readonly api_key: string } {
  const ways = [
    ...(isRailOn(deployment, 'x402') ? ['each step as buy_with_x402 shows'] : []),
    ...(isRailOn(deployment, 'mpp') ? ['its route below /mpp/v1 as buy_with_mpp shows'] : []),
  ];
  return { api_key: ways.length === 0 ? 'API key.' : `API key; without one pay ${ways.join(', or ')}.` };
}

const keyedFlows = (key: ReturnType<typeof keyInput>): readonly Flow[] => [
  {
    workflowId: 'screen_drill_down_evidence',
    summary: 'From the whole slice to the filing behind one figure.',
    description:
      'Screens issuers by risk tier, reads the stress of the worst, and the filed figures it rests on.',
    inputs: inputs({ risk_tier: 'CRITICAL, HIGH, MODERATE, LOW or UNCLASSIFIED.', ...key }),
    steps: [
      ask({
        stepId: 'screen',
        operationId: 'screenCovenantStress',
        description: 'Issuers of the tier, worst first.',
        parameters: { risk_tier: { in: 'query', value: '$inputs.risk_tier' } },
        outputs: { ticker: '$response.body#/data/0/ticker' },
      }),
      ask({
        stepId: 'drill_down',
        operationId: 'getCovenantStress',
        description: 'All figures of the first one.',
        parameters: { ticker: { in: 'path', value: '$steps.screen.outputs.ticker' } },
        outputs: { accession_number: '$response.body#/accession_number' },
      }),
      ask({
        stepId: 'evidence',
        operationId: 'getCompanyFundamentals',
        description: 'The filed figures with concept, period and accession number.',
        parameters: { ticker: { in: 'path', value: '$steps.screen.outputs.ticker' } },
        outputs: { provenance: '$response.body#/provenance' },
      }),
    ],
    outputs: {
      ticker: '$steps.screen.outputs.ticker',
      accession_number: '$steps.drill_down.outputs.accession_number',
    },
  },
  {
    workflowId: 'morning_check',
    summary: 'Is the data fresh, and what changed last night?',
    description: 'Reads readiness first; only a fresh slice is worth the rest.',
    inputs: inputs(key),
    steps: [
      ask({
        stepId: 'readiness',
        operationId: 'getReadiness',
        description: 'Whether the slice is fresh and whole.',
        outputs: { ok: '$response.body#/ok', source_date: '$response.body#/source_date' },
      }),
      ask({
        stepId: 'changes',
        operationId: 'getDailyChangesLatest',
        description: 'Companies whose filings or figures changed.',
        outputs: { changed: '$response.body#/stats/changed_company_count' },
      }),
      ask({
        stepId: 'top',
        operationId: 'getTopStressed',
        description: 'The most stressed issuers.',
        outputs: { first: '$response.body#/data/0/ticker' },
      }),
    ],
    outputs: { ok: '$steps.readiness.outputs.ok', first: '$steps.top.outputs.first' },
  },
];

/** How a rail asks for a payment and takes it: its route, its headers, and what the buyer sends back. */
const purchases: { readonly [R in PaymentRail]: Purchase } = {
  x402: {
    client: 'an x402 client',
    operationId: 'getCovenantStress',
    input: 'payment_signature',
    about: 'Base64 JSON of the x402 version 2 payment that the challenge of the step quote asks for.',
    header: 'PAYMENT-SIGNATURE',
    asked: { challenge: '$response.header.PAYMENT-REQUIRED', accepts: '$response.body#/accepts' },
  },
  mpp: {
    client: 'a wallet of machine payments',
    operationId: 'mppGetCovenantStress',
    input: 'credential',
    about: 'Payment, a space, and the credential that answers the challenge of the step quote.',
    header: 'Authorization',
    asked: { challenge: '$response.header.WWW-Authenticate' },
  },
};

type Purchase = {
  readonly client: string;
  readonly operationId: string;
  readonly input: string;
  readonly about: string;
  readonly header: string;
  readonly asked: Readonly<Record<string, string>>;
};

function purchaseFlow(rail: PaymentRail): Flow {
  const { client, operationId, input, about, header, asked } = purchases[rail];
  return {
    workflowId: `buy_with_${rail}`,
    summary: 'Find, price, pay and check one answer without an account.',
    description: `The 402 of the second step states the exact price; its challenge is signed by ${client}, and the same request is sent again with the payment.`,
    inputs: inputs({ search: 'Part of a name, ticker or CIK.', [input]: about }),
    steps: [
      ask({
        stepId: 'find',
        operationId: 'listCompanies',
        description: 'The company, free of charge.',
        parameters: { search: { in: 'query', value: '$inputs.search' } },
        paid: false,
        outputs: { ticker: '$response.body#/companies/0/ticker' },
      }),
      {
        stepId: 'quote',
        description: 'Asks without a payment: the price and what is accepted.',
        operationId,
        parameters: [{ name: 'ticker', in: 'path', value: '$steps.find.outputs.ticker' }],
        successCriteria: [{ condition: '$statusCode == 402' }],
        outputs: { ...asked },
      },
      {
        stepId: 'buy',
        description: 'The same request with the signed payment.',
        operationId,
        parameters: [
          { name: 'ticker', in: 'path', value: '$steps.find.outputs.ticker' },
          { name: header, in: 'header', value: `$inputs.${input}` },
        ],
        successCriteria: [{ condition: '$statusCode == 200' }],
        outputs: {
          receipt: '$response.body#/settlement_receipt/receipt_id',
          payload_sha256: '$response.body#/response_metadata/payload_sha256',
        },
      },
      ask({
        stepId: 'check',
        operationId: 'getArtifactManifest',
        description: 'The signed manifest that lists the hash of the artifact.',
        paid: false,
        outputs: { manifest: '$response.body' },
      }),
    ],
    outputs: { receipt: '$steps.buy.outputs.receipt', payload_sha256: '$steps.buy.outputs.payload_sha256' },
  };
}

/**
 * Emits the workflows whose every operation is offered, with a purchase on each rail that is on (I4.37).
 *
 * Pure: the same routes and deployment give the same document.
 */
export function emitWorkflows(deployment: Deployment, routes: readonly Route[]): Workflows {
  const offered = new Set(offeredRoutes(routes, deployment).map(({ operationId }) => operationId));
  const rails = (['x402', 'mpp'] as const).filter((rail) => isRailOn(deployment, rail));
  const flows = [...keyedFlows(keyInput(deployment)), ...rails.map(purchaseFlow)];
  return {
    arazzo: '1.0.1',
    info: {
      title: `${versions.title}: workflows`,
      version: versions.api,
      description: 'What agents and desks do with the operations, step by step.',
    },
    sourceDescriptions: [{ name: 'api', url: `${deployment.baseUrl}/openapi.json`, type: 'openapi' }],
    workflows: flows.filter(({ steps }) => steps.every(({ operationId }) => offered.has(operationId))),
  };
}
