import type { IssuerResult, Slice } from '../../calculators/composeSlice.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { bucketLengths } from '../../data/contract/values/enums.ts';
import { isStop, type LeftOut, leftOutOf, reasonOf } from '../compute/leftOut.ts';
import { latestOf, type MarketContext } from '../marketRelease/marketContext.ts';
import { families } from './families.ts';
import type { SliceFacts } from './familyContexts.ts';

/**
 * The issuers of a slice whose own rows are not valid or break a law, each judged by its rows alone.
 *
 * @param facts the whole slice: an issuer's scores depend on the others
 */
export async function invalidIssuers(
  facts: SliceFacts,
  { backfilled }: { readonly backfilled: boolean },
): Promise<LeftOut[]> {
  const invalid: LeftOut[] = [];
  for (const result of facts.slice.issuers) {
    const contexts = { slice: { ...facts, slice: sliceOfOne(facts.slice, result) } };
    try {
      for (const family of families) {
        await family.make(contexts, { backfilled });
        const [broken] = family.isPerIssuer ? family.violations(contexts) : [];
        if (broken !== undefined) throw ruleBroken(broken);
      }
    } catch (error) {
      invalid.push(leftOutOf(result.issuer, error));
    }
  }
  return invalid;
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

/** What was made with market data, and the products it is made without, each with the reason. */
type WithMarket<Made> = { readonly made: Made; readonly productsLeftOut: ReadonlyMap<string, string> };

/**
 * Makes something of a slice with its market data; where that is refused, without the products whose artifacts cannot
 * be made or break a law (M15.50–M15.54), and without any market data where no single product is the cause. A product
 * never stops the slice of the issuers.
 *
 * @throws the first error when it is refused without market data too
 */
export async function withSoundMarket<Made>(
  market: MarketContext | null,
  make: (market: MarketContext | null) => Promise<Made>,
): Promise<WithMarket<Made>> {
  try {
    return { made: await make(market), productsLeftOut: new Map() };
  } catch (error) {
    if (market === null || isStop(error)) throw error;
    const invalid = await marketCulprits(market);
    const productsLeftOut = invalid.size > 0 ? invalid : allOf(market, reasonOf(error));
    const made = await make(withoutProducts(market, productsLeftOut)).catch(() => {
      // the market data is not what stands in the way
      throw error;
    });
    return { made, productsLeftOut };
  }
}

/** The products that cannot be published by themselves. */
async function marketCulprits(market: MarketContext): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const one of market.facts.products) {
    const contexts = { market: { ...market, facts: { ...market.facts, products: [one] } } };
    try {
      for (const family of families) {
        await family.make(contexts, { backfilled: false });
        const [broken] = family.violations(contexts);
        if (broken !== undefined) found.set(one.product.product, broken);
      }
    } catch (error) {
      if (isStop(error)) throw error;
      found.set(one.product.product, reasonOf(error));
    }
  }
  return found;
}

function allOf({ facts }: MarketContext, reason: string): ReadonlyMap<string, string> {
  return new Map(facts.products.map(({ product }) => [product.product, reason]));
}

/** The market data of the other products; null where none of them has a row. */
function withoutProducts(market: MarketContext, leftOut: ReadonlyMap<string, string>): MarketContext | null {
  const products = market.facts.products.filter(({ product }) => !leftOut.has(product.product));
  const facts = { ...market.facts, products };
  return bucketLengths.some((length) => latestOf(facts, length).length > 0) ? { ...market, facts } : null;
}
