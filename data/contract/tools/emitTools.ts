import { z } from 'zod';
import { freeAnswers } from '../emit/freeAnswers.ts';
import { type JsonSchema, jsonSchemaOf } from '../emit/jsonSchema.ts';
import { payloads, type SchemaId } from '../payloads/payloads.ts';
import { type PaymentRail, railsOf } from '../routes/paymentRail.ts';
import { type Route, routeUri } from '../routes/route.ts';
import { usd } from '../values/primitives.ts';
import { shortVisualArgumentsSchema } from '../visual/visualArguments.ts';
import type { IntelTool } from './intelTools.ts';
import {
  auditSchema,
  type OfferedTool,
  offeredTools,
  schemaIdOf,
  toolArguments,
  toolLine,
} from './offeredTools.ts';
import { toolResult } from './toolResult.ts';
import { type BuiltVisualTool, builtVisualTools } from './visualTools.ts';

/** What `intel_help` answers: every tool in a line, or all of one tool (I4.MCP.32). */
export const toolHelp = z.object({
  service: z.string(),
  how_to_use: z.array(z.string()),
  /** Arguments that mean the same wherever a tool takes them. */
  shared_arguments: z.record(z.string(), z.string()),
  tools: z.array(toolLine.omit({ route: true })),
  /** The tool that was asked for; null where none was. */
  tool: z
    .object({
      name: z.string(),
      title: z.string(),
      description: z.string(),
      price_usd: usd.nullable(),
      access: z.string(),
      /** Routes with the same answers; the first one without the tool's own argument. */
      routes: z.array(z.string()),
      input_schema: z.record(z.string(), z.unknown()),
      output_schema: z.record(z.string(), z.unknown()),
    })
    .nullable(),
});

export type ToolHelp = z.infer<typeof toolHelp>;

/** A tool as `tools/list` shows it (I4.MCP.12). */
export type ToolObject = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean | string>>;
  readonly _meta: Readonly<Record<string, unknown>>;
};

/** What an operator offers: every tool, for payments of every rail, by default. */
export type ToolOffer = {
  /** Names of tools that a payment does not open (I4.MCP.14). */
  readonly disabled?: ReadonlySet<string>;
  /** Rails that are on. */
  readonly rails?: readonly PaymentRail[];
};

/**
 * Emits the tools of a route table: those whose routes answer, then those of the visual family that are built (I4.MCP.11,
 * I4.MCP.12).
 *
 * Pure: the same routes and offer give the same tools.
 */
export function emitTools(
  routes: readonly Route[],
  { disabled, rails = railsOf({ family: 'mcp' }, 'in_band') }: ToolOffer = {},
): readonly ToolObject[] {
  const intel = offeredTools(routes, disabled);
  if (intel.length === 0) return [];
  return [...intel.map((offered) => intelObject(offered, rails)), ...builtVisualTools.map(visualObject)];
}

const dollars = (micro: number): string => (micro / 1_000_000).toFixed(2);

function intelObject(offered: OfferedTool, rails: readonly PaymentRail[]): ToolObject {
  const { tool, route, priceMicroUsd, keyOnly } = offered;
  const served = [...offered.routes, ...offered.twins];
  const free = priceMicroUsd === 0;
  return {
    name: tool.name,
    title: tool.title,
    description: [tool.when, ...needs(offered), priceWords(offered)].join(' '),
    inputSchema: toolArguments(offered),
    annotations: { title: tool.title, readOnlyHint: true, openWorldHint: false },
    _meta: {
      'ii/price_usd': priceMicroUsd / 1_000_000,
      'ii/route': route === null ? null : routeUri(route),
      ...(served.length < 2 ? {} : { 'ii/routes': served.map(routeUri) }),
      'ii/payment_rails': free || keyOnly ? [] : rails,
    },
  };
}

/** What the schema of arguments does not say: it has no alternatives at its root, which many hosts cannot read. */
function needs({ tool, route }: OfferedTool): string[] {
  const either = tool.choice?.argument === null ? Object.keys(tool.choice.routes) : route?.requireOneOf;
  return either === undefined ? [] : [`Send ${either.join(' or ')}.`];
}

function priceWords({ priceMicroUsd, keyOnly }: Pick<OfferedTool, 'priceMicroUsd' | 'keyOnly'>): string {
  if (priceMicroUsd === 0) return 'Free.';
  return keyOnly ? 'API key only.' : `${dollars(priceMicroUsd)} USD.`;
}

function visualObject(tool: BuiltVisualTool): ToolObject {
  const { priceUsd, priceRangeUsd } = tool;
  const writes = writers.has(tool.name);
  return {
    name: tool.name,
    title: tool.title,
    description: `${tool.what} API key only.`,
    inputSchema: shortVisualArgumentsSchema(tool.forms.args),
    annotations: {
      title: tool.title,
      readOnlyHint: !writes,
      openWorldHint: false,
      ...(writes ? { destructiveHint: false, idempotentHint: true } : {}),
    },
    _meta: {
      ...(priceRangeUsd === null ? { 'ii/price_usd': priceUsd } : { 'ii/price_range_usd': priceRangeUsd }),
      'ii/status': tool.status,
      'ii/payment_rails': [],
    },
  };
}

/** Tools that store what they make. */
const writers: ReadonlySet<string> = new Set(['visual_diagram_render', 'visual_spec_package']);

/** The form of the data: the payload of a route, the audit status, or the help of the tools. */
function dataSchema({ tool, route }: OfferedTool, schemaId: string): z.ZodType {
  if (route === null) return tool.name === 'intel_help' ? toolHelp : auditSchema;
  const payload = Object.hasOwn(payloads, schemaId) ? payloads[schemaId as SchemaId].schema : undefined;
  return payload ?? freeAnswers[route.id]?.schema ?? z.looseObject({});
}

/**
 * What `structuredContent` of a successful call is: an object without alternatives at its root, whose `data` is that of one of
 * the tool's routes, with what the tool leaves out where it is asked for. A failed call has `error`, an unpaid one the
 * challenge (I4.MCP.15).
 */
export function outputSchema(offered: OfferedTool): JsonSchema {
  const ids = offered.routes.length < 2 ? [offered.schemaId] : offered.routes.map(schemaIdOf);
  const leftOut = new Set(offered.tool.leftOut);
  const forms = [...new Set(ids)].map((id) => {
    const form = jsonSchemaOf(dataSchema(offered, id)) as { readonly required?: readonly string[] };
    const required = (form.required ?? []).filter((member) => !leftOut.has(member));
    return withRows({ ...form, required }, offered.tool.shortRows);
  });
  const result = jsonSchemaOf(toolResult(z.looseObject({}))) as { readonly properties: JsonSchema };
  const data = forms.length === 1 ? forms[0] : { anyOf: forms };
  return { ...result, properties: { ...result.properties, data } };
}

/** The form whose rows have to have no more than the members that stay in brief. */
function withRows(form: JsonSchema, shortRows: IntelTool['shortRows']): JsonSchema {
  if (shortRows === undefined) return form;
  const { list, keep } = shortRows;
  const properties = form['properties'] as Readonly<Record<string, JsonSchema>>;
  const rows = properties[list] ?? {};
  const row = rows['items'] as JsonSchema & { readonly required?: readonly string[] };
  const items = { ...row, required: (row.required ?? []).filter((member) => keep.includes(member)) };
  return { ...form, properties: { ...properties, [list]: { ...rows, items } } };
}

/** The same of a visual tool. */
export function visualOutputSchema({ forms }: BuiltVisualTool): JsonSchema {
  return jsonSchemaOf(toolResult(forms.data));
}
