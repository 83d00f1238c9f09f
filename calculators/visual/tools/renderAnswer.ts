import type { RenderReceipt } from '../../../data/contract/visual/renderReceipt.ts';
import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import type { RenderData } from '../../../data/contract/visual/visualToolData.ts';
import type { RenderedDiagram } from '../diagram/renderDiagram.ts';
import { receiptBody } from '../receipt/receiptBody.ts';

export type RenderRequest = Parameters<typeof receiptBody>[0]['request'];

/** What the caller adds to a receipt before it is signed. */
export type ReceiptStamp = Pick<
  RenderReceipt,
  'receipt_id' | 'created_at_utc' | 'settlement_mode' | 'key_id'
>;

/** A picture with its contract, just drawn or read again. */
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
  const fitReport = { ...rendered.fitReport, render_receipt_id: stamp.receipt_id };
  return {
    schema_id: 'visual_render_receipt.v1',
    ...stamp,
    ...receiptBody({ contract, svg, fitReport, textAlternative, request }),
  };
}

/** The data of `visual_diagram_render`, once its receipt is signed (I4.VIS.11). */
export function renderAnswer(
  { contract, rendered }: Render,
  {
    receipt,
    artifactId,
    specId,
  }: { readonly receipt: RenderReceipt; readonly artifactId: string; readonly specId: string },
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
