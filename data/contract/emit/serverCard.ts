import { z } from 'zod';
import type { Route } from '../routes/route.ts';
import { toolEndpoint, toolLine, toolLines } from '../tools/offeredTools.ts';
import { mppToolAdvice, toolPaymentWay, toolPaymentWays, x402ToolAdvice } from '../tools/toolPayment.ts';
import { configurationSchema, supportedRevisions } from '../tools/toolProtocol.ts';
import { visualTools } from '../tools/visualTools.ts';
import { count, usd } from '../values/primitives.ts';
import { versions } from '../values/versions.ts';
import type { Deployment } from './deployment.ts';

/** `/.well-known/mcp.json` (I4.F21.1): what an agent should know of the tools before it connects. */
export const serverCard = z.object({
  name: z.literal(versions.service),
  title: z.string(),
  version: z.string(),
  description: z.string(),
  endpoint: z.string(),
  transport: z.literal('streamable-http'),
  /** The declared one first. */
  protocol_versions: z.array(z.string()),
  tool_count: count,
  /** Those that tools/list has, in its order. */
  tools: z.array(toolLine),
  planned_tools: z.array(
    z.object({ name: z.string(), title: z.string(), price_usd: usd.nullable(), status: z.string() }),
  ),
  prices: z.object({ price_usd: usd, free_tools: z.array(z.string()) }),
  payment_ways: z.array(toolPaymentWay),
  authentication: z.array(z.object({ type: z.string(), how: z.string() })),
  configuration_schema: z.record(z.string(), z.unknown()),
  documentation: z.record(z.string(), z.string()),
});

export type ServerCard = z.infer<typeof serverCard>;

/** Emits the card. Pure: the same routes and deployment give the same document. */
export function emitServerCard(deployment: Deployment, routes: readonly Route[]): ServerCard {
  const tools = toolLines(routes, new Set(deployment.disabledTools));
  const planned = tools.length === 0 ? [] : visualTools.filter(({ forms }) => forms === null);
  return {
    name: versions.service,
    title: versions.title,
    version: versions.api,
    description:
      'Solvency of public companies that hold crypto, calculated each night from SEC filings and stored daily prices. Not investment advice.',
    endpoint: `${deployment.baseUrl}/mcp`,
    transport: 'streamable-http',
    protocol_versions: [...supportedRevisions],
    tool_count: tools.length,
    tools,
    planned_tools: planned.map(({ name, title, priceUsd, status }) => ({
      name,
      title,
      price_usd: priceUsd,
      status,
    })),
    prices: {
      price_usd: (toolEndpoint(routes)?.priceMicroUsd ?? 0) / 1_000_000,
      free_tools: tools.filter(({ price_usd }) => price_usd === 0).map(({ name }) => name),
    },
    payment_ways: toolPaymentWays(deployment),
    authentication: [
      { type: 'none', how: 'server/discover, initialize, ping, tools/list and the free tools.' },
      ...x402ToolAdvice(deployment).map((how) => ({ type: 'x402', how })),
      ...mppToolAdvice(deployment).map((how) => ({ type: 'mpp', how })),
      {
        type: 'api_key',
        how: 'Authorization: Bearer, x-api-key or mcp-api-key with a key of scope mcp; nothing is charged.',
      },
      { type: 'grant', how: 'Header X-Svc-Grant-Token where the grant names POST /mcp.' },
    ],
    configuration_schema: configurationSchema,
    documentation: { llms: '/llms.txt', pricing: '/v1/pricing', help: '/help', openapi: '/openapi.json' },
  };
}
