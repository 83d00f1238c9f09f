import { free } from './freeRoutes.ts';
import type { Route } from './route.ts';

const door = { status: 'live', cacheClass: 'CC-FREE' } as const;

/** F21–F28: documents under the addresses that other programs look for. */
export const doorRoutes: readonly Route[] = [
  free({
    id: 'F21',
    path: '/.well-known/mcp.json',
    operationId: 'getMcpServerCard',
    ...door,
    answer: { kind: 'document', document: 'mcp_card' },
    description: 'Card of the tool server: endpoint, revisions, tools, prices and ways to pay.',
  }),
  free({
    id: 'F22',
    path: '/arazzo.json',
    operationId: 'getWorkflows',
    ...door,
    answer: { kind: 'document', document: 'workflows' },
    description: 'Workflows over the operations, as Arazzo describes them.',
  }),
  free({
    id: 'F23',
    path: '/.well-known/did.json',
    operationId: 'getDidDocument',
    ...door,
    answer: { kind: 'document', document: 'did' },
    description: 'Keys that sign for this origin, and the account its payments go to (did:web).',
  }),
  free({
    id: 'F24',
    path: '/.well-known/agent-card.json',
    operationId: 'getAgentCard',
    ...door,
    answer: { kind: 'document', document: 'agent_card' },
    description: 'The tools as skills of an agent card.',
  }),
  free({
    id: 'F25',
    path: '/server.json',
    operationId: 'getRegistryEntry',
    ...door,
    answer: { kind: 'document', document: 'registry_entry' },
    description: 'Entry of the tool server for the MCP registry.',
  }),
  free({
    id: 'F26',
    path: '/robots.txt',
    operationId: 'getRobots',
    ...door,
    answer: { kind: 'document', document: 'robots', mediaType: 'text/plain' },
    description: 'What programs that index pages may read.',
  }),
  free({
    id: 'F27',
    path: '/.well-known/security.txt',
    operationId: 'getSecurityContact',
    ...door,
    answer: { kind: 'security' },
    description: 'Whom to tell of a weakness (RFC 9116), where the operator names somebody.',
  }),
  free({
    id: 'F28',
    path: '/favicon.ico',
    operationId: 'getIcon',
    ...door,
    answer: { kind: 'document', document: 'icon', mediaType: 'image/vnd.microsoft.icon' },
    description: 'Mark of the service, sixteen pixels square.',
  }),
];
