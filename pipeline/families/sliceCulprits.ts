import type { IssuerResult, Slice } from '../../calculators/composeSlice.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type LeftOut, leftOutOf } from '../compute/leftOut.ts';
import { families } from './families.ts';
import type { SliceFacts } from './familyContexts.ts';

/**
 * The issuers of a slice whose own rows are not valid or break a law, each judged by its rows alone.
 *
 * @param facts the whole slice: an issuer's scores depend on the others
 */
export async function sliceCulprits(
  facts: SliceFacts,
  { backfilled }: { readonly backfilled: boolean },
): Promise<LeftOut[]> {
  const culprits: LeftOut[] = [];
  for (const result of facts.slice.issuers) {
    const contexts = { slice: { ...facts, slice: sliceOfOne(facts.slice, result) } };
    try {
      for (const family of families) {
        await family.make(contexts, { backfilled });
        const [broken] = family.isPerIssuer ? family.violations(contexts) : [];
        if (broken !== undefined) throw ruleBroken(broken);
      }
    } catch (error) {
      culprits.push(leftOutOf(result.issuer, error));
    }
  }
  return culprits;
}

function ruleBroken(violation: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: violation,
    hint: 'Look at the issuer with `issuer explain`.',
  });
}

function sliceOfOne(slice: Slice, result: IssuerResult): Slice {
  const { cik } = result.issuer;
  const isItsOwn = (row: { readonly cik?: string | null | undefined }) => row.cik === cik;
  return {
    ...slice,
    issuers: [result],
    covenantRows: [result.stress],
    topStressed: slice.topStressed.filter(isItsOwn),
    peerRankings: slice.peerRankings.filter(isItsOwn),
    alphaSignals: slice.alphaSignals.filter(isItsOwn),
    board: slice.board.filter(({ position }) => position.issuer.cik === cik),
  };
}
