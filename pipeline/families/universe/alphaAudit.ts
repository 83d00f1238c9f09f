import { auditRows, auditViews, boardAudit } from '../../../calculators/alpha/boardAudit.ts';
import { alphaOpportunitiesAudit } from '../../../data/contract/payloads/universe/alphaOpportunitiesAudit.ts';
import { singleArtifact } from '../../compute/singleArtifact.ts';
import { rowStore } from '../../release/rowStore.ts';
import { family } from '../family.ts';

const { object, rows } = alphaOpportunitiesAudit.stored;

/** Why each issuer is where it is on the board: a summary for each view, and the rows of all. */
export const alphaAudit = family({
  id: 'alpha board audit',
  needs: 'slice',
  parts: [
    {
      stored: object,
      make: ({ sourceDate, slice }) =>
        auditViews.map((view) =>
          singleArtifact(object, {
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
      stored: rows,
      make: ({ sourceDate, slice }) =>
        rowStore({ store: rows, parts: { slice: sourceDate }, rows: auditRows(slice.board), meta: {} }),
    },
  ],
});
