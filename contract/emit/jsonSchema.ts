import { z } from 'zod';
import { money } from '../values/primitives.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** JSON Schema (2020-12) of a payload schema; exact money is a JSON number on the wire. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...body } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      // keys of a closed map are named in propertyNames; none is declared as a property
      if (zodSchema._zod.def.type === 'record') delete jsonSchema.required;
      if (zodSchema !== money) return;
      delete jsonSchema.anyOf;
      jsonSchema.type = 'number';
    },
  }) as JsonSchema & { $schema?: string };
  return dropLooseEnds(body) as JsonSchema;
}

// response schemas tolerate unknown members (I1.10), so `additionalProperties: false` never leaves the building
function dropLooseEnds(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(dropLooseEnds);
  if (node === null || typeof node !== 'object') return node;
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'additionalProperties' && value === false) continue;
    out[key] = dropLooseEnds(value);
  }
  return out;
}
