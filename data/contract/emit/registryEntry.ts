import { z } from 'zod';
import { versions } from '../values/versions.ts';
import type { Deployment } from './deployment.ts';

/** `/server.json` (I4.F25.1): the entry of this server in the registry of the tool protocol, ready to publish. */
export const registryEntry = z.looseObject({
  $schema: z.string(),
  name: z.string(),
  description: z.string().max(100),
  version: z.string(),
  remotes: z.array(z.looseObject({ type: z.literal('streamable-http'), url: z.string() })),
});

/** Emits the entry; its name space is the host name backwards, which the registry proves by DNS or HTTP. */
export function emitRegistryEntry({ baseUrl }: Deployment): z.infer<typeof registryEntry> {
  const space = new URL(baseUrl).hostname
    .replaceAll(/[[\]:]/g, '')
    .split('.')
    .toReversed()
    .join('.');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json',
    name: `${space}/issuer-intelligence`,
    description:
      'Solvency of public companies that hold crypto, from SEC filings. Paid by x402, MPP or API key.',
    version: versions.api,
    websiteUrl: baseUrl,
    remotes: [
      {
        type: 'streamable-http',
        url: `${baseUrl}/mcp`,
        headers: [
          {
            name: 'X-API-Key',
            description: 'An API key; without one the free tools answer, and the others ask for payment.',
            isRequired: false,
            isSecret: true,
          },
        ],
      },
    ],
  };
}
