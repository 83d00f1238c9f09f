import { z } from 'zod';
import type { Route } from '../routes/route.ts';
import { versions } from '../values/versions.ts';
import type { Deployment } from './deployment.ts';
import { emitServerCard } from './serverCard.ts';

/** `/.well-known/agent-card.json` (I4.F24.1): the tools as skills, for directories of agents that read this form. */
export const agentCard = z.looseObject({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  supportedInterfaces: z.array(
    z.object({ url: z.string(), protocolBinding: z.string(), protocolVersion: z.string() }),
  ),
  skills: z.array(
    z.object({ id: z.string(), name: z.string(), description: z.string(), tags: z.array(z.string()) }),
  ),
});

/** Whose tools they are, by their first word. */
const tags: Readonly<Record<string, readonly string[]>> = {
  intel: ['crypto treasuries', 'solvency', 'sec filings'],
  visual: ['diagrams'],
};

/**
 * Emits the card, in the form of A2A 1.0. It has one interface, of the tool protocol: an agent that speaks A2A alone finds none
 * it can use, and asks nothing of an endpoint that would not answer.
 */
export function emitAgentCard(deployment: Deployment, routes: readonly Route[]): z.infer<typeof agentCard> {
  const { title, version, description, endpoint, tools, protocol_versions } = emitServerCard(
    deployment,
    routes,
  );
  const { baseUrl } = deployment;
  return {
    name: title,
    description,
    version,
    supportedInterfaces: [
      {
        url: endpoint,
        protocolBinding: 'https://modelcontextprotocol.io',
        protocolVersion: protocol_versions[0] ?? '',
      },
    ],
    provider: { organization: versions.title, url: baseUrl },
    documentationUrl: `${baseUrl}/reference`,
    iconUrl: `${baseUrl}/favicon.ico`,
    capabilities: { streaming: false, pushNotifications: false },
    securitySchemes: { apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } } },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json', 'text/plain'],
    skills: tools.map(({ name, title: what, price_usd: price, access }) => ({
      id: name,
      name: what,
      description: `${what}. ${access === 'free' ? 'Free.' : access === 'api_key' || price === null ? 'With an API key.' : `${price} USD a call, or an API key.`}`,
      tags: [...(tags[name.split('_')[0] ?? ''] ?? [])],
    })),
  };
}
