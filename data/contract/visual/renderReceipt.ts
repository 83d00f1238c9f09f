import { z } from 'zod';
import { datetime, sha256, usd } from '../values/primitives.ts';

const ulid = '[0-9A-HJKMNP-TV-Z]{26}';

/** Id of a stored render. */
export const receiptId = z.string().regex(new RegExp(`^vrcp_${ulid}$`));

/** What a render binds together, signed with Ed25519 over the RFC 8785 form without `signature` (I4.VIS.15). */
export const renderReceipt = z.strictObject({
  schema_id: z.literal('visual_render_receipt.v1'),
  receipt_id: receiptId,
  contract_sha256: sha256,
  artifact_sha256: sha256,
  fit_report_sha256: sha256,
  text_alternative_sha256: sha256,
  renderer_version: z.string(),
  layout_engine_version: z.string(),
  font_metrics_version: z.string(),
  project_id: z.string().nullable(),
  payment_reference: z.string().nullable(),
  source_digest: z.array(sha256),
  quoted_price_usd: usd,
  created_at_utc: datetime,
  settlement_mode: z.string(),
  key_id: z.string(),
  signature: z.string(),
});

export type RenderReceipt = z.infer<typeof renderReceipt>;
