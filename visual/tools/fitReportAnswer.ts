import type { z } from 'zod';
import type { FitReport } from '../../contract/visual/fitReport.ts';
import type { fitReportData } from '../../contract/visual/visualToolData.ts';

/** The data of `visual_fit_report` over a stored report: covered by its render, never charged again (I4.VIS.16). */
export function fitReportAnswer(receiptId: string, report: FitReport): z.infer<typeof fitReportData> {
  return {
    fit_report: { ...report, render_receipt_id: receiptId },
    render_receipt_id: receiptId,
    covered_by_render_receipt: true,
  };
}
