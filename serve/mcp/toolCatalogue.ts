import { isSunset, sunsetInstants } from '../../data/contract/routes/deprecation.ts';
import { priceChangeInstants, routesAt } from '../../data/contract/routes/priceChange.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { emitTools, type ToolOffer } from '../../data/contract/tools/emitTools.ts';
import { type OfferedTool, offeredTools } from '../../data/contract/tools/offeredTools.ts';
import { type VisualTool, visualTools } from '../../data/contract/tools/visualTools.ts';
import { type OpenBodies, openBodies } from '../body/openBodies.ts';

/** The tools of a route table: what `tools/list` prints, and what a call finds under a name. */
export type ToolCatalogue = {
  /** A frame with the list, up to its id: what every answer to `tools/list` sends as it is. */
  readonly list: OpenBodies;
  readonly intel: ReadonlyMap<string, OfferedTool>;
  readonly visual: ReadonlyMap<string, VisualTool>;
  /** Every listed name. */
  readonly names: ReadonlySet<string>;
};

/**
 * Makes the catalogues of a route table, each when it is first asked for: as the table reads before, and from each
 * announced change of a price or end of a route on (I4.MCP.11, I9.5).
 */
export function toolCatalogues({
  routes,
  ...offer
}: Required<ToolOffer> & { readonly routes: readonly Route[] }): (nowMs: number) => ToolCatalogue {
  const instants = [...new Set([...priceChangeInstants(routes), ...sunsetInstants(routes)])];
  const known = new Map<number, ToolCatalogue>();
  return (nowMs) => {
    // how many changes are past tells the tables apart
    const past = instants.filter((instant) => instant <= nowMs).length;
    const found = known.get(past) ?? catalogue(tableAt(routes, nowMs), offer);
    known.set(past, found);
    return found;
  };
}

function tableAt(routes: readonly Route[], nowMs: number): readonly Route[] {
  return routesAt(routes, nowMs).filter((route) => !isSunset(route, nowMs));
}

function catalogue(routes: readonly Route[], offer: Required<ToolOffer>): ToolCatalogue {
  const tools = emitTools(routes, offer);
  const names = new Set(tools.map(({ name }) => name));
  const result = JSON.stringify({ tools });
  return {
    list: openBodies({ open: Buffer.from(`{"jsonrpc":"2.0","result":${result}`) }),
    intel: new Map(offeredTools(routes, offer.disabled).map((offered) => [offered.tool.name, offered])),
    visual: new Map(visualTools.filter(({ name }) => names.has(name)).map((tool) => [tool.name, tool])),
    names,
  };
}
