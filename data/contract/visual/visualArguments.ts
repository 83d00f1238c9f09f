import { z } from 'zod';
import { type JsonSchema, jsonSchemaOf } from '../emit/jsonSchema.ts';
import { sha256 } from '../values/primitives.ts';
import { receiptId } from './renderReceipt.ts';
import { diagramFamilies, visualContract } from './visualContract.ts';

// Arguments of the five working tools (I4.VIS.10 to I4.VIS.19).

/** Any object: a fault inside a contract is reported with a pointer, not as a bad argument (I4.VIS.10, I4.VIS.13). */
const contract = z.record(z.string(), z.unknown());
const name = z.string().regex(/^[a-z0-9-]{1,64}$/);

/** visual_diagram_validate. */
export const validateArguments = z.strictObject({ contract });

/** visual_diagram_render. */
export const renderArguments = z.strictObject({
  contract,
  project_id: name.optional(),
  source_digest: z.array(sha256).max(100).optional(),
  payment_reference: z.string().max(128).optional(),
});

/** visual_fit_report. */
export const fitReportArguments = z.strictObject({ render_receipt_id: receiptId });

/** visual_spec_search. */
export const specSearchArguments = z.strictObject({
  query: z.string().min(1).max(200),
  diagram_family: z.enum(diagramFamilies).optional(),
  tags: z.array(z.string().min(1).max(32)).max(20).optional(),
  limit: z.number().int().min(1).max(50).default(10),
  offset: z.number().int().min(0).max(1000).default(0),
  include_contract: z.boolean().default(false),
});

/** visual_spec_package. */
export const specPackageArguments = z.strictObject({
  render_receipt_ids: z.array(receiptId).min(1).max(20),
  package_name: name,
});

export type RenderArguments = z.infer<typeof renderArguments>;
export type SpecSearchArguments = z.infer<typeof specSearchArguments>;
export type SpecPackageArguments = z.infer<typeof specPackageArguments>;

/** Arguments as JSON Schema, with the whole form of a contract in place of any object. */
export function visualArgumentsSchema(args: z.ZodObject): JsonSchema {
  const whole = jsonSchemaOf(visualContract, new Map(), 'input');
  const schema = jsonSchemaOf(args, new Map([[contract, whole]]), 'input');
  return { ...schema, additionalProperties: false };
}

/** The same, a contract being described in words: its whole form is ten times as long as everything else of a list. */
export function shortVisualArgumentsSchema(args: z.ZodObject): JsonSchema {
  const told = {
    type: 'object',
    description: 'A visual contract. Its form: intel_help {"tool":"visual_diagram_render"}.',
    required: Object.entries(visualContract.shape).flatMap(([member, schema]) =>
      schema.safeParse(undefined).success ? [] : [member],
    ),
  };
  const schema = jsonSchemaOf(args, new Map([[contract, told]]), 'input');
  return { ...schema, additionalProperties: false };
}
