import type { FitReport } from '../../../data/contract/visual/fitReport.ts';
import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import { checkContract } from '../diagram/checkContract.ts';
import type { ContractFinding } from '../diagram/contractFinding.ts';
import { type RenderedDiagram, renderDiagram } from '../diagram/renderDiagram.ts';

const mostBytes = 1024 * 1024;

export type ContractRender =
  | { readonly ok: true; readonly contract: VisualContract; readonly rendered: RenderedDiagram }
  | { readonly ok: false; readonly code: 'contract_invalid'; readonly errors: readonly ContractFinding[] }
  | { readonly ok: false; readonly code: 'does_not_fit'; readonly fitReport: FitReport };

/** Checks and draws a contract from outside, or says why it is refused, with the report (I4.VIS.11, I4.VIS.13). */
export function renderContract(value: unknown): ContractRender {
  const { contract, errors } = checkContract(value);
  return contract === null ? { ok: false, code: 'contract_invalid', errors } : drawContract(contract);
}

/** Draws a checked contract, or says why it is refused. */
export function drawContract(contract: VisualContract): ContractRender {
  const rendered = renderDiagram(contract);
  if (rendered.fitReport.verdict === 'does_not_fit')
    return { ok: false, code: 'does_not_fit', fitReport: rendered.fitReport };
  // long ways around many rows, or texts that need many subsets of the faces
  if (new TextEncoder().encode(rendered.svg).length > mostBytes) {
    const message =
      'The picture would take more than 1 MiB: ask for fewer edges, or fewer scripts in its texts.';
    return { ok: false, code: 'contract_invalid', errors: [{ code: 'too_large', path: '/nodes', message }] };
  }
  return { ok: true, contract, rendered };
}
