import { type Route, routeUri } from '../routes/route.ts';
import { versions } from '../values/versions.ts';
import { visualArgumentsSchema } from '../visual/visualArguments.ts';
import { emitTools, outputSchema, type ToolHelp, type ToolOffer, visualOutputSchema } from './emitTools.ts';
import { sharedArguments } from './intelTools.ts';
import { offeredTools, toolLines } from './offeredTools.ts';
import { builtVisualTools } from './visualTools.ts';

/**
 * Emits the help of the tools of a route table; with the name of a tool all of that one (I4.MCP.32).
 *
 * @returns null for a name that no listed tool has
 */
export function emitToolHelp(
  routes: readonly Route[],
  {
    howToUse,
    name,
    ...offer
  }: ToolOffer & { readonly howToUse: readonly string[]; readonly name: string | null },
): ToolHelp | null {
  const lines = helpLines(routes, offer);
  const asked = name === null ? null : toolNamed(routes, offer, name);
  if (name !== null && asked === null) return null;
  return {
    service: versions.title,
    how_to_use: name === null ? [...howToUse] : [],
    shared_arguments: { ...sharedArguments },
    tools: name === null ? lines : [],
    tool: asked,
  };
}

type Line = ToolHelp['tools'][number];

function helpLines(routes: readonly Route[], { disabled }: ToolOffer): Line[] {
  return toolLines(routes, disabled).map(({ route: _, ...line }) => line);
}

function toolNamed(routes: readonly Route[], offer: ToolOffer, name: string): ToolHelp['tool'] {
  const shown = emitTools(routes, offer).find((tool) => tool.name === name);
  const line = helpLines(routes, offer).find((one) => one.name === name);
  if (shown === undefined || line === undefined) return null;
  const { description, inputSchema } = shown;
  const visual = builtVisualTools.find((tool) => tool.name === name);
  if (visual !== undefined) {
    const whole = visualArgumentsSchema(visual.forms.args);
    return {
      ...line,
      description,
      routes: [],
      input_schema: whole,
      output_schema: visualOutputSchema(visual),
    };
  }
  const offered = offeredTools(routes, offer.disabled).find(({ tool }) => tool.name === name);
  if (offered === undefined) return null;
  const uris = [...offered.routes, ...offered.twins].map(routeUri);
  return {
    ...line,
    description,
    routes: uris,
    input_schema: inputSchema,
    output_schema: outputSchema(offered),
  };
}
