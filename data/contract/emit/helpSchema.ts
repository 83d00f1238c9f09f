import { z } from 'zod';
import { discoveryEnvelope } from '../billing/billingEnvelope.ts';
import { type ProblemCode, problemCodes } from '../errors/errorCodes.ts';
import { coreTiers } from '../values/enums.ts';
import { int } from '../values/primitives.ts';
import { versions } from '../values/versions.ts';
import names from './productNames.json' with { type: 'json' };

/** A product that `{product}` takes in a path (I4.F06.2). */
export const productName = z.object({
  product: z.string(),
  name: z.string(),
  kind: z.enum(['basket_perp', 'single_perp']),
});
export type ProductName = z.infer<typeof productName>;

/** The products of the registry in its order, by the ids that routes take. */
export const productNames = (): ProductName[] => z.array(productName).parse(names);

const codes = Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]];

/** HelpResponse (I4.F06.2). */
export const help = discoveryEnvelope.extend({
  service: z.literal(versions.service),
  framework: z.literal('Core-7'),
  version: z.string(),
  access_model: z.object({
    public_support_routes: z.array(z.string()),
    paid_data_routes: z.array(z.string()),
    payment: z.string(),
    api_key_bypass: z.string(),
  }),
  available_endpoints: z.array(
    z.object({
      path: z.string(),
      description: z.string(),
      auth: z.string().optional(),
      example: z.string().optional(),
    }),
  ),
  field_glossary: z.record(z.string(), z.string()),
  /** Absent without a live route of a product. */
  products: z.array(productName).optional(),
  phase: z.object({
    phase: z.string(),
    scope: z.string(),
    status_values: z.record(z.string(), z.string()),
    description: z.string().optional(),
  }),
  time_windows: z.object({ latest_day: z.string(), latest_week: z.string(), latest_month: z.string() }),
  documentation: z.object({ openapi: z.string(), help: z.string() }),
  core_tiers: z.record(z.enum(coreTiers), z.string()).optional(),
  description: z.string().optional(),
  large_responses: z.string().optional(),
  example_questions: z.array(z.string()).optional(),
  how_to_use: z.array(z.string()).optional(),
  /** Keyed by code: what the fragment of a problem's `type` points at (I7.3). */
  errors: z.record(z.enum(codes), z.object({ status: int, meaning: z.string(), remedy: z.string() })),
});

export type Help = z.infer<typeof help>;
