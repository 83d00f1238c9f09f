import { auditRows, auditViews, boardAudit } from '../../../calculators/alpha/boardAudit.ts';
import type { BoardEntry } from '../../../calculators/alpha/opportunityBoard.ts';
import { alphaSignals as signalsPayload } from '../../../data/contract/payloads/issuer/alphaSignals.ts';
import { alphaOpportunities } from '../../../data/contract/payloads/universe/alphaOpportunities.ts';
import { alphaOpportunitiesAudit } from '../../../data/contract/payloads/universe/alphaOpportunitiesAudit.ts';
import { alphaViolations, boardViolations } from '../../compute/alphaInvariants.ts';
import { rowStore } from '../../release/rowStore.ts';
import { singleArtifact } from '../../release/validated.ts';
import { family } from '../family.ts';

export const alphaBoard = family({
  id: 'alpha board',
  needs: 'slice',
  parts: [
    {
      stored: alphaOpportunities.stored.rows,
      make: ({ sourceDate, slice }) =>
        rowStore({
          store: alphaOpportunities.stored.rows,
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
    issuer_type: position.issuer.issuerType,
    quality: signals.score_inputs.quality_flag_normalized,
    failed_gate: failedGate,
    failed_gate_besides_type: failedGateBesidesType,
  };
}

/** Why each issuer is where it is on the board: a summary for each view, and the rows of all. */
export const alphaAudit = family({
  id: 'alpha board audit',
  needs: 'slice',
  parts: [
    {
      stored: alphaOpportunitiesAudit.stored.object,
      make: ({ sourceDate, slice }) =>
        auditViews.map((view) =>
          singleArtifact(alphaOpportunitiesAudit.stored.object, {
            parts: { slice: sourceDate, variant: view },
            value: boardAudit(slice.board, {
              view,
              sourceDate,
              tower: slice.tower,
              regime: slice.regime.confirmed ?? 'unavailable',
            }),
          }),
        ),
    },
    {
      stored: alphaOpportunitiesAudit.stored.rows,
      make: ({ sourceDate, slice }) =>
        rowStore({
          store: alphaOpportunitiesAudit.stored.rows,
          parts: { slice: sourceDate },
          rows: auditRows(slice.board),
          meta: {},
        }),
    },
  ],
});

export const alphaSignals = family({
  id: 'alpha signals',
  needs: 'slice',
  isPerIssuer: true,
  parts: [
    {
      stored: signalsPayload.stored.object,
      make: ({ sourceDate, slice }) =>
        slice.alphaSignals.map((value) =>
          singleArtifact(signalsPayload.stored.object, {
            parts: { slice: sourceDate, cik: value.cik ?? '' },
            value,
          }),
        ),
    },
    {
      stored: signalsPayload.stored.rows,
      make: ({ sourceDate, slice }) =>
        rowStore({
          store: signalsPayload.stored.rows,
          parts: { slice: sourceDate },
          rows: slice.alphaSignals,
          meta: {},
        }),
    },
  ],
  violations: ({ slice, parameters }) =>
    slice.board.flatMap(({ signals, stress }) => alphaViolations(signals, { row: stress, parameters })),
});
