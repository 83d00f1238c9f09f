import { z } from 'zod';
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
const key = { api_key: 'API key; without one pay each step as buy_with_x402 shows.' };

const flows: readonly Flow[] = [
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
  {
    workflowId: 'buy_with_x402',
    summary: 'Find, price, pay and check one answer without an account.',
    description:
      'The 402 of the second step states the exact price; its challenge is signed by an x402 client, and the same request is sent again with the payment.',
    inputs: inputs({
      search: 'Part of a name, ticker or CIK.',
      payment_signature:
        'Base64 JSON of the x402 version 2 payment that the challenge of the step quote asks for.',
    }),
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
        operationId: 'getCovenantStress',
        parameters: [{ name: 'ticker', in: 'path', value: '$steps.find.outputs.ticker' }],
        successCriteria: [{ condition: '$statusCode == 402' }],
        outputs: { challenge: '$response.header.PAYMENT-REQUIRED', accepts: '$response.body#/accepts' },
      },
      {
        stepId: 'buy',
        description: 'The same request with the signed payment.',
        operationId: 'getCovenantStress',
        parameters: [
          { name: 'ticker', in: 'path', value: '$steps.find.outputs.ticker' },
          { name: 'PAYMENT-SIGNATURE', in: 'header', value: '$inputs.payment_signature' },
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
  },
];

/**
 * Emits the workflows whose every operation is live (I4.37).
 *
 * Pure: the same routes and deployment give the same document.
 */
export function emitWorkflows({ baseUrl }: Deployment, routes: readonly Route[]): Workflows {
  const live = new Set(
    routes.filter(({ status }) => status === 'live').map(({ operationId }) => operationId),
  );
  return {
    arazzo: '1.0.1',
    info: {
      title: `${versions.title}: workflows`,
      version: versions.api,
      description: 'What agents and desks do with the operations, step by step.',
    },
    sourceDescriptions: [{ name: 'api', url: `${baseUrl}/openapi.json`, type: 'openapi' }],
    workflows: flows.filter(({ steps }) => steps.every(({ operationId }) => live.has(operationId))),
  };
}
