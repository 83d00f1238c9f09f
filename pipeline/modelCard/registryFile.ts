import { z } from 'zod';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';

const parameterEntry = z.strictObject({
  value: z.json(),
  unit: z.string().min(1).optional(),
  rule: z.string().min(1),
  /** Part of the method that owns the value beside the parameter version. */
  owner: z.enum(['alpha', 'tower', 'field_map', 'perps', 'volatility']).optional(),
  source: z.string().min(1),
  /** Published fields the value moves. */
  fields: z.array(z.string().min(1)).min(1),
});

/** `data/registry/parameters.json` as people edit it (M13.1). */
const registryFile = z.strictObject({
  version: z.string().min(1),
  core_model: z.string().min(1),
  classification_version: z.string().min(1),
  /** Version of each part that can move alone. */
  versions: z.strictObject({
    alpha: z.string(),
    tower: z.string(),
    field_map: z.string(),
    perps: z.string(),
    volatility: z.string(),
  }),
  parameters: z.record(z.string(), parameterEntry),
});

export type RegistryFile = z.infer<typeof registryFile>;
export type ParameterEntry = z.infer<typeof parameterEntry>;

/** @throws IssuerError `validation_failed` naming the first member that does not fit. */
export function parseRegistry(json: unknown): RegistryFile {
  const parsed = registryFile.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = issue?.path.join('.') ?? '';
  throw new IssuerError({
    code: 'validation_failed',
    message: `The parameter registry is not well formed at ${name || 'its top'}: ${issue?.message ?? 'invalid'}.`,
    hint: 'Compare data/registry/parameters.json with METHODOLOGY M13.1.',
    details: { name },
  });
}
