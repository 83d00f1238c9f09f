import { z } from 'zod';
import type { Param } from '../routes/route.ts';
import { exact, money } from '../values/primitives.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * JSON Schema (2020-12) of a payload schema; exact money is a JSON number on the wire.
 *
 * @param referred schemas that are described elsewhere, each with the reference to it
 * @param io whether defaults may be absent, as in what a caller sends, or are always there
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  referred: ReadonlyMap<z.core.$ZodType, JsonSchema> = new Map(),
  io: 'input' | 'output' = 'output',
): JsonSchema {
  const { $schema: _, ...body } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      // keys of a closed map are named in propertyNames; none is declared as a property
      if (zodSchema._zod.def.type === 'record') delete jsonSchema.required;
      const reference = referred.get(zodSchema);
      if (reference !== undefined) {
        for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
        Object.assign(jsonSchema, reference);
      }
      if (zodSchema !== money && zodSchema !== exact) return;
      delete jsonSchema.anyOf;
      jsonSchema.type = 'number';
    },
  }) as JsonSchema & { $schema?: string };
  return published(body) as JsonSchema;
}

/** A schema without what says nothing to a caller: half of each document is schemas. */
function published(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(published);
  if (node === null || typeof node !== 'object') return node;
  const kept = Object.entries(node).filter(([keyword, value]) => !saysNothing(keyword, value));
  return orNull(Object.fromEntries(kept.map(([keyword, value]) => [keyword, published(value)])));
}

function saysNothing(keyword: string, value: unknown): boolean {
  // response schemas tolerate unknown members (I1.10)
  if (keyword === 'additionalProperties') return value === false;
  // the bounds of every integer that a double holds exactly
  return (
    (keyword === 'minimum' || keyword === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
  );
}

const scalars: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];

/** A plain value or null as one schema of two types. */
function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return schema;
  const [value = {}] = anyOf as readonly JsonSchema[];
  const isPlain = scalars.includes(value['type']) && value['enum'] === undefined && !('const' in value);
  return isPlain ? { ...value, type: [value['type'], 'null'], ...rest } : schema;
}

/** What a parameter takes, as JSON Schema. */
export function parameterSchema({ type: t }: Param): JsonSchema {
  switch (t.kind) {
    case 'ticker':
      return { type: 'string', pattern: '^[A-Za-z0-9.-]{1,10}$' };
    case 'cik':
      return { type: 'string', pattern: '^(CIK)?[0-9]{1,10}$' };
    case 'product':
      return { type: 'string', pattern: '^[A-Za-z0-9.-]{1,32}$' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'int':
      return { type: 'integer', minimum: t.min, maximum: t.max, default: t.default };
    case 'number':
      return { type: 'number', minimum: t.min, maximum: t.max };
    case 'boolean':
      return { type: 'boolean', default: t.default };
    case 'enum':
      return { type: 'string', enum: t.values, ...(t.default === undefined ? {} : { default: t.default }) };
    case 'choice':
      return { type: 'integer', enum: t.values };
    case 'string':
      return {
        type: 'string',
        minLength: t.min,
        maxLength: t.max,
        ...(t.pattern === undefined ? {} : { pattern: t.pattern }),
      };
  }
}

/**
 * A value the parameter takes, of its type: its own example, else its default, else the first of its values; undefined
 * where nothing shows one.
 */
export function exampleValue({ type, example }: Param): string | number | boolean | undefined {
  switch (type.kind) {
    case 'int':
      return example === undefined ? type.default : Number(example);
    case 'number':
    case 'choice':
      return example === undefined ? undefined : Number(example);
    case 'boolean':
      return example === undefined ? type.default : example === 'true';
    case 'enum':
      return example ?? type.default ?? type.values[0];
    default:
      return example;
  }
}
