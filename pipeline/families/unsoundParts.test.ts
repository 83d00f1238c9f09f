import { describe, expect, it } from 'vitest';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { contextOfWindows } from '../../fixtures/builders/contextOfWindows.ts';
import { marketRow } from '../../fixtures/builders/marketRow.ts';
import type { MarketContext } from '../marketRelease/marketContext.ts';
import { releaseArtifacts } from './releaseArtifacts.ts';
import { withSoundMarket } from './unsoundParts.ts';

const attributed = (product: string, contribution: number) =>
  marketRow({ product, attribution: [{ factor: 'basis_bps', contribution }] });
const sound = attributed('BTC-PERP-INTX', 1.066667);
// parts that sum to 9 for a pressure of 1.066667 (M15.50)
const broken = attributed('ETH-PERP-INTX', 9);

const published = (market: MarketContext | null) =>
  releaseArtifacts(market === null ? {} : { market }, { backfilled: false });
const namesOf = (market: MarketContext | null) =>
  market?.facts.products.map(({ product }) => product.product);

describe('market data of a slice', () => {
  it('is published whole while it is sound', async () => {
    const { made, productsLeftOut } = await withSoundMarket(contextOfWindows([[sound]]), published);
    expect(productsLeftOut.size).toBe(0);
    expect(made.artifacts.some(({ key }) => key.startsWith('perp-rankings/'))).toBe(true);
  });

  it('is published without the product that breaks a law, which is named with the law (M15.50)', async () => {
    const { made, productsLeftOut } = await withSoundMarket(contextOfWindows([[sound], [broken]]), published);
    expect([...productsLeftOut]).toEqual([
      ['ETH-PERP-INTX', expect.stringContaining('M15.50: the parts of its pressure do not sum to it')],
    ]);
    expect(made.artifacts.some(({ key }) => key.includes('BTC-PERP-INTX'))).toBe(true);
    expect(made.artifacts.some(({ key }) => key.includes('ETH-PERP-INTX'))).toBe(false);
  });

  it('is not published at all where every product breaks one', async () => {
    const { made, productsLeftOut } = await withSoundMarket(contextOfWindows([[broken]]), async (market) => {
      await published(market);
      return namesOf(market);
    });
    expect([made, [...productsLeftOut.keys()]]).toEqual([undefined, ['ETH-PERP-INTX']]);
  });

  it('is left out where it is refused and no product by itself is the cause', async () => {
    const refusal = new IssuerError({ code: 'validation_failed', message: 'Two disagree.', hint: 'None.' });
    const both = contextOfWindows([[sound], [attributed('SOL-PERP-INTX', 1.066667)]]);
    const { made, productsLeftOut } = await withSoundMarket(both, async (market) => {
      if (market !== null) throw refusal;
      return 'issuers alone';
    });
    expect(made).toBe('issuers alone');
    expect([...productsLeftOut.values()]).toEqual(['Two disagree.', 'Two disagree.']);
  });

  it('does not hide what is wrong with the issuers', async () => {
    const refusal = new IssuerError({ code: 'validation_failed', message: 'A sum is off.', hint: 'None.' });
    await expect(withSoundMarket(contextOfWindows([[sound]]), () => Promise.reject(refusal))).rejects.toBe(
      refusal,
    );
  });
});
