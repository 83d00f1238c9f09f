import type { Figure, Reading } from './reading.ts';

const verdict: Figure = ['fit_report.verdict', '', 'verdict'];
const violations: NonNullable<Reading['rows']> = {
  member: 'fit_report.violations',
  columns: [['code'], ['severity'], ['measured'], ['limit'], ['message']],
};
/** Figures that a render and its report again both show. */
const fitted: readonly Figure[] = [
  verdict,
  ['fit_report.metrics.node_count', 'nodes', 'node_count'],
  ['fit_report.metrics.edge_count', 'edges', 'edge_count'],
  ['fit_report.metrics.edge_crossings', 'crossings', 'edge_crossings'],
  ['fit_report.violations_left_out', 'violations not listed', 'violations_left_out'],
  ['fit_report.metrics.min_font_px_used', 'px', 'min_font_px_used'],
];

/** What is reported of the answers of visual tools, by schema id. */
export const visualReadings: Readonly<Record<string, Reading>> = {
  'visual_diagram_validate.v1': {
    headline: [['valid'], ['would_render']],
    figures: [
      ['valid'],
      ['would_render'],
      ['contract_sha256'],
      ['estimate.input_tokens', 'tokens', 'input_tokens'],
      ['estimate.output_tokens', 'tokens', 'output_tokens'],
      ['quote.quoted_price_usd', 'USD', 'quoted_price_usd'],
      ['warnings[0].code', '', 'warning'],
      ['warnings[0].path', '', 'at'],
      ['warnings[0].message', '', 'saying'],
      ['errors_left_out', 'errors not listed', 'errors_left_out'],
      ['warnings_left_out', 'warnings not listed', 'warnings_left_out'],
    ],
    rows: { member: 'errors', columns: [['code'], ['path'], ['message']] },
  },
  'visual_diagram_render.v1': {
    headline: [verdict, ['artifact.width', 'px wide', 'width'], ['artifact.height', 'px high', 'height']],
    figures: [
      ['artifact.width', 'px', 'width'],
      ['artifact.height', 'px', 'height'],
      ['artifact.bytes', 'bytes', 'bytes'],
      ['artifact.sha256', '', 'sha256'],
      ...fitted,
      ['render_receipt.receipt_id', '', 'receipt_id'],
      ['render_receipt.quoted_price_usd', 'USD', 'quoted_price_usd'],
      ['render_receipt.created_at_utc', '', 'created_at_utc'],
    ],
    rows: violations,
  },
  'visual_fit_report.v1': {
    headline: [verdict],
    figures: [
      ['render_receipt_id'],
      ...fitted,
      ['fit_report.metrics.min_gap_px', 'px', 'min_gap_px'],
      ['fit_report.metrics.min_contrast', 'ratio', 'min_contrast'],
      ['fit_report.metrics.scale_applied', 'ratio', 'scale_applied'],
    ],
    rows: violations,
  },
  'visual_spec_search.v1': {
    headline: [['meta.total', 'specs', 'total']],
    figures: [
      ['meta.total', 'specs', 'total'],
      ['meta.count', 'on this page', 'count'],
      ['meta.offset', 'offset', 'offset'],
    ],
    rows: { member: 'data', columns: [['spec_id'], ['diagram_id'], ['title'], ['score']] },
  },
  'visual_spec_package.v1': {
    headline: [['package.total_bytes', 'bytes', 'total_bytes']],
    figures: [
      ['package.package_id', '', 'package_id'],
      ['package.total_bytes', 'bytes', 'total_bytes'],
      ['package.manifest_sha256', '', 'manifest_sha256'],
    ],
    rows: { member: 'package.files', columns: [['path'], ['bytes', 'bytes']] },
  },
};
