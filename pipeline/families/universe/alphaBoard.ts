import type { BoardEntry } from '../../../calculators/alpha/opportunityBoard.ts';
import { alphaOpportunities } from '../../../data/contract/payloads/universe/alphaOpportunities.ts';
import { boardViolations } from '../../compute/alphaInvariants.ts';
import { rowStore } from '../../release/rowStore.ts';
import { family } from '../family.ts';

const { rows } = alphaOpportunities.stored;

export const alphaBoard = family({
  id: 'alpha board',
  needs: 'slice',
  parts: [
    {
      stored: rows,
      make: ({ sourceDate, slice }) =>
        rowStore({
          store: rows,
          parts: { slice: sourceDate },
          rows: slice.board.map(({ row }) => row),
          beside: (_, i) => standingOf(slice.board, i),
          meta: {
            market_regime: slice.regime.confirmed ?? 'unavailable',
            tower_status: slice.tower.status,
            tower_coherence: slice.tower.coherence,
          },
        }),
    },
  ],
  violations: ({ slice }) => boardViolations(slice.board),
});

function standingOf(board: readonly BoardEntry[], i: number) {
  const entry = board[i];
  if (entry === undefined) throw new RangeError(`the board has no row ${i}`);
  const { position, signals, failedGate, failedGateBesidesType } = entry;
  return {
    issuerType: position.issuer.issuerType,
    quality: signals.score_inputs.quality_flag_normalized,
    failedGate,
    failedGateBesidesType,
  };
}
