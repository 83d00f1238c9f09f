import { z } from 'zod';
import { canonicalJson } from '../values/canonicalJson.ts';
import { datetime, sha256, usd } from '../values/primitives.ts';
import type { FitReport } from './fitReport.ts';
import type { VisualContract } from './visualContract.ts';

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

/** A render as it is stored (I4.VIS.12a). */
export type StoredRender = {
  readonly contract: VisualContract;
  readonly svg: string;
  readonly fitReport: FitReport;
  readonly receipt: RenderReceipt;
  readonly textAlternative: string;
};

/** The five files of a render: name, media type, text (I4.VIS.12a, I4.VIS.19). */
export const renderFiles = ({ contract, svg, fitReport, receipt, textAlternative }: StoredRender) =>
  [
    ['contract.json', 'application/json', canonicalJson(contract)],
    ['diagram.svg', 'image/svg+xml', svg],
    ['fit_report.json', 'application/json', canonicalJson(fitReport)],
    ['render_receipt.json', 'application/json', canonicalJson(receipt)],
    ['text_alternative.txt', 'text/plain; charset=utf-8', textAlternative],
  ] as const;
