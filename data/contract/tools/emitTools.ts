import { z } from 'zod';
import { freeAnswers } from '../emit/freeAnswers.ts';
import { type JsonSchema, jsonSchemaOf } from '../emit/jsonSchema.ts';
import { payloads, type SchemaId } from '../payloads/payloads.ts';
import { type PaymentRail, railsOf } from '../routes/paymentRail.ts';
import { type Route, routeUri } from '../routes/route.ts';
import { visualArgumentsSchema } from '../visual/visualArguments.ts';
import { auditSchema, type OfferedTool, offeredTools, toolArguments } from './offeredTools.ts';
import { toolResult } from './toolResult.ts';
import { type VisualTool, visualTools } from './visualTools.ts';

/** A tool as `tools/list` shows it (I4.MCP.12). */
export type ToolObject = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly _meta: Readonly<Record<string, unknown>>;
};

/** What an operator offers: every tool, for payments of every rail, by default. */
export type ToolOffer = {
  readonly disabled?: ReadonlySet<string>;
  /** Rails that are on. */
  readonly rails?: readonly PaymentRail[];
};

/**
 * Emits the tools of a route table: those whose routes answer, then the visual family (I4.MCP.11, I4.MCP.12).
 *
 * Pure: the same routes and offer give the same tools.
 */
export function emitTools(
  routes: readonly Route[],
  { disabled, rails = railsOf({ family: 'mcp' }, 'in_band') }: ToolOffer = {},
): readonly ToolObject[] {
  const intel = offeredTools(routes, disabled);
  if (intel.length === 0) return [];
  const visual = visualTools.filter(({ name }) => disabled?.has(name) !== true);
  return [...intel.map((offered) => intelObject(offered, rails)), ...visual.map(visualObject)];
}

const dollars = (micro: number): string => (micro / 1_000_000).toFixed(2);

function intelObject(
  { tool, route, schemaId, priceMicroUsd }: OfferedTool,
  rails: readonly PaymentRail[],
): ToolObject {
  const free = priceMicroUsd === 0;
  return {
    name: tool.name,
    title: tool.title,
    description: [
      tool.when,
      ...(route?.requireOneOf === undefined ? [] : [`Send ${route.requireOneOf.join(' or ')}.`]),
      ...(route?.exclusive ?? []).map((names) => `Do not send ${names.join(' and ')} together.`),
      free
        ? 'Free.'
        : `Costs ${dollars(priceMicroUsd)} USD a call, ${paidBy(rails)}covered by an API key; a call without an answer costs nothing.`,
    ].join(' '),
    inputSchema: toolArguments(route ?? { params: [] }, tool.defaults),
    outputSchema: outputSchema(dataSchema(route, schemaId)),
    annotations: annotations(true),
    _meta: {
      'ii/price_usd': priceMicroUsd / 1_000_000,
      'ii/price_micro_usd': priceMicroUsd,
      'ii/price_range_usd': null,
      'ii/route': route === null ? null : routeUri(route),
      'ii/family': 'intel',
      'ii/status': 'live',
      'ii/free': free,
      'ii/payment_rails': free ? [] : rails,
    },
  };
}

function paidBy(rails: readonly PaymentRail[]): string {
  if (rails.length === 0) return '';
  const names = rails.map((rail) => (rail === 'mpp' ? 'machine payment (MPP)' : 'x402'));
  return `paid by ${names.join(' or ')} or `;
}

function visualObject(tool: VisualTool): ToolObject {
  const { forms } = tool;
  const fixed = tool.minMicroUsd === tool.maxMicroUsd;
  const price = fixed
    ? `${dollars(tool.minMicroUsd)} USD`
    : `${dollars(tool.minMicroUsd)} to ${dollars(tool.maxMicroUsd)} USD`;
  return {
    name: tool.name,
    title: tool.title,
    description:
      forms === null
        ? `${tool.what} Planned: a call says so and costs nothing. Price when it is built: ${price}.`
        : `${tool.what} Internal beta: needs an API key with the scope visual, which is quoted the price and not charged: ${price}.`,
    inputSchema:
      forms === null ? { type: 'object', additionalProperties: true } : visualArgumentsSchema(forms.args),
    ...(forms === null ? {} : { outputSchema: outputSchema(forms.data) }),
    annotations: annotations(!writers.has(tool.name)),
    _meta: {
      'ii/price_usd': fixed ? tool.minMicroUsd / 1_000_000 : null,
      'ii/price_micro_usd': fixed ? tool.minMicroUsd : null,
      'ii/price_range_usd': fixed
        ? null
        : { min: tool.minMicroUsd / 1_000_000, max: tool.maxMicroUsd / 1_000_000 },
      'ii/route': null,
      'ii/family': 'visual',
      'ii/status': tool.status,
      'ii/free': false,
      'ii/payment_rails': [],
    },
  };
}

/** Tools that store what they make. */
const writers: ReadonlySet<string> = new Set(['visual_diagram_render', 'visual_spec_package']);

function annotations(readOnlyHint: boolean): ToolObject['annotations'] {
  return { readOnlyHint, destructiveHint: false, idempotentHint: true, openWorldHint: false };
}

/** The form of the data: the payload of the route, or of the audit status. */
function dataSchema(route: Route | null, schemaId: string): z.ZodType {
  if (route === null) return auditSchema;
  const payload = Object.hasOwn(payloads, schemaId) ? payloads[schemaId as SchemaId].schema : undefined;
  return payload ?? freeAnswers[route.id]?.schema ?? z.looseObject({});
}

/**
 * What `structuredContent` is: a result, a challenge or an error. Clients check it for failed calls as well, so a schema
 * of results alone would make every challenge and every miss a fault of the client (P10.9).
 */
function outputSchema(data: z.ZodType): JsonSchema {
  return {
    type: 'object',
    anyOf: [
      jsonSchemaOf(toolResult(data)),
      { required: ['x402Version', 'accepts'] },
      { required: ['error'] },
    ],
  };
}
