import { z } from 'zod';
import { count } from '../values/primitives.ts';
import { violationCodes } from './visualContract.ts';

/** Most violations of one code that a report lists. */
export const listedPerCode = 20;

/** What was measured in a finished picture (I4.VIS.14). */
export const fitReport = z.strictObject({
  schema_id: z.literal('visual_fit_report.v1'),
  render_receipt_id: z.string().nullable(),
  verdict: z.enum(['fit', 'fit_with_warnings', 'does_not_fit']),
  metrics: z.strictObject({
    node_count: count,
    edge_count: count,
    node_overlaps: count,
    label_overflows: count,
    edge_crossings: count,
    edges_through_nodes: count,
    outside_viewport: count,
    min_font_px_used: z.number(),
    scale_applied: z.number(),
    used_width: z.number(),
    used_height: z.number(),
    fill_ratio: z.number(),
    min_gap_px: z.number(),
    min_contrast: z.number(),
  }),
  violations: z.array(
    z.strictObject({
      code: z.enum(violationCodes),
      severity: z.enum(['error', 'warning']),
      subject_ids: z.array(z.string()),
      measured: z.number().nullable(),
      limit: z.number().nullable(),
      message: z.string(),
    }),
  ),
  /** Violations beyond those listed; absent when all are. */
  violations_left_out: count.min(1).optional(),
});

export type FitReport = z.infer<typeof fitReport>;
export type FitMetrics = FitReport['metrics'];
export type FitViolation = FitReport['violations'][number];
