import { z } from 'zod';
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
import table from './visualTools.json' with { type: 'json' };

/** One tool of the visual family. */
const visualTool = z.strictObject({
  name: z.string(),
  title: z.string(),
  /** What it does, or will do. */
  what: z.string(),
  /** Lowest and highest price in micro-USD; equal where the price is fixed. */
  minMicroUsd: z.number().int(),
  maxMicroUsd: z.number().int(),
  /** How far it is built (I4.VIS.2). */
  status: z.enum(['planned', 'dynamic_quote_planned', 'live_internal_beta', 'covered_by_render_receipt']),
  kind: z.enum(['tool', 'bundle', 'document']),
});

/** What a tool that is executed takes and answers. */
export type VisualForms = {
  /** Id of the form of its data (I4.31a). */
  readonly schemaId: string;
  readonly args: z.ZodObject;
  readonly data: z.ZodType;
  readonly next: readonly FollowUp[];
};

const builtForms: Readonly<Record<string, Omit<VisualForms, 'schemaId' | 'next'>>> = {
  visual_diagram_validate: { args: validateArguments, data: validateData },
  visual_diagram_render: { args: renderArguments, data: renderData },
  visual_fit_report: { args: fitReportArguments, data: fitReportData },
  visual_spec_search: { args: specSearchArguments, data: specSearchData },
  visual_spec_package: { args: specPackageArguments, data: specPackageData },
};

const afterRender: FollowUp = {
  tool: 'visual_fit_report',
  args: { render_receipt_id: 'render_receipt.receipt_id' },
};

function formsOf(name: string): VisualForms | null {
  const forms = builtForms[name];
  if (forms === undefined) return null;
  return { schemaId: `${name}.v1`, ...forms, next: name === 'visual_diagram_render' ? [afterRender] : [] };
}

export type VisualTool = z.infer<typeof visualTool> & {
  /** In USD; null where the call decides it, and the range then. */
  readonly priceUsd: number | null;
  readonly priceRangeUsd: { readonly min: number; readonly max: number } | null;
  /** Forms of its arguments and its data; null while this build does not execute it. */
  readonly forms: VisualForms | null;
};

/**
 * The visual tools in their order. A tool that this build does not execute stands here as `planned`: it stands
 * on the card and in the prices, not in the list, and promises nothing (I4.VIS.3).
 */
export const visualTools: readonly VisualTool[] = z
  .array(visualTool)
  .parse(table)
  .map((tool) => {
    const [min, max] = [tool.minMicroUsd / 1_000_000, tool.maxMicroUsd / 1_000_000];
    const price =
      min === max ? { priceUsd: min, priceRangeUsd: null } : { priceUsd: null, priceRangeUsd: { min, max } };
    return { ...tool, ...price, forms: formsOf(tool.name) };
  });

/** A visual tool that this build executes. */
export type BuiltVisualTool = VisualTool & { readonly forms: VisualForms };

/** Those of them that are listed (I4.MCP.11). */
export const builtVisualTools: readonly BuiltVisualTool[] = visualTools.flatMap(({ forms, ...tool }) =>
  forms === null ? [] : [{ ...tool, forms }],
);
