import { z } from 'zod';
import { exampleValue, type JsonSchema, parameterSchema } from '../emit/jsonSchema.ts';
import { IssuerError } from '../errors/issuerError.ts';
import { auditStatus } from '../payloads/audit/auditStatus.ts';
import { type Param, type Route, routeUri } from '../routes/route.ts';
import { usd } from '../values/primitives.ts';
import { type IntelTool, intelTools, sharedArguments } from './intelTools.ts';
import { builtVisualTools } from './visualTools.ts';

/** A tool of the intel family that this build answers. */
export type OfferedTool = {
  readonly tool: IntelTool;
  /** The route it calls; null for the audit status and the help of the tools. */
  readonly route: Route | null;
  /** Every route it can call, the first one being `route`. */
  readonly routes: readonly Route[];
  /** Routes with the same answer in another form of call. */
  readonly twins: readonly Route[];
  /** Id of the form of its data (I4.31a). */
  readonly schemaId: string;
  /** 0 for a free tool. */
  readonly priceMicroUsd: number;
  /** An API key alone opens it (I4.MCP.14). */
  readonly keyOnly: boolean;
};

/** Schema id of the audit status (I4.31a), and of the help of the tools. */
export const auditSchemaId = 'core_audit_status.v1';
export const helpSchemaId = 'tool_help.v1';
export const auditSchema = auditStatus;

const freeSchemaIds: Readonly<Record<string, string>> = { F08: 'companies.v1' };

/** The route that tool calls are paid on; undefined while it is not served. */
export function toolEndpoint(routes: readonly Route[]): Route | undefined {
  return routes.find(({ family, status }) => family === 'mcp' && status === 'live');
}

/**
 * The tools whose routes answer, in their order; none while the endpoint itself is not served (I4.37, I4.MCP.11).
 *
 * @param keyOnly names of those that a payment does not open (I4.MCP.14)
 */
export function offeredTools(
  routes: readonly Route[],
  keyOnly: ReadonlySet<string> = new Set(),
): readonly OfferedTool[] {
  const endpoint = toolEndpoint(routes);
  if (endpoint === undefined) return [];
  const price = endpoint.priceMicroUsd;
  return intelTools.flatMap((tool): OfferedTool[] => {
    const isHelp = tool.name === 'intel_help';
    if (tool.routeId === null) {
      const schemaId = isHelp ? helpSchemaId : auditSchemaId;
      const own = { tool, route: null, routes: [], twins: [], schemaId, priceMicroUsd: isHelp ? 0 : price };
      return [{ ...own, keyOnly: !isHelp && keyOnly.has(tool.name) }];
    }
    const live = (ids: Iterable<string>): Route[] =>
      [...new Set(ids)].flatMap((id) => routes.filter((one) => one.id === id && one.status === 'live'));
    const called = live([tool.routeId, ...Object.values(tool.choice?.routes ?? {})]);
    const [route] = called;
    if (route === undefined || route.id !== tool.routeId) return [];
    const free = route.family === 'free';
    return [
      {
        tool,
        route,
        routes: called,
        twins: live(tool.twins ?? []),
        schemaId: schemaIdOf(route),
        priceMicroUsd: free ? 0 : price,
        keyOnly: !free && keyOnly.has(tool.name),
      },
    ];
  });
}

/**
 * The live routes that a tool calls (I4.F18.2).
 *
 * @throws IssuerError `invalid_parameter` with the tools there are
 */
export function routesOfTool(name: string, routes: readonly Route[]): readonly Route[] {
  const calling = offeredTools(routes).filter(({ route }) => route !== null);
  const found = calling.find(({ tool }) => tool.name === name);
  if (found !== undefined) return found.routes;
  throw new IssuerError({
    code: 'invalid_parameter',
    message: `tool names no tool that calls a route: ${name}.`,
    hint: 'Send a name of allowed; intel_help has the forms of the others.',
    details: { parameter: 'tool', reason: 'not_allowed', allowed: calling.map(({ tool }) => tool.name) },
  });
}

/** A tool as catalogues list it. */
export const toolLine = z.object({
  name: z.string(),
  title: z.string(),
  /** null where the call decides it. */
  price_usd: usd.nullable(),
  route: z.string().nullable(),
  /** free, payment_or_api_key, or api_key where a payment does not open it. */
  access: z.string(),
});

/** One line of a tool of the intel family. */
export function lineOf({ tool: { name, title }, route, priceMicroUsd, keyOnly }: OfferedTool) {
  const priced = keyOnly ? 'api_key' : 'payment_or_api_key';
  return {
    name,
    title,
    price_usd: priceMicroUsd / 1_000_000,
    route: route === null ? null : routeUri(route),
    access: priceMicroUsd === 0 ? 'free' : priced,
  };
}

/** A line of every tool that `tools/list` has, in its order. */
export function toolLines(
  routes: readonly Route[],
  keyOnly?: ReadonlySet<string>,
): z.infer<typeof toolLine>[] {
  const intel = offeredTools(routes, keyOnly).map(lineOf);
  if (intel.length === 0) return [];
  const visual = builtVisualTools.map(({ name, title, priceUsd }) => ({
    name,
    title,
    price_usd: priceUsd,
    route: null,
    access: 'api_key',
  }));
  return [...intel, ...visual];
}

/** Id of the form that a route answers in. */
export function schemaIdOf(route: Route): string {
  return route.schemaId ?? freeSchemaIds[route.id] ?? route.id;
}

/** Arguments by name, as a caller sends them. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A call of a tool, once the route is chosen: what is left for the route, and the tool's own arguments beside it. */
export type ChosenRoute = {
  readonly offered: OfferedTool;
  readonly args: ToolArguments;
  /** Without those that have their default. */
  readonly own: Readonly<Record<string, string>>;
};

/** An argument of a tool's own: its values, the first being the default. */
export type OwnArgument = { readonly name: string; readonly values: readonly string[] };

/** Which of its arguments a tool does not hand on to a route. */
export function ownArguments({ choice, leftOut, shortRows }: IntelTool): readonly OwnArgument[] {
  return [
    ...(choice?.argument == null ? [] : [{ name: choice.argument, values: Object.keys(choice.routes) }]),
    ...(leftOut === undefined && shortRows === undefined ? [] : [detail]),
  ];
}

const detail: OwnArgument = { name: 'detail', values: ['brief', 'full'] };

/**
 * Chooses the route of a call and fills in the tool's own defaults. A tool of its own argument whose value it does not know
 * has no route: that argument is answered instead.
 */
export function chosenRoute(offered: OfferedTool, args: ToolArguments): ChosenRoute | OwnArgument {
  const rest: Record<string, unknown> = { ...args };
  const own: Record<string, string> = {};
  for (const argument of ownArguments(offered.tool)) {
    const { [argument.name]: value = argument.values[0] } = args;
    if (typeof value !== 'string' || !argument.values.includes(value)) return argument;
    delete rest[argument.name];
    if (value !== argument.values[0]) own[argument.name] = value;
  }
  const chosen = withRoute(offered, routeIdOf(offered, { args, own, rest }));
  return { offered: chosen, args: withDefaults(chosen, rest), own };
}

/** The route that was named; where none was, the first that takes everything that was sent. */
function routeIdOf(
  { tool: { choice }, routes }: OfferedTool,
  { args, own, rest }: Pick<ChosenRoute, 'args' | 'own'> & { readonly rest: ToolArguments },
): string | undefined {
  if (choice === undefined) return undefined;
  if (choice.argument === null) {
    const sent = Object.keys(choice.routes).find((argument) => Object.hasOwn(args, argument));
    return sent === undefined ? undefined : choice.routes[sent];
  }
  const named = own[choice.argument];
  if (named !== undefined) return choice.routes[named];
  if (Object.hasOwn(args, choice.argument)) return undefined;
  return routes.find(({ params }) =>
    Object.keys(rest).every((name) => params.some((one) => one.name === name)),
  )?.id;
}

// a route that is not live leaves the first one, which refuses what it does not take
function withRoute(offered: OfferedTool, id: string | undefined): OfferedTool {
  const route = offered.routes.find((one) => one.id === id);
  return route === undefined ? offered : { ...offered, route, schemaId: schemaIdOf(route) };
}

// a default of the tool counts where the chosen route has such a parameter
function withDefaults({ route, tool: { defaults = {} } }: OfferedTool, args: ToolArguments): ToolArguments {
  const names = new Set(route?.params.map(({ name }) => name));
  return { ...Object.fromEntries(Object.entries(defaults).filter(([name]) => names.has(name))), ...args };
}

/** True for a closed list of numbers: a tool takes a number, where a query takes its text (I4.MCP.13). */
export function isNumberChoice({ type }: Param): boolean {
  return type.kind === 'enum' && type.values.every((value) => /^\d+$/.test(value));
}

/** The arguments of a tool, as JSON Schema: the parameters of its routes, under their names, with their defaults or its own. */
export function toolArguments({ tool, routes }: Pick<OfferedTool, 'tool' | 'routes'>): JsonSchema {
  const { name, defaults = {}, without = [] } = tool;
  if (name === 'intel_help') return argumentsObject({ tool: { type: 'string' } }, []);
  const params = new Map<string, Param>();
  for (const param of routes.flatMap((route) => route.params))
    if (!params.has(param.name) && !without.includes(param.name)) params.set(param.name, param);
  const required = [...params.values()].filter((param) => isRequired(param, routes));
  const own = ownArguments(tool).map(({ name, values }) => [name, valueChoice(values)]);
  const taken = [...params.values()].map((param) => [param.name, argumentOf(param, defaults[param.name])]);
  return argumentsObject(
    Object.fromEntries([...own, ...taken]),
    required.map((param) => param.name),
  );
}

function isRequired({ name }: Param, routes: readonly Route[]): boolean {
  return routes.every(({ params }) => params.some((param) => param.name === name && param.required));
}

function argumentsObject(properties: JsonSchema, required: readonly string[]): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

const valueChoice = (values: readonly string[]): JsonSchema => ({
  type: 'string',
  enum: values,
  default: values[0],
});

function argumentOf(param: Param, byDefault: unknown): JsonSchema {
  const example = param.required ? exampleValue(param) : undefined;
  const { pattern: _, ...schema } = isNumberChoice(param) ? numberChoice(param) : parameterSchema(param);
  return {
    ...schema,
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(Object.hasOwn(sharedArguments, param.name) ? {} : { description: param.description }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

function numberChoice({ type }: Param): JsonSchema {
  if (type.kind !== 'enum') return {};
  const chosen = type.default === undefined ? {} : { default: Number(type.default) };
  return { type: 'integer', enum: type.values.map(Number), ...chosen };
}
