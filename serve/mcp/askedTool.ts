/** What `tools/call` asks for. */
export type AskedTool = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
};

/** Reads the parameters of `tools/call`, or says which of them cannot be read (I4.MCP.6). */
export function askedTool(params: unknown): AskedTool | { readonly fault: string } {
  if (!isObject(params)) return { fault: 'params is not an object.' };
  const { name, arguments: args = {}, _meta: meta = {} } = params;
  if (typeof name !== 'string') return { fault: 'params.name is not the name of a tool.' };
  if (!isObject(args)) return { fault: 'params.arguments is not an object.' };
  if (!isObject(meta)) return { fault: 'params._meta is not an object.' };
  return { name, args, meta };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
