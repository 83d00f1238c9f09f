import { exampleValue, type JsonSchema, parameterSchema } from '../emit/jsonSchema.ts';
import { auditStatus } from '../payloads/audit/auditStatus.ts';
import type { Param, Route } from '../routes/route.ts';
import { type IntelTool, intelTools } from './intelTools.ts';

/** A tool of the intel family that this build answers. */
export type OfferedTool = {
  readonly tool: IntelTool;
  /** The route it calls; null for the audit status. */
  readonly route: Route | null;
  /** Id of the form of its data (I4.31a). */
  readonly schemaId: string;
  /** 0 for a free tool. */
  readonly priceMicroUsd: number;
};

/** Schema id of the audit status (I4.31a). */
export const auditSchemaId = 'core_audit_status.v1';
export const auditSchema = auditStatus;

const freeSchemaIds: Readonly<Record<string, string>> = { F06: 'help.v1', F08: 'companies.v1' };

/** The route that tool calls are paid on; undefined while it is not served. */
export function toolEndpoint(routes: readonly Route[]): Route | undefined {
  return routes.find(({ family, status }) => family === 'mcp' && status === 'live');
}

/**
 * The tools whose routes answer, in their order, without those that are switched off; none while the endpoint itself is
 * not served (I4.37, I4.MCP.11, I4.MCP.14).
 */
export function offeredTools(
  routes: readonly Route[],
  disabled: ReadonlySet<string> = new Set(),
): readonly OfferedTool[] {
  const endpoint = toolEndpoint(routes);
  if (endpoint === undefined) return [];
  const price = endpoint.priceMicroUsd;
  return intelTools.flatMap((tool): OfferedTool[] => {
    if (disabled.has(tool.name)) return [];
    if (tool.routeId === null) return [{ tool, route: null, schemaId: auditSchemaId, priceMicroUsd: price }];
    const route = routes.find(({ id, status }) => id === tool.routeId && status === 'live');
    if (route === undefined) return [];
    const schemaId = route.schemaId ?? freeSchemaIds[route.id] ?? route.id;
    return [{ tool, route, schemaId, priceMicroUsd: route.auth === 'A-FREE' ? 0 : price }];
  });
}

/** True for a closed list of numbers: a tool takes a number, where a query takes its text (I4.MCP.13). */
export function isNumberChoice({ type }: Param): boolean {
  return type.kind === 'enum' && type.values.every((value) => /^\d+$/.test(value));
}

/** The arguments of the tool of a route, as JSON Schema: its parameters, under their names, with their defaults or the tool's own. */
export function toolArguments(
  { params }: Pick<Route, 'params'>,
  defaults: Readonly<Record<string, string>> = {},
): JsonSchema {
  const required = params.filter((param) => param.required).map((param) => param.name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      params.map((param) => [param.name, { ...argumentOf(param), ...ownDefault(defaults[param.name]) }]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function ownDefault(value: string | undefined): JsonSchema {
  return value === undefined ? {} : { default: value };
}

function argumentOf(param: Param): JsonSchema {
  const example = exampleValue(param);
  const shown = { description: param.description, ...(example === undefined ? {} : { examples: [example] }) };
  const { type } = param;
  if (type.kind !== 'enum' || !isNumberChoice(param)) return { ...parameterSchema(param), ...shown };
  const chosen = type.default === undefined ? {} : { default: Number(type.default) };
  return { type: 'integer', enum: type.values.map(Number), ...chosen, description: param.description };
}
