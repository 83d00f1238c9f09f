import { capitalViolations } from '../../../calculators/capital/surface/capitalLaws.ts';
import { capitalRow } from '../../../calculators/capital/surface/capitalRow.ts';
import type { IssuerResult } from '../../../calculators/composeSlice.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { capital as payload } from '../../../data/contract/payloads/issuer/capital.ts';
import { eachOrLeftOut } from '../../compute/leftOut.ts';
import type { Artifact } from '../../release/artifact.ts';
import { singleArtifact } from '../../release/validated.ts';
import { family } from '../family.ts';
import type { SliceFacts } from '../familyContexts.ts';

const { object } = payload.stored;

/** Capital structures, each excluded alone where it cannot be made: no row of an issuer depends on it (M18.80). */
export const capital = family({
  id: 'capital',
  needs: 'slice',
  parts: [
    {
      stored: object,
      make: (facts) =>
        eachOrLeftOut(
          facts.slice.issuers,
          ({ issuer: { cik, ticker } }) => ({
            what: `the capital structure of ${ticker ?? cik}`,
            keys: [object.key({ slice: facts.sourceDate, cik })],
          }),
          (one) => artifactOf(one, facts),
        ),
    },
  ],
});

function artifactOf({ issuer, stress, capital: made }: IssuerResult, { sourceDate }: SliceFacts): Artifact[] {
  if (made.fault !== null) throw made.fault;
  if (made.capital === null) return [];
  const [violation] = capitalViolations(made.capital);
  if (violation !== undefined)
    throw new IssuerError({
      code: 'validation_failed',
      message: violation,
      hint: 'The release is published without it; look at it with `issuer explain --capital`.',
    });
  const value = capitalRow(made.capital, {
    issuer,
    debtCoverage: stress.debt_coverage_status,
    computedAt: stress.computed_at_utc ?? '',
  });
  return [singleArtifact(object, { parts: { slice: sourceDate, cik: issuer.cik }, value })];
}
