import type { Route } from '../routes/route.ts';
import words from './documentWords.json' with { type: 'json' };

/** The groups of operations, in the order of the document. */
export const routeTags = words.tags;

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
