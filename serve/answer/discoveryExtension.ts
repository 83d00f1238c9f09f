import { parameterSchema } from '../../data/contract/emit/jsonSchema.ts';
import { discoveryExample } from '../../data/contract/payloads/payloads.ts';
import type { Servable } from '../find/servable/servable.ts';
import type { RoutePlan } from '../routing/routePlan.ts';

type Json = Readonly<Record<string, unknown>>;

/** What the extension describes: one request, or one call of a tool. */
export type DescribedCall = {
  readonly servable: Pick<Servable, 'route' | 'tool'>;
  readonly plan: Pick<RoutePlan, 'pathValues' | 'queryValues' | 'bodyValues'>;
  /** Media type of the answer. */
  readonly mimeType: string;
  /** Whether an excerpt of the answer is shown. */
  readonly example: boolean;
};

export const jsonSchemaDraft = 'https://json-schema.org/draft/2020-12/schema';

/**
 * The discovery extension of x402, `bazaar`: how a resource is called and what it answers, with a schema that `info` is
 * valid against. Catalogues refuse a member without a type (P2.11).
 */
export function discoveryExtension(described: DescribedCall): Json {
  const { servable, plan } = described;
  const input = servable.tool === null ? requestInput(described) : toolInput(described);
  const output = outputOf(described);
  const templated = servable.tool === null && Object.keys(plan.pathValues).length > 0;
  return {
    info: { input: input.info, ...(output === null ? {} : { output: output.info }) },
    schema: {
      $schema: jsonSchemaDraft,
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: input.properties,
          required: input.required,
          additionalProperties: false,
        },
        ...(output === null ? {} : { output: output.schema }),
      },
      required: ['input'],
    },
    ...(templated ? { routeTemplate: servable.route.path.replaceAll(/\{(\w+)\}/g, ':$1') } : {}),
  };
}

type Input = { readonly info: Json; readonly properties: Json; readonly required: readonly string[] };

function requestInput({ servable, plan }: DescribedCall): Input {
  const { method } = servable.route;
  const { pathValues, queryValues, bodyValues } = plan;
  const inPath = Object.keys(pathValues).length > 0;
  return {
    info: {
      type: 'http',
      method,
      ...(inPath ? { pathParams: pathValues } : {}),
      queryParams: queryValues,
      ...(bodyValues === null ? {} : { bodyType: 'json', body: bodyValues }),
    },
    properties: {
      type: { type: 'string', const: 'http' },
      method: { type: 'string', enum: [method] },
      ...(inPath ? { pathParams: { type: 'object' } } : {}),
      queryParams: { type: 'object' },
      ...(bodyValues === null
        ? {}
        : { bodyType: { type: 'string', const: 'json' }, body: { type: 'object' } }),
    },
    required: ['type', 'method'],
  };
}

/** A tool's arguments by name and type alone; the whole schema stands in `tools/list`. */
function toolInput({ servable }: DescribedCall): Input {
  const { params } = servable.route;
  const types = params.map((param) => [param.name, { type: parameterSchema(param)['type'] }]);
  return {
    info: {
      type: 'mcp',
      toolName: servable.tool,
      transport: 'streamable-http',
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(types),
        required: params.filter(({ required }) => required).map(({ name }) => name),
      },
    },
    properties: {
      type: { type: 'string', const: 'mcp' },
      toolName: { type: 'string' },
      transport: { type: 'string', enum: ['streamable-http'] },
      inputSchema: { type: 'object' },
    },
    required: ['type', 'toolName', 'inputSchema'],
  };
}

function outputOf({ servable, mimeType, example }: DescribedCall): { info: Json; schema: Json } | null {
  if (mimeType !== 'application/json') return null;
  // inside the result of a tool it would lie deeper than an echoed challenge may (P2.16)
  const shown = example && servable.tool === null;
  const excerpt = shown ? discoveryExample(servable.route.schemaId) : null;
  return {
    info: { type: 'json', ...(excerpt === null ? {} : { example: excerpt }) },
    schema: {
      type: 'object',
      properties: {
        type: { type: 'string' },
        ...(excerpt === null ? {} : { example: { type: 'object' } }),
      },
      required: ['type'],
    },
  };
}
