import type { Deployment } from '../../contract/deployment.ts';
import { emitFieldContract } from '../../contract/fieldContract.ts';
import alphaWeights from '../../contract/generated/alphaWeights.json' with { type: 'json' };
import { emitHelp } from '../../contract/help.ts';
import { emitLlmsTxt } from '../../contract/llmsTxt.ts';
import { emitOpenApi } from '../../contract/openapi.ts';
import { priceChangeInstants, routesAt } from '../../contract/priceChange.ts';
import { emitPricing } from '../../contract/pricing.ts';
import type { Route } from '../../contract/route.ts';
import { type FreeDocument, freeDocument } from '../answer/freeDocument.ts';

/** The discovery documents as they read between two changes of price. */
export type Discovery = {
  /** By route id. */
  readonly documents: ReadonlyMap<string, FreeDocument>;
  /** SHA-256 of each, by its name in `/ready` (I4.F10.1). */
  readonly hashes: Readonly<Record<string, string>>;
};

/** Names of I4.F10.1 for the documents by route id. */
const names: Readonly<Record<string, string>> = {
  F01: 'pricing',
  F02: 'fields',
  F06: 'help',
  F07: 'openapi',
  F12: 'llms',
};

/**
 * Emits the documents once, when the first is asked for: as they read before, and from each announced change of price
 * on. So all servers with one build and one configuration send the same bytes at any instant, whenever they were started
 * (I4.39, I9.5). A server asks before it listens, a single answer of the command line perhaps never.
 */
export function discoveryDocuments(o: {
  deployment: Deployment;
  routes: readonly Route[];
  releaseKey: Parameters<typeof emitFieldContract>[0]['releaseKey'];
}): (nowMs: number) => Discovery {
  let emitted: readonly Since[] | null = null;
  return (nowMs) => {
    emitted ??= emitAll(o);
    const found = emitted.findLast(({ fromMs }) => fromMs <= nowMs);
    if (found === undefined) throw new RangeError('an instant is before all others');
    return found.discovery;
  };
}

type Since = { readonly fromMs: number; readonly discovery: Discovery };

function emitAll({ deployment, routes, releaseKey }: Parameters<typeof discoveryDocuments>[0]): Since[] {
  const constant = [
    ['F02', json(emitFieldContract({ alphaWeights, releaseKey, routes }))],
    ['F06', json(emitHelp(routes))],
  ] as const;
  return [Number.NEGATIVE_INFINITY, ...priceChangeInstants(routes)].map((fromMs) => ({
    fromMs,
    discovery: discoveryOf([...constant, ...pricedDocuments(deployment, routesAt(routes, fromMs))]),
  }));
}

type Named = readonly [id: string, document: FreeDocument];

function pricedDocuments(deployment: Deployment, routes: readonly Route[]): Named[] {
  const guide = Buffer.from(emitLlmsTxt(deployment, routes));
  return [
    ['F01', json(emitPricing(deployment, routes))],
    ['F07', json(emitOpenApi(deployment, routes))],
    ['F12', freeDocument({ bytes: guide, contentType: 'text/plain; charset=utf-8' })],
  ];
}

function discoveryOf(found: readonly Named[]): Discovery {
  const documents = new Map(found);
  const hashes = Object.fromEntries([...documents].map(([id, { sha256 }]) => [names[id] ?? id, sha256]));
  return { documents, hashes };
}

function json(value: unknown): FreeDocument {
  return freeDocument({ bytes: Buffer.from(JSON.stringify(value)) });
}
