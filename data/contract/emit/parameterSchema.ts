import type { Param } from '../routes/route.ts';
import type { JsonSchema } from './jsonSchema.ts';

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
