import type { FitReport } from '../../../data/contract/visual/fitReport.ts';
import type { FitReportData } from '../../../data/contract/visual/visualToolData.ts';

/** The data of `visual_fit_report` over a stored report: covered by its render, never charged again (I4.VIS.16). */
export function fitReportAnswer(receiptId: string, report: FitReport): FitReportData {
  return {
    fit_report: { ...report, render_receipt_id: receiptId },
    render_receipt_id: receiptId,
    covered_by_render_receipt: true,
  };
}
