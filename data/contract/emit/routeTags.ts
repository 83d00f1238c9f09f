import type { Route } from '../routes/route.ts';

/** The groups of operations, in the order of the document. */
export const routeTags = {
  Slice: 'The whole universe on one date: readiness, boards, screens, last night’s changes, histories.',
  Issuers: 'One company: figures, stress, scores, rank, history.',
  Products: 'Perpetual-contract products: constituents, factors, pressure, audits.',
  Tools: 'The same answers as tools for agents.',
  'Machine payments': 'The same answers on the payment rail of /mpp/v1.',
  Discovery: 'What is offered, what it costs, and what is covered. Free.',
  Operations: 'Whether the server lives and can sell. Free.',
  Grants: 'Prepaid budgets that a wallet opens by a signature. Free.',
  'Card checkout': 'Buying a budget by card. Free until the card is charged.',
} as const;

export type RouteTag = keyof typeof routeTags;

/** The group of an operation. */
export function routeTag(route: Route): RouteTag {
  switch (route.family) {
    case 'mpp':
      return 'Machine payments';
    case 'mcp':
      return 'Tools';
    case 'free':
      return freeTag(route);
    case 'v1':
      return paidTag(route);
  }
}

/** By what is asked about, wherever the call names it: in the path, the query or the body. */
function paidTag({ scope, params }: Route): RouteTag {
  if (scope === 'issuer' || params.some(({ name, required }) => name === 'ticker' && required))
    return 'Issuers';
  if (scope === 'product' || params.some(({ name }) => name === 'bucket_length')) return 'Products';
  return 'Slice';
}

function freeTag({ answer }: Route): RouteTag {
  switch (answer?.kind) {
    case 'health':
    case 'ready':
      return 'Operations';
    case 'grants':
      return 'Grants';
    case 'checkout':
      return 'Card checkout';
    default:
      return 'Discovery';
  }
}
