import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type CanonicalValue, canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import type { FitReport } from '../../../data/contract/visual/fitReport.ts';
import type { RenderReceipt } from '../../../data/contract/visual/renderReceipt.ts';
import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import type { FitReportData, RenderData } from '../../../data/contract/visual/visualToolData.ts';
import { checkContract } from '../diagram/checkContract.ts';
import { type RenderedDiagram, renderDiagram } from '../diagram/renderDiagram.ts';
import type { ContractFinding } from '../diagram/semanticErrors.ts';
import faces from '../type/faces/hash.json' with { type: 'json' };

/** SHA-256 of a text's UTF-8 bytes, in hex. */
export function textHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** SHA-256 of the RFC 8785 form, in hex (I4.VIS.9). */
export function jsonHash(value: CanonicalValue): string {
  return textHash(canonicalJson(value));
}

/** What a picture's bytes depend on beside its contract; a change that moves a byte bumps its owner (V22). */
export const visualVersions = {
  renderer_version: 'ii-visual-1.0',
  layout_engine_version: 'ii-layout-1.0',
  font_metrics_version: `plex-5.3.0-${faces.sha256.slice(0, 8)}`,
} as const;

/** What the caller adds to a receipt before it is signed: its stamp, and what was asked for. */
export type ReceiptStamp = Pick<
  RenderReceipt,
  'receipt_id' | 'created_at_utc' | 'settlement_mode' | 'key_id'
>;
export type RenderRequest = Pick<
  RenderReceipt,
  'project_id' | 'payment_reference' | 'source_digest' | 'quoted_price_usd'
>;

type Render = {
  readonly contract: VisualContract;
  readonly rendered: Pick<RenderedDiagram, 'svg' | 'width' | 'height' | 'fitReport' | 'textAlternative'>;
};

/** The receipt of a render without its signature: the caller signs its RFC 8785 form (I4.VIS.15). */
export function unsignedReceipt(
  { contract, rendered }: Render,
  { request, stamp }: { readonly request: RenderRequest; readonly stamp: ReceiptStamp },
): Omit<RenderReceipt, 'signature'> {
  const { svg, textAlternative } = rendered;
  return {
    schema_id: 'visual_render_receipt.v1',
    ...stamp,
    contract_sha256: jsonHash(contract),
    artifact_sha256: textHash(svg),
    fit_report_sha256: jsonHash({ ...rendered.fitReport, render_receipt_id: stamp.receipt_id }),
    text_alternative_sha256: textHash(textAlternative),
    ...visualVersions,
    ...request,
  };
}

type Stored = { readonly receipt: RenderReceipt; readonly artifactId: string; readonly specId: string };

/** The data of `visual_diagram_render`, once its receipt is signed (I4.VIS.11). */
export function renderAnswer(
  { contract, rendered }: Render,
  { receipt, artifactId, specId }: Stored,
): RenderData {
  const { svg, width, height, fitReport, textAlternative } = rendered;
  const { tags, keywords, visibility } = contract.reuse_metadata;
  return {
    artifact: {
      artifact_id: artifactId,
      media_type: 'image/svg+xml',
      svg,
      sha256: receipt.artifact_sha256,
      bytes: new TextEncoder().encode(svg).length,
      width,
      height,
    },
    fit_report: { ...fitReport, render_receipt_id: receipt.receipt_id },
    render_receipt: receipt,
    text_alternative: textAlternative,
    provenance: {
      contract_sha256: receipt.contract_sha256,
      renderer_version: receipt.renderer_version,
      layout_engine_version: receipt.layout_engine_version,
      font_metrics_version: receipt.font_metrics_version,
      source_refs: contract.source_refs,
      source_digest: receipt.source_digest,
    },
    search_metadata: {
      spec_id: specId,
      title: contract.title ?? null,
      tags,
      keywords,
      diagram_family: contract.diagram_family,
      visibility,
    },
  };
}

const mostBytes = 1024 * 1024;

type ContractRender =
  | { readonly ok: true; readonly contract: VisualContract; readonly rendered: RenderedDiagram }
  | { readonly ok: false; readonly code: 'contract_invalid'; readonly errors: readonly ContractFinding[] }
  | { readonly ok: false; readonly code: 'does_not_fit'; readonly fitReport: FitReport };

/** Checks and draws a contract from outside, or says why it is refused, with the report (I4.VIS.11, I4.VIS.13). */
export function renderContract(value: unknown): ContractRender {
  const { contract, errors } = checkContract(value);
  return contract === null ? { ok: false, code: 'contract_invalid', errors } : drawContract(contract);
}

/** Draws a checked contract, or says why it is refused. */
export function drawContract(contract: VisualContract): ContractRender {
  const rendered = renderDiagram(contract);
  if (rendered.fitReport.verdict === 'does_not_fit')
    return { ok: false, code: 'does_not_fit', fitReport: rendered.fitReport };
  // long ways around many rows, or texts that need many subsets of the faces
  if (new TextEncoder().encode(rendered.svg).length > mostBytes) {
    const message =
      'The picture would take more than 1 MiB: ask for fewer edges, or fewer scripts in its texts.';
    return { ok: false, code: 'contract_invalid', errors: [{ code: 'too_large', path: '/nodes', message }] };
  }
  return { ok: true, contract, rendered };
}

/** The data of `visual_fit_report` over a stored report: covered by its render, never charged again (I4.VIS.16). */
export function fitReportAnswer(receiptId: string, report: FitReport): FitReportData {
  return {
    fit_report: { ...report, render_receipt_id: receiptId },
    render_receipt_id: receiptId,
    covered_by_render_receipt: true,
  };
}
