import { type LandingInput, landingPage } from '../../calculators/visual/page/landingPage.ts';
import { referencePage } from '../../calculators/visual/page/referencePage.ts';
import { searchScript } from '../../calculators/visual/page/referenceSearch.ts';
import { emitAgentCard } from '../../data/contract/emit/agentCard.ts';

import alphaWeights from '../../data/contract/emit/alphaWeights.json' with { type: 'json' };
import type { Deployment } from '../../data/contract/emit/deployment.ts';
import { type DeploymentKeys, emitDidDocument } from '../../data/contract/emit/didDocument.ts';
import { emitFieldContract } from '../../data/contract/emit/fieldContract.ts';
import { emitHelp } from '../../data/contract/emit/help.ts';
import { emitLlmsTxt } from '../../data/contract/emit/llmsTxt.ts';
import { emitOpenApi } from '../../data/contract/emit/openapi.ts';
import { emitIcon, emitRobots } from '../../data/contract/emit/plainDoors.ts';
import { emitPricing } from '../../data/contract/emit/pricing.ts';
import { emitRegistryEntry } from '../../data/contract/emit/registryEntry.ts';
import { emitServerCard } from '../../data/contract/emit/serverCard.ts';
import { emitWellKnownX402 } from '../../data/contract/emit/wellKnownX402.ts';
import { emitWorkflows } from '../../data/contract/emit/workflows.ts';
import type { DocumentName } from '../../data/contract/routes/answer.ts';
import { isSunset, sunsetInstants } from '../../data/contract/routes/deprecation.ts';
import { offeredRoutes } from '../../data/contract/routes/paymentRail.ts';
import { priceChangeInstants, routesAt } from '../../data/contract/routes/priceChange.ts';
import { type Route, routeNamed } from '../../data/contract/routes/route.ts';
import { routesOfTool } from '../../data/contract/tools/offeredTools.ts';
import { toolPaymentWays } from '../../data/contract/tools/toolPayment.ts';
import { type CodedBytes, codedBytes, sha256Hex } from '../body/openBodies.ts';
import { pagePolicy, scriptPolicy } from '../http/standardHeaders.ts';

/** Bytes that are the same for everyone, under a strong tag (I9.13). */
export type FreeDocument = CodedBytes & {
  readonly contentType: string;
  readonly sha256: string;
  /** Opaque value of the tag, without the suffix of a coding. */
  readonly tag: string;
  /** What a page may do in a browser; null of what is no page. */
  readonly policy: string | null;
};

/** Wraps finished bytes; the tag is the start of their SHA-256 unless one is passed. */
export function freeDocument({
  bytes,
  contentType = 'application/json; charset=utf-8',
  tag,
  policy = contentType.startsWith('text/html') ? pagePolicy : null,
}: {
  bytes: Buffer;
  contentType?: string;
  tag?: string;
  policy?: string | null;
}): FreeDocument {
  let made: string | null = null;
  // that of a page of a list is never read: its tag is known before
  const sha256 = (): string => {
    made ??= sha256Hex(bytes);
    return made;
  };
  return {
    ...codedBytes(bytes),
    contentType,
    get sha256() {
      return sha256();
    },
    tag: tag ?? sha256().slice(0, 32),
    policy,
  };
}

/** The newest slice as the landing page shows it. */
export type LandingNight = Pick<LandingInput, 'sourceDate' | 'ageDays' | 'figures'>;

/** What a part of a document is about. */
export type PartName = { readonly by: 'route' | 'tool'; readonly name: string };

/** The discovery documents as they read between two changes of price. */
export type Discovery = {
  readonly documents: ReadonlyMap<DocumentName, FreeDocument>;
  /** SHA-256 of each, by its name in `/ready` (I4.F10.1). */
  readonly hashes: Readonly<Record<string, string>>;
  /**
   * The part of a document about one route or the routes of a tool (I4.F18.2), or the whole with examples for null (I4.F07.2),
   * emitted when it is first asked for; null for a document that has none.
   *
   * @throws IssuerError `invalid_parameter` for a name of no live route or tool
   */
  part(document: DocumentName, about: PartName | null): FreeDocument | null;
  /** The landing page over what is known of the last night (I4.F18.1). */
  landing(night: LandingNight): FreeDocument;
};

type FieldInput = Parameters<typeof emitFieldContract>[0];
type PublishedKeys = Pick<Required<FieldInput>, 'releaseKeys' | 'renderKey'> &
  Pick<DeploymentKeys, 'proofKey'>;

/** What the documents are made of. */
export type DiscoveryInput = {
  readonly deployment: Deployment;
  readonly routes: readonly Route[];
  /** The published key of offers and receipts; null while none is set. */
  readonly proofKey: DeploymentKeys['proofKey'];
  /** The published keys of releases; another list after a night has made another key. */
  releaseKeys(): PublishedKeys['releaseKeys'];
  /** The published key of renders; another value after the first render has made one. */
  renderKey(): PublishedKeys['renderKey'];
  /** Committed sample answers by operationId, read when the documents are emitted. */
  samples(): ReadonlyMap<string, string>;
};

/**
 * Emits the documents once, when the first is asked for: as they read before, and from each announced change of price or
 * end of a route on. So all servers with one build and one configuration send the same bytes at any instant, whenever they were started
 * (I4.39, I9.5). A server asks before it listens, a single answer of the command line perhaps never.
 */
export function discoveryDocuments(input: DiscoveryInput): (nowMs: number) => Discovery {
  let emitted: (PublishedKeys & { readonly since: readonly Since[] }) | null = null;
  // read once: documents are emitted again for another key, perhaps when no file can be opened
  let samples: ReadonlyMap<string, string> | null = null;
  return (nowMs) => {
    const keys = {
      releaseKeys: input.releaseKeys(),
      renderKey: input.renderKey(),
      proofKey: input.proofKey,
    };
    if (emitted?.releaseKeys !== keys.releaseKeys || emitted.renderKey !== keys.renderKey) {
      samples ??= input.samples();
      emitted = { ...keys, since: emitAll(input, { keys, samples }) };
    }
    const found = emitted.since.findLast(({ fromMs }) => fromMs <= nowMs);
    if (found === undefined) throw new RangeError('an instant is before all others');
    return found.discovery;
  };
}

type Emitted = Pick<DiscoveryInput, 'deployment' | 'routes'> & {
  readonly keys: PublishedKeys;
  readonly samples: ReadonlyMap<string, string>;
};
type Since = { readonly fromMs: number; readonly discovery: Discovery };

function emitAll(
  { deployment, routes }: DiscoveryInput,
  { keys, samples }: Pick<Emitted, 'keys' | 'samples'>,
): Since[] {
  const instants = new Set([...priceChangeInstants(routes), ...sunsetInstants(routes)]);
  const ascending = [...instants].sort((a, b) => a - b);
  return [Number.NEGATIVE_INFINITY, ...ascending].map((fromMs) => {
    const answering = routesAt(routes, fromMs).filter((route) => !isSunset(route, fromMs));
    const then = offeredRoutes(answering, deployment);
    return { fromMs, discovery: discoveryOf({ deployment, keys, routes: then, samples }) };
  });
}

// there are as many parts as live routes and tools, so the cache is bounded
function partsOf({ deployment, keys, routes }: Emitted): Discovery['part'] {
  const kept = new Map<string, FreeDocument>();
  const paymentWays = toolPaymentWays(deployment);
  const emit = (document: DocumentName, only: readonly Route[] | null): FreeDocument | null => {
    if (document === 'openapi')
      return json(emitOpenApi(deployment, routes, { ...(only === null ? {} : { only }), examples: true }));
    if (document === 'fields' && only !== null)
      return json(emitFieldContract({ alphaWeights, ...keys, routes: only, paymentWays }));
    return null;
  };
  const routesAbout = ({ by, name }: PartName) =>
    by === 'tool' ? routesOfTool(name, routes) : [routeNamed(name, routes)];
  return (document, about) => {
    const only = about === null ? null : routesAbout(about);
    const key = `${document} ${only?.map(({ id }) => id).join(' ')}`;
    const made = kept.get(key) ?? emit(document, only);
    if (made !== null) kept.set(key, made);
    return made;
  };
}

function discoveryOf(input: Emitted): Discovery {
  const { deployment, keys, routes, samples } = input;
  const paymentWays = toolPaymentWays(deployment);
  const documents = new Map<DocumentName, FreeDocument>([
    ['fields', json(emitFieldContract({ alphaWeights, ...keys, routes, paymentWays }))],
    ['help', json(emitHelp(deployment, routes))],
    ['pricing', json(emitPricing(deployment, routes))],
    ['openapi', json(emitOpenApi(deployment, routes))],
    ['well_known_x402', json(emitWellKnownX402(deployment, routes))],
    ['mcp_card', json(emitServerCard(deployment, routes))],
    ['workflows', json(emitWorkflows(deployment, routes))],
    ['did', json(emitDidDocument(deployment, keys))],
    ['agent_card', json(emitAgentCard(deployment, routes))],
    ['registry_entry', json(emitRegistryEntry(deployment))],
    ['robots', text(emitRobots(routes))],
    ['icon', freeDocument({ bytes: Buffer.from(emitIcon()), contentType: 'image/vnd.microsoft.icon' })],
    ['reference', page(referencePage({ deployment, routes, samples }), scriptPolicy(searchScript))],
    ['llms', text(emitLlmsTxt(deployment, routes))],
  ]);
  const hashes = Object.fromEntries([...documents].map(([name, { sha256 }]) => [name, sha256]));
  return {
    documents,
    hashes,
    part: partsOf(input),
    landing: (night) => page(landingPage({ deployment, routes, ...night })),
  };
}

function page(text: string, policy = pagePolicy): FreeDocument {
  return freeDocument({ bytes: Buffer.from(text), contentType: 'text/html; charset=utf-8', policy });
}

/** A document of plain text. */
export function text(value: string): FreeDocument {
  return freeDocument({ bytes: Buffer.from(value), contentType: 'text/plain; charset=utf-8' });
}

function json(value: unknown): FreeDocument {
  return freeDocument({ bytes: Buffer.from(JSON.stringify(value)) });
}
