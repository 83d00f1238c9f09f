import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { money } from '../values/primitives.ts';
import { fieldPaths } from './fieldContract.ts';
import { jsonSchemaOf } from './jsonSchema.ts';

const member = (path: string, type: string, more: object = {}) => ({
  path,
  type,
  nullable: false,
  required: true,
  enum: null,
  ...more,
});

describe('fieldPaths', () => {
  it('enters arrays, maps and nullable objects, and lists a path once', () => {
    const schema = z.object({
      tier: z.enum(['HIGH', 'LOW']).nullable(),
      coins: z.number().nullable().optional(),
      debt: money.optional(),
      rows: z.array(z.object({ ticker: z.string() })),
      counts: z.record(z.string(), z.number()),
      parts: z.object({ a: z.boolean() }).nullable(),
      either: z.union([z.object({ kind: z.literal('x') }), z.object({ kind: z.literal('y') })]),
      anything: z.unknown(),
    });
    expect(fieldPaths(jsonSchemaOf(schema))).toEqual([
      member('tier', 'string', { nullable: true, enum: ['HIGH', 'LOW'] }),
      member('coins', 'number', { nullable: true, required: false }),
      member('debt', 'number', { required: false }),
      member('rows', 'array<object>'),
      member('rows[].ticker', 'string'),
      member('counts', 'map<number>'),
      member('counts.*', 'number', { required: false }),
      member('parts', 'object', { nullable: true }),
      member('parts.a', 'boolean'),
      member('either', 'object'),
      member('either.kind', 'string', { enum: ['x'] }),
      member('anything', 'any', { nullable: true }),
    ]);
  });
});
