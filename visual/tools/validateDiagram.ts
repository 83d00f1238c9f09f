import type { ValidateData } from '../../contract/visual/visualToolData.ts';
import { checkContract } from '../diagram/checkContract.ts';
import { renderDiagram } from '../diagram/renderDiagram.ts';
import { jsonHash } from '../receipt/hashes.ts';
import { quoteRequest } from '../receipt/quoteRequest.ts';

/**
 * The data of `visual_diagram_validate` (I4.VIS.10): an invalid contract is a successful answer with `valid: false`.
 * A valid one is drawn to say whether it would render. The quote is that of the render it prepares; its id and expiry
 * come from the caller.
 */
export function validateDiagram(
  contract: unknown,
  quoting: {
    readonly renderPriceMicroUsd: number;
    readonly quoteId: string;
    readonly expiresAt: string;
  },
): ValidateData {
  const checked = checkContract(contract);
  const sizes = checked.contract ?? sizesOf(contract);
  const answer = quoteRequest(
    {
      tool: 'visual_diagram_render',
      fixedPriceMicroUsd: quoting.renderPriceMicroUsd,
      inputBytes: checked.bytes,
      nodes: sizes.nodes.length,
      edges: sizes.edges.length,
    },
    quoting,
  );
  const drawn = checked.contract === null ? null : renderDiagram(checked.contract);
  return {
    valid: checked.contract !== null,
    would_render: drawn !== null && drawn.fitReport.verdict !== 'does_not_fit',
    contract_sha256: checked.contract === null ? null : jsonHash(checked.contract),
    normalized_contract: checked.contract,
    errors: [...checked.errors],
    warnings: [...checked.warnings],
    estimate: answer.estimate,
    quote: 'quote' in answer ? answer.quote : null,
  };
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
