import { alphaSignals as payload } from '../../../data/contract/payloads/issuer/alphaSignals.ts';
import { alphaViolations } from '../../compute/alphaInvariants.ts';
import { singleArtifact } from '../../compute/singleArtifact.ts';
import { rowStore } from '../../release/rowStore.ts';
import { family } from '../family.ts';

const { object, rows } = payload.stored;

export const alphaSignals = family({
  id: 'alpha signals',
  needs: 'slice',
  isPerIssuer: true,
  parts: [
    {
      stored: object,
      make: ({ sourceDate, slice }) =>
        slice.alphaSignals.map((value) =>
          singleArtifact(object, { parts: { slice: sourceDate, cik: value.cik ?? '' }, value }),
        ),
    },
    {
      stored: rows,
      make: ({ sourceDate, slice }) =>
        rowStore({ store: rows, parts: { slice: sourceDate }, rows: slice.alphaSignals, meta: {} }),
    },
  ],
  violations: ({ slice, parameters }) =>
    slice.board.flatMap(({ signals, stress }) => alphaViolations(signals, { row: stress, parameters })),
});
