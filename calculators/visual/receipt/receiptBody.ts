import type { FitReport } from '../../../data/contract/visual/fitReport.ts';
import type { RenderReceiptBody } from '../../../data/contract/visual/renderReceipt.ts';
import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import { jsonHash, textHash } from './hashes.ts';
import { visualVersions } from './versions.ts';

/** Everything of a receipt but id, instant, mode and signature (I4.VIS.15). */
export function receiptBody({
  contract,
  svg,
  fitReport,
  textAlternative,
  request: { projectId, sourceDigest, paymentReference, quotedPriceUsd },
}: {
  readonly contract: VisualContract;
  readonly svg: string;
  readonly fitReport: FitReport;
  readonly textAlternative: string;
  readonly request: {
    readonly projectId: string | null;
    readonly sourceDigest: readonly string[];
    readonly paymentReference: string | null;
    readonly quotedPriceUsd: number;
  };
}): RenderReceiptBody {
  return {
    contract_sha256: jsonHash(contract),
    artifact_sha256: textHash(svg),
    fit_report_sha256: jsonHash(fitReport),
    text_alternative_sha256: textHash(textAlternative),
    ...visualVersions,
    project_id: projectId,
    payment_reference: paymentReference,
    source_digest: [...sourceDigest],
    quoted_price_usd: quotedPriceUsd,
  };
}
