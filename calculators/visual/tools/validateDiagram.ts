import type { ValidateData } from '../../../data/contract/visual/visualToolData.ts';
import { type CheckedContract, checkContract } from '../diagram/checkContract.ts';
import { renderDiagram } from '../diagram/renderDiagram.ts';
import { type QuoteAnswer, quoteRequest } from './quoteRequest.ts';
import { jsonHash } from './renderAnswer.ts';

/**
 * The data of `visual_diagram_validate` (I4.VIS.10): an invalid contract is a successful answer with `valid: false`.
 * A valid one is rendered to say whether it fits. The quote is that of the render it prepares; its id and expiry
 * come from the caller.
 */
export function validateDiagram(contract: unknown, quoting: RenderQuoting): ValidateData {
  const checked = checkContract(contract);
  const answer = quoteRender(contract, checked, quoting);
  const drawn = checked.contract === null ? null : renderDiagram(checked.contract);
  return {
    valid: checked.contract !== null,
    would_render: drawn !== null && drawn.fitReport.verdict !== 'does_not_fit',
    contract_sha256: checked.contract === null ? null : jsonHash(checked.contract),
    normalized_contract: checked.contract,
    errors: [...checked.errors],
    ...(checked.errorsLeftOut === 0 ? {} : { errors_left_out: checked.errorsLeftOut }),
    warnings: [...checked.warnings],
    ...(checked.warningsLeftOut === 0 ? {} : { warnings_left_out: checked.warningsLeftOut }),
    estimate: answer.estimate,
    quote: 'quote' in answer ? answer.quote : null,
  };
}

/** What the quote of a render is put together with. */
export type RenderQuoting = {
  readonly renderPriceMicroUsd: number;
  readonly quoteId: string;
  readonly expiresAt: string;
};

/** Estimate and quote of the render of a contract, from its sizes alone (I4.VIS.20, I4.VIS.23). */
export function quoteRender(
  contract: unknown,
  checked: Pick<CheckedContract, 'bytes' | 'contract'>,
  quoting: RenderQuoting,
): QuoteAnswer {
  const sizes = checked.contract ?? sizesOf(contract);
  return quoteRequest(
    {
      tool: 'visual_diagram_render',
      fixedPriceMicroUsd: quoting.renderPriceMicroUsd,
      inputBytes: checked.bytes,
      nodes: sizes.nodes.length,
      edges: sizes.edges.length,
    },
    quoting,
  );
}

/** The lists of a contract that was refused, as far as they are lists. */
function sizesOf(contract: unknown): { nodes: readonly unknown[]; edges: readonly unknown[] } {
  const members = (typeof contract === 'object' && contract !== null ? contract : {}) as Record<
    string,
    unknown
  >;
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  return { nodes: list(members['nodes']), edges: list(members['edges']) };
}
