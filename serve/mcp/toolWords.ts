import type { OfferedTool } from '../../data/contract/tools/offeredTools.ts';

/** Puts a text that speaks of routes into words of an agent, who knows tools alone (I4.MCP.33). */
export type ToolWords = (text: string) => string;

/** Documents that no tool has in full: the tool that answers the same question. */
const documents: readonly (readonly [path: string, tool: string])[] = [
  ['/v1/contract/fields', 'intel_help'],
  ['/v1/pricing', 'intel_help'],
  ['/openapi.json', 'intel_help'],
  ['/llms.txt', 'intel_help'],
  ['/help', 'intel_help'],
  ['/ready', 'intel_readiness'],
];

/** Makes the words of a list of tools: each path template of a route becomes the name of its tool. */
export function toolWords(offered: Iterable<OfferedTool>): ToolWords {
  const named = [...offered].flatMap(({ tool, routes }) =>
    routes.map(({ path }) => [path, tool.name] as const),
  );
  const byLength = [...named, ...documents].sort(([a], [b]) => b.length - a.length);
  const known = byLength.map(([path, tool]) => ({ tool, whole: new RegExp(`^${templateOf(path)}$`) }));
  return (text) =>
    text.replaceAll(
      /(?:\b(?:GET|POST) )?(?<![\w.:/<])(?:\/mpp)?(\/[a-z][\w{}./-]*)(?:\?[\w=&<>-]*)?/g,
      (found, path: string) => {
        const end = /[.]+$/.exec(path)?.[0] ?? '';
        const asked = path.slice(0, path.length - end.length);
        const tool = known.find(({ whole }) => whole.test(asked))?.tool;
        return tool === undefined ? found : `${tool}${end}`;
      },
    );
}

function templateOf(path: string): string {
  return path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
}
