import { z } from 'zod';
import { datetime, sha256 } from '../../data/contract/values/primitives.ts';
import { renderReceipt } from '../../data/contract/visual/renderReceipt.ts';
import { diagramFamilies } from '../../data/contract/visual/visualContract.ts';

/** What is read of every stored render when the store is opened: whose it is, its receipt, what the search knows of it. */
export const storedRender = z.strictObject({
  schema_id: z.literal('visual_stored_render.v1'),
  /** API key that asked for it. */
  owner: z.string().min(1),
  artifact_id: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  receipt: renderReceipt,
  entry: z.strictObject({
    specId: z.string(),
    diagramId: z.string(),
    title: z.string().nullable(),
    family: z.enum(diagramFamilies),
    purpose: z.string(),
    labels: z.array(z.string()),
    tags: z.array(z.string()),
    keywords: z.array(z.string()),
    visibility: z.enum(['private', 'public']),
    contractSha256: sha256,
    artifactSha256: sha256,
    createdAtUtc: datetime,
  }),
});

export type StoredRenderHead = z.infer<typeof storedRender>;
