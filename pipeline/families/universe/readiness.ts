import { readiness as payload } from '../../../data/contract/payloads/universe/readiness.ts';
import { readinessCountViolations } from '../../compute/countInvariants.ts';
import { singleArtifact } from '../../compute/singleArtifact.ts';
import { towerViolations } from '../../compute/standingInvariants.ts';
import { family } from '../family.ts';

const { object } = payload.stored;

export const readiness = family({
  id: 'readiness',
  needs: 'slice',
  parts: [
    {
      stored: object,
      make: ({ sourceDate, slice, coverageWindows }) => {
        const windows = coverageWindows === undefined ? {} : { coverage_windows: [...coverageWindows] };
        const value = { ...slice.readiness, ...windows };
        return [singleArtifact(object, { parts: { slice: sourceDate }, value })];
      },
    },
  ],
  violations: ({ slice }) => [
    ...towerViolations(slice.readiness),
    ...readinessCountViolations(slice.readiness, { rows: slice.covenantRows.length }),
  ],
});
