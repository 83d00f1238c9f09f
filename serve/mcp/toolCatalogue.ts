import { isSunset, sunsetInstants } from '../../data/contract/routes/deprecation.ts';
import { priceChangeInstants, routesAt } from '../../data/contract/routes/priceChange.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { emitToolHelp } from '../../data/contract/tools/emitToolHelp.ts';
import { emitTools, type ToolOffer } from '../../data/contract/tools/emitTools.ts';
import { type OfferedTool, offeredTools } from '../../data/contract/tools/offeredTools.ts';
import { listLifetimeMs, resultMeta } from '../../data/contract/tools/toolProtocol.ts';
import { type VisualTool, visualTools } from '../../data/contract/tools/visualTools.ts';
import { type OpenBodies, openBodies } from '../body/openBodies.ts';
import { type FreeDocument, freeDocument } from '../free/discoveryDocuments.ts';
import type { RpcId } from './jsonRpc.ts';
import { type ToolWords, toolWords } from './toolWords.ts';

/** The tools of a route table: what `tools/list` prints, and what a call finds under a name. */
export type ToolCatalogue = {
  /** A frame up to the end of the list: what every answer to `tools/list` sends as it is. */
  readonly list: OpenBodies;
  /** How long it stays as it is (I4.MCP.31). */
  readonly ttlMsAt: (nowMs: number) => number;
  readonly intel: ReadonlyMap<string, OfferedTool>;
  /** The planned ones as well: a call says what they are. */
  readonly visual: ReadonlyMap<string, VisualTool>;
  /** Every listed name. */
  readonly names: ReadonlySet<string>;
  readonly words: ToolWords;
  /** The help of all tools, or of one; null for a name that is not listed. */
  readonly help: (name: string | null) => FreeDocument | null;
};

/** What a deployment offers, and how its calls are paid, in sentences. */
type CatalogueOffer = Required<ToolOffer> & { readonly howToUse: readonly string[] };

/**
 * Makes the catalogues of a route table, each when it is first asked for: as the table reads before, and from each
 * announced change of a price or end of a route on (I4.MCP.11, I9.5).
 */
export function toolCatalogues({
  routes,
  ...offer
}: CatalogueOffer & { readonly routes: readonly Route[] }): (nowMs: number) => ToolCatalogue {
  const instants = [...new Set([...priceChangeInstants(routes), ...sunsetInstants(routes)])];
  const ttlMsAt = (nowMs: number): number => listLifetimeMs(nowMs, instants);
  const known = new Map<number, ToolCatalogue>();
  return (nowMs) => {
    // how many changes are past tells the tables apart
    const past = instants.filter((instant) => instant <= nowMs).length;
    const found = known.get(past) ?? { ...catalogue(tableAt(routes, nowMs), offer), ttlMsAt };
    known.set(past, found);
    return found;
  };
}

/** What ends the frame of a list: how long it may be kept and by whom, and the id of the request (I4.MCP.31). */
export function listEnd(ttlMs: number, id: RpcId): string {
  const rest = { ttlMs, cacheScope: 'public', resultType: 'complete', _meta: resultMeta };
  return `,${JSON.stringify(rest).slice(1)},"id":${JSON.stringify(id)}}`;
}

function tableAt(routes: readonly Route[], nowMs: number): readonly Route[] {
  return routesAt(routes, nowMs).filter((route) => !isSunset(route, nowMs));
}

function catalogue(routes: readonly Route[], offer: CatalogueOffer): Omit<ToolCatalogue, 'ttlMsAt'> {
  const tools = emitTools(routes, offer);
  const names = new Set(tools.map(({ name }) => name));
  const offered = offeredTools(routes, offer.disabled);
  return {
    list: openBodies({ open: Buffer.from(`{"jsonrpc":"2.0","result":{"tools":${JSON.stringify(tools)}`) }),
    intel: new Map(offered.map((one) => [one.tool.name, one])),
    visual: new Map(visualTools.map((tool) => [tool.name, tool])),
    names,
    words: toolWords(offered),
    help: helpDocuments(routes, offer),
  };
}

/** Prints each help once, when it is first asked for: there are not more of them than tools. */
function helpDocuments(routes: readonly Route[], offer: CatalogueOffer): ToolCatalogue['help'] {
  const known = new Map<string | null, FreeDocument>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const help = emitToolHelp(routes, { ...offer, name });
    if (help === null) return null;
    const made = freeDocument({ bytes: Buffer.from(JSON.stringify(help)) });
    known.set(name, made);
    return made;
  };
}
