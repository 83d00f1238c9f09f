import { z } from 'zod';

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
export const registryFile = z.strictObject({
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
