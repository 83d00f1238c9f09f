import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import type { FitReport } from '../../../data/contract/visual/fitReport.ts';
import type { RenderReceipt } from '../../../data/contract/visual/renderReceipt.ts';
import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import type { SpecPackageData } from '../../../data/contract/visual/visualToolData.ts';
import { textHash } from './receiptBody.ts';

/** A render as it is stored (I4.VIS.12a). */
export type StoredRender = {
  readonly contract: VisualContract;
  readonly svg: string;
  readonly fitReport: FitReport;
  readonly receipt: RenderReceipt;
  readonly textAlternative: string;
};

export type PackageFile = SpecPackageData['package']['files'][number];

/** The five files of a render: name, media type, text (I4.VIS.12a, I4.VIS.19). */
export const renderFiles = ({ contract, svg, fitReport, receipt, textAlternative }: StoredRender) =>
  [
    ['contract.json', 'application/json', canonicalJson(contract)],
    ['diagram.svg', 'image/svg+xml', svg],
    ['fit_report.json', 'application/json', canonicalJson(fitReport)],
    ['render_receipt.json', 'application/json', canonicalJson(receipt)],
    ['text_alternative.txt', 'text/plain; charset=utf-8', textAlternative],
  ] as const;

/** Those of each render in a folder named by its receipt, ordered by path. */
export function packageFiles(renders: readonly StoredRender[]): PackageFile[] {
  return renders
    .flatMap((render) =>
      renderFiles(render).map(([name, mediaType, text]) =>
        packageFile(`${render.receipt.receipt_id}/${name}`, { mediaType, text }),
      ),
    )
    .sort((a, b) => compareText(a.path, b.path));
}

/** A file of a package with its hash and its bytes in base64. */
export function packageFile(
  path: string,
  { mediaType, text }: { mediaType: string; text: string },
): PackageFile {
  const bytes = new TextEncoder().encode(text);
  return {
    path,
    media_type: mediaType,
    sha256: textHash(text),
    bytes: bytes.length,
    content_base64: bytes.toBase64(),
  };
}
