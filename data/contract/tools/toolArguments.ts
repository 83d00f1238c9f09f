import type { JsonSchema } from '../emit/jsonSchema.ts';
import { exampleValue, parameterSchema } from '../emit/parameterSchema.ts';
import type { Param, Route } from '../routes/route.ts';

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
