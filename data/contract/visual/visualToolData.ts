import { z } from 'zod';
import { count, datetime, listMeta, sha256, usd } from '../values/primitives.ts';
import { fitReport } from './fitReport.ts';
import { receiptId, renderReceipt } from './renderReceipt.ts';
import { diagramFamilies, visualContract } from './visualContract.ts';

/** The seven reasons to quote a price instead of the fixed one (I4.VIS.20). */
const quoteTriggers = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7'] as const;

/** Tokens and model cost that a request is expected to take (I4.VIS.21). */
const modelEstimate = z.strictObject({
  input_tokens: count,
  output_tokens: count,
  estimated_model_cost_usd: usd,
});

/** A price that replaces the fixed one for a quarter of an hour (I4.VIS.20, I4.VIS.21). */
export const quote = z.strictObject({
  quote_id: z.string().regex(/^qte_[0-9A-HJKMNP-TV-Z]{26}$/),
  tool: z.string(),
  fixed_price_usd: usd,
  triggers: z.array(z.enum(quoteTriggers)).min(1),
  input_tokens: count,
  output_tokens: count,
  estimated_model_cost_usd: usd,
  quoted_price_usd: usd,
  quoted_price_micro_usd: count,
  expires_at: datetime,
  basis: z.literal('model-economics-1'),
});

export type QuoteTrigger = (typeof quoteTriggers)[number];
export type ModelEstimate = z.infer<typeof modelEstimate>;
export type Quote = z.infer<typeof quote>;

// What the five working tools answer in `data` (I4.VIS.10 to I4.VIS.19).

const versions = {
  renderer_version: z.string(),
  layout_engine_version: z.string(),
  font_metrics_version: z.string(),
};

const finding = z.strictObject({ code: z.string(), path: z.string(), message: z.string() });

/** visual_diagram_validate (I4.VIS.10). */
export const validateData = z.strictObject({
  valid: z.boolean(),
  would_render: z.boolean(),
  contract_sha256: sha256.nullable(),
  normalized_contract: visualContract.nullable(),
  errors: z.array(finding),
  /** Findings beyond the 100 listed; absent when all are. */
  errors_left_out: count.min(1).optional(),
  warnings: z.array(finding),
  warnings_left_out: count.min(1).optional(),
  estimate: modelEstimate,
  quote: quote.nullable(),
});

/** visual_diagram_render (I4.VIS.11). */
export const renderData = z.strictObject({
  artifact: z.strictObject({
    artifact_id: z.string().regex(/^vart_/),
    media_type: z.literal('image/svg+xml'),
    svg: z.string(),
    sha256,
    bytes: count,
    width: count,
    height: count,
  }),
  fit_report: fitReport,
  render_receipt: renderReceipt,
  text_alternative: z.string(),
  provenance: z.strictObject({
    contract_sha256: sha256,
    ...versions,
    source_refs: visualContract.shape.source_refs,
    source_digest: z.array(sha256),
  }),
  search_metadata: z.strictObject({
    spec_id: z.string(),
    title: z.string().nullable(),
    tags: z.array(z.string()),
    keywords: z.array(z.string()),
    diagram_family: z.enum(diagramFamilies),
    visibility: z.enum(['private', 'public']),
  }),
});

/** visual_fit_report (I4.VIS.16). */
export const fitReportData = z.strictObject({
  fit_report: fitReport,
  render_receipt_id: receiptId,
  covered_by_render_receipt: z.literal(true),
});

/** visual_spec_search (I4.VIS.17). */
export const specSearchData = z.strictObject({
  data: z.array(
    z.strictObject({
      spec_id: z.string(),
      diagram_id: z.string(),
      title: z.string().nullable(),
      diagram_family: z.enum(diagramFamilies),
      purpose: z.string(),
      tags: z.array(z.string()),
      score: z.number(),
      contract_sha256: sha256,
      artifact_sha256: sha256,
      created_at_utc: datetime,
      contract: visualContract.optional(),
    }),
  ),
  meta: z.strictObject({ ...listMeta, index_version: z.string() }),
});

/** What the search knows of a stored render (I4.VIS.18). */
export const indexEntry = z.strictObject({
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
});

/** visual_spec_package (I4.VIS.19). */
export const specPackageData = z.strictObject({
  package: z.strictObject({
    package_id: z.string().regex(/^vpkg_/),
    files: z.array(
      z.strictObject({
        path: z.string(),
        media_type: z.string(),
        sha256,
        bytes: count,
        // a format that clients of the protocol do not know they complain of
        content_base64: z.string().meta({ contentEncoding: 'base64' }),
      }),
    ),
    manifest_sha256: sha256,
    total_bytes: count,
  }),
  provenance: z.strictObject(versions),
});

export type IndexEntry = z.infer<typeof indexEntry>;
export type ValidateData = z.infer<typeof validateData>;
export type RenderData = z.infer<typeof renderData>;
export type FitReportData = z.infer<typeof fitReportData>;
export type SpecSearchData = z.infer<typeof specSearchData>;
export type SpecPackageData = z.infer<typeof specPackageData>;
