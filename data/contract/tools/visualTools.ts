import type { z } from 'zod';
import {
  fitReportArguments,
  renderArguments,
  specPackageArguments,
  specSearchArguments,
  validateArguments,
} from '../visual/visualArguments.ts';
import {
  fitReportData,
  renderData,
  specPackageData,
  specSearchData,
  validateData,
} from '../visual/visualToolData.ts';
import type { FollowUp } from './intelTools.ts';

/** How far a visual tool is built (I4.VIS.2). */
export type VisualStatus =
  | 'planned'
  | 'dynamic_quote_planned'
  | 'live_internal_beta'
  | 'covered_by_render_receipt';

/** One tool of the visual family. */
export type VisualTool = {
  readonly name: string;
  readonly title: string;
  /** What it does, or will do. */
  readonly what: string;
  /** Lowest and highest price in micro-USD; equal where the price is fixed. */
  readonly minMicroUsd: number;
  readonly maxMicroUsd: number;
  readonly status: VisualStatus;
  readonly kind: 'tool' | 'bundle' | 'document';
  /** Forms of its arguments and its data; null while this build does not execute it. */
  readonly forms: VisualForms | null;
};

/** What a tool that is executed takes and answers. */
export type VisualForms = {
  /** Id of the form of its data (I4.31a). */
  readonly schemaId: string;
  readonly args: z.ZodObject;
  readonly data: z.ZodType;
  readonly next: readonly FollowUp[];
};

type Fixed = Omit<VisualTool, 'minMicroUsd' | 'maxMicroUsd' | 'forms'> & {
  readonly microUsd: number;
  readonly forms?: VisualForms;
};
const fixed = ({ microUsd, ...tool }: Fixed): VisualTool => ({
  forms: null,
  ...tool,
  minMicroUsd: microUsd,
  maxMicroUsd: microUsd,
});

/**
 * The visual tools in their order. A tool that this build does not execute stands here as `planned`: it stands
 * on the card and in the prices, not in the list, and promises nothing (I4.VIS.3).
 */
export const visualTools: readonly VisualTool[] = [
  fixed({
    name: 'visual_contract_create',
    title: 'Create a visual contract',
    what: 'Drafts a visual contract from a description.',
    microUsd: 250_000,
    status: 'planned',
    kind: 'tool',
  }),
  fixed({
    name: 'visual_diagram_validate',
    title: 'Validate a visual contract',
    what: 'Check a visual contract before visual_diagram_render: errors with JSON pointers, whether it fits, what the render is quoted.',
    microUsd: 100_000,
    status: 'live_internal_beta',
    kind: 'tool',
    forms: {
      schemaId: 'visual_diagram_validate.v1',
      args: validateArguments,
      data: validateData,
      next: [],
    },
  }),
  fixed({
    name: 'visual_contract_repair',
    title: 'Repair a visual contract',
    what: 'Mends what a validation found.',
    microUsd: 150_000,
    status: 'planned',
    kind: 'tool',
  }),
  fixed({
    name: 'visual_diagram_render',
    title: 'Render a diagram',
    what: 'Render a visual contract to SVG, with a measured fit report, a text alternative and a signed receipt.',
    microUsd: 600_000,
    status: 'live_internal_beta',
    kind: 'tool',
    forms: {
      schemaId: 'visual_diagram_render.v1',
      args: renderArguments,
      data: renderData,
      next: [{ tool: 'visual_fit_report', args: { render_receipt_id: 'render_receipt.receipt_id' } }],
    },
  }),
  fixed({
    name: 'visual_render_html_artifact',
    title: 'Render an HTML page',
    what: 'Renders a visual contract as one HTML page.',
    microUsd: 850_000,
    status: 'planned',
    kind: 'tool',
  }),
  fixed({
    name: 'visual_fit_report',
    title: 'Fit report of a render',
    what: 'Show the fit report of an earlier render again, by the id of its receipt.',
    microUsd: 300_000,
    status: 'covered_by_render_receipt',
    kind: 'tool',
    forms: {
      schemaId: 'visual_fit_report.v1',
      args: fitReportArguments,
      data: fitReportData,
      next: [],
    },
  }),
  fixed({
    name: 'visual_visual_audit',
    title: 'Audit a diagram',
    what: 'Judges a finished diagram.',
    microUsd: 450_000,
    status: 'planned',
    kind: 'tool',
  }),
  {
    name: 'visual_spec_search',
    title: 'Search visual specs',
    what: 'Find visual contracts that were rendered before, your own and public ones, by words and tags.',
    minMicroUsd: 30_000,
    maxMicroUsd: 80_000,
    status: 'live_internal_beta',
    kind: 'tool',
    forms: {
      schemaId: 'visual_spec_search.v1',
      args: specSearchArguments,
      data: specSearchData,
      next: [],
    },
  },
  fixed({
    name: 'visual_spec_package',
    title: 'Package renders',
    what: 'Bundle up to 20 renders, by the ids of their receipts, with all hashes and a signed manifest.',
    microUsd: 1_250_000,
    status: 'live_internal_beta',
    kind: 'bundle',
    forms: {
      schemaId: 'visual_spec_package.v1',
      args: specPackageArguments,
      data: specPackageData,
      next: [],
    },
  }),
  fixed({
    name: 'visual_full_visual_report',
    title: 'Visual report',
    what: 'Several diagrams as one report.',
    microUsd: 1_750_000,
    status: 'planned',
    kind: 'bundle',
  }),
  fixed({
    name: 'visual_dashboard_full',
    title: 'Dashboard',
    what: 'Several artifacts as one dashboard.',
    microUsd: 2_500_000,
    status: 'planned',
    kind: 'bundle',
  }),
  {
    name: 'visual_heavy_source_bundle',
    title: 'Bundle from large sources',
    what: 'A bundle from a long filing or several source files, at a quoted price.',
    minMicroUsd: 4_000_000,
    maxMicroUsd: 6_000_000,
    status: 'dynamic_quote_planned',
    kind: 'bundle',
    forms: null,
  },
  fixed({
    name: 'visual_brief_pdf_full',
    title: 'Brief as PDF',
    what: 'The daily brief as a PDF.',
    microUsd: 4_500_000,
    status: 'planned',
    kind: 'document',
  }),
  fixed({
    name: 'visual_brief_pdf_monthly',
    title: 'Monthly brief as PDF',
    what: 'The briefs of a month as PDF.',
    microUsd: 79_000_000,
    status: 'planned',
    kind: 'document',
  }),
  fixed({
    name: 'visual_issuer_drilldown_pdf',
    title: 'Issuer drill-down as PDF',
    what: 'Everything about one issuer as a PDF.',
    microUsd: 18_000_000,
    status: 'planned',
    kind: 'document',
  }),
  fixed({
    name: 'visual_deep_brief_pdf',
    title: 'Deep brief as PDF',
    what: 'A long brief as a PDF.',
    microUsd: 9_000_000,
    status: 'planned',
    kind: 'document',
  }),
];

/** A visual tool that this build executes. */
export type BuiltVisualTool = VisualTool & { readonly forms: VisualForms };

/** Those of them that are listed (I4.MCP.11). */
export const builtVisualTools: readonly BuiltVisualTool[] = visualTools.flatMap(({ forms, ...tool }) =>
  forms === null ? [] : [{ ...tool, forms }],
);
