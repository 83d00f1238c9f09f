import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { families } from './families.ts';
import type { ContextsAtHand } from './familyContexts.ts';

/**
 * The release gate on the published values: the invariants of METHODOLOGY 15 that apply to the slice (M6.6).
 * Schemas are checked as artifacts are made, hashes when the staged build is read back.
 *
 * @throws IssuerError `validation_failed` naming the first violation and listing them all.
 */
export function releaseGate(contexts: ContextsAtHand): void {
  const violations = families.flatMap((family) => family.violations(contexts));
  if (violations.length === 0) return;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  throw new IssuerError({
    code: 'validation_failed',
    message: `The release gate refused the slice: ${violations[0]}${more}.`,
    hint: 'Nothing was published and the promoted release is untouched; look at the issuers named with `issuer query`.',
    details: { violations: violations.slice(0, 100) },
  });
}
