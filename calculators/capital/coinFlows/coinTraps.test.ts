import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { nilFact } from '../../../fixtures/builders/coinTables.ts';
import { loanFact } from '../../../fixtures/builders/facilityTables.ts';
import { registryParameters as parameters } from '../../../fixtures/builders/registryParameters.ts';
import type { CryptoHoldings } from '../../crypto/cryptoHoldings.ts';
import { statedFacts } from '../../crypto/statedFacts.ts';
import type { InstanceFact } from '../../filing/xbrlFiling.ts';
import { priceBook } from '../../prices/priceBook.ts';
import type { CoinFlows } from '../parts.ts';
import { resolveCoinFlows } from './resolveCoinFlows.ts';

const period = '2025-09-30';
const start = '2025-01-01';
const prices = priceBook([{ date: period, asset: 'BTC', close: 114_078.18, source: 'yahoo' }], parameters);

type Stated = Omit<Parameters<typeof loanFact>[0], 'end'> & { readonly end?: string };
const stock = (fact: Stated) => loanFact({ end: period, ...fact });
const opening = (fact: Stated) => loanFact({ ...fact, end: '2024-12-31' });
const flow = (fact: Stated) => loanFact({ end: period, start, ...fact });

function resolved(
  instance: readonly InstanceFact[],
  { coins, measurement = 'fair_value' }: { coins: string; measurement?: CryptoHoldings['measurement'] },
): CoinFlows {
  const amount = ExactDecimal.parse(coins);
  return resolveCoinFlows({
    filing: { period },
    facts: statedFacts(instance, parameters.concepts),
    instance,
    holdings: { amount, carried: amount, measurement, roots: [] },
    mix: [{ asset: 'BTC', amount }],
    prices,
    parameters,
  });
}

const statusOf = ({ flows }: CoinFlows) =>
  flows.map(({ status, residual, notes }) => [status, `${residual}`, ...notes]);

/** RIOT 2025-09-30 in coins, without the change of its receivable. */
const riotUnits = [
  opening({ concept: 'us-gaap:CryptoAssetNumberOfUnits', value: '17722', unit: 'item' }),
  flow({ concept: 'riot:QuantityOfCryptoCurrencyRevenueRecognizedFromMining', value: '4362', unit: 'item' }),
  flow({ concept: 'riot:QuantityOfCryptoCurrencySold', value: '2762', unit: 'item' }),
  flow({
    concept: 'riot:QuantityOfCryptoCurrencyExchangeForEmployeeCompensation',
    value: '-37',
    unit: 'item',
  }),
  stock({ concept: 'us-gaap:CryptoAssetNumberOfUnits', value: '19287', unit: 'item' }),
];
const receivable = flow({
  concept: 'riot:CryptocurrencyQuantityChangeInReceivable',
  value: '2',
  unit: 'item',
});

describe('rows of a roll (M18.71)', () => {
  it('have a coin in their names: two mining sites do not close a gap of two coins (RIOT)', () => {
    const sites = flow({ concept: 'riot:NumberOfMiningSitesAcquired', value: '2', unit: 'item' });
    const coins = { coins: '2200053000' };
    expect(statusOf(resolved([...riotUnits, sites], coins))).toEqual([['unproven', '2']]);
    expect(statusOf(resolved([...riotUnits, sites, receivable], coins))).toEqual([['proven', '0']]);
  });

  it('are as finely filed as the stock: sentences in tenths of a million close nothing (FLD)', () => {
    const stocks = [
      opening({ concept: 'us-gaap:CryptoAssetFairValue', value: '147130297', decimals: 0 }),
      stock({ concept: 'us-gaap:CryptoAssetFairValue', value: '169230684', decimals: 0 }),
      flow({ concept: 'us-gaap:CryptoAssetDisposition', value: '199613', decimals: 0 }),
    ];
    const gain = { concept: 'us-gaap:CryptoAssetUnrealizedGainLossOperating', value: '22300000' };
    const coins = { coins: '169230684' };
    expect(statusOf(resolved([...stocks, flow({ ...gain, decimals: -5 })], coins))).toEqual([
      ['unproven', '22300000'],
    ]);
    expect(statusOf(resolved([...stocks, flow({ ...gain, decimals: 0 })], coins))).toEqual([['proven', '0']]);
  });

  it('take a payment beside a purchase as an outflow, alone as the purchase (BMNR, LITS)', () => {
    const payment = { concept: 'us-gaap:PaymentForAcquisitionCryptoAsset', decimals: -3 };
    const closing = (value: string) =>
      stock({ concept: 'us-gaap:CryptoAssetFairValue', value, decimals: -3 });
    const before = opening({ concept: 'us-gaap:CryptoAssetFairValue', value: '20923000', decimals: -3 });
    const purchase = flow({ concept: 'us-gaap:CryptoAssetPurchase', value: '350000', decimals: -3 });
    const beside = [before, purchase, flow({ ...payment, value: '172000' }), closing('21101000')];
    expect(statusOf(resolved(beside, { coins: '21101000' }))).toEqual([['proven', '0']]);
    const alone = [before, flow({ ...payment, value: '172000' }), closing('21095000')];
    expect(statusOf(resolved(alone, { coins: '21095000' }))).toEqual([['proven', '0']]);
  });

  it('start from nothing where the opening is a dash, and not where it is not filed (GAME)', () => {
    const closing = stock({ concept: 'x:DigitalAssetsCurrent', value: '4020415' });
    const bought = flow({ concept: 'x:PurchaseOfDigitalAssets', value: '4020415' });
    const dash = nilFact({ concept: 'x:DigitalAssetsCurrent', end: '2024-12-31' });
    expect(statusOf(resolved([closing, bought, dash], { coins: '4020415' }))).toEqual([['proven', '0']]);
    expect(resolved([closing, bought], { coins: '4020415' }).flows).toEqual([]);
  });

  it('lead from a line that was current to one that is not, where no concept has both (RIOT 2024-09-30)', () => {
    const before = opening({
      concept: 'riot:CryptocurrenciesClassifiedAsCurrent',
      value: '311178000',
      decimals: -3,
    });
    const closing = stock({
      concept: 'riot:CryptocurrenciesClassifiedAsNonCurrent',
      value: '505829000',
      decimals: -3,
    });
    const mined = flow({ concept: 'riot:CryptocurrenciesMining', value: '194651000', decimals: -3 });
    expect(statusOf(resolved([before, closing, mined], { coins: '505829000' }))).toEqual([['proven', '0']]);
    const own = opening({ concept: 'riot:CryptocurrenciesClassifiedAsNonCurrent', value: '0', decimals: -3 });
    const both = resolved([before, closing, mined, own], { coins: '505829000' });
    expect(statusOf(both)).toEqual([['unproven', '311178000']]);
    expect(resolved([before, closing, mined], { coins: '600000000' }).flows).toEqual([]);
  });

  it('count the effect of adoption, and begin on an opening under a name of its own (BTBT 2024, ETH)', () => {
    const members = ['us-gaap:CryptoAssetAxis=btbt:ETHMember'];
    const adoption = flow({ concept: 'btbt:CumulativeEffectOfTheAdoptionOfETH', value: '13852500', members });
    const facts = [
      opening({ concept: 'btbt:AdditionalInformationAboutBitcoinAndETH', value: '20637103', members }),
      stock({ concept: 'us-gaap:CryptoAssetFairValueCurrent', value: '74708037', members }),
      flow({ concept: 'btbt:ReceiptOfETHFromExchangeOfBTC', value: '40240138', members }),
      flow({ concept: 'btbt:PaymentOfETHForOtherExpenses', value: '-21704', members }),
    ];
    expect(statusOf(resolved([...facts, adoption], { coins: '74708037' }))).toEqual([['proven', '0']]);
    expect(statusOf(resolved(facts, { coins: '74708037' }))).toEqual([['unproven', '13852500']]);
  });

  it('take in the one gain that is missing, and none of two (BTCS)', () => {
    const rows = [
      opening({ concept: 'x:DigitalAssets', value: '36056683', decimals: 0 }),
      flow({ concept: 'us-gaap:CryptoAssetAddition', value: '199858288', decimals: 0 }),
      flow({ concept: 'x:CryptoFees', value: '-10050', decimals: 0 }),
      stock({ concept: 'x:DigitalAssets', value: '303892141', decimals: 0 }),
    ];
    const gain = (concept: string) => flow({ concept, value: '67987220', decimals: 0 });
    const coins = { coins: '303892141' };
    const one = gain('us-gaap:UnrealizedGainLossOnInvestments');
    expect(statusOf(resolved([...rows, one], coins))).toEqual([
      ['proven', '0', 'roll_item_unnamed:us-gaap:UnrealizedGainLossOnInvestments'],
    ]);
    const income = gain('us-gaap:NetIncomeLoss');
    expect(statusOf(resolved([...rows, income], coins))).toEqual([['unproven', '67987220']]);
    const two = [one, gain('us-gaap:GainLossOnInvestments')];
    expect(statusOf(resolved([...rows, ...two], coins))).toEqual([['unproven', '67987220']]);
  });

  it('are not searched without end in a filing with thousands of coins', () => {
    const axis = 'us-gaap:CryptoAssetAxis';
    const many = Array.from({ length: 2000 }, (_, index) => {
      const members = [`${axis}=x:Coin${index}Member`];
      return [
        opening({ concept: 'us-gaap:CryptoAssetFairValue', value: `${1000 + index}`, members }),
        flow({ concept: 'us-gaap:CryptoAssetPurchase', value: `${7 * index + 1}`, members }),
        flow({ concept: 'us-gaap:CryptoAssetSale', value: `${3 * index + 2}`, members }),
        stock({ concept: 'us-gaap:CryptoAssetFairValue', value: `${50_000 + index}`, members }),
      ];
    }).flat();
    const rows = Array.from({ length: 3000 }, (_, index) =>
      flow({ concept: `x:PurchaseOfDigitalAssets${index}`, value: `${index * 977 + 13}` }),
    );
    const stocks = [
      opening({ concept: 'us-gaap:CryptoAssetFairValue', value: '100' }),
      stock({ concept: 'us-gaap:CryptoAssetFairValue', value: '900' }),
    ];
    const { flows, notes } = resolved([...many, ...rows, ...stocks], { coins: '900' });
    expect(notes).toEqual(['coin_flow_scopes_limited:2001']);
    expect(flows.length).toBeLessThanOrEqual(24);
    const whole = flows.find(({ dimensions }) => dimensions.length === 0);
    expect(whole?.notes).toEqual(['roll_search_limited:3000']);
    expect(whole?.rows).toHaveLength(20);
  });
});

const held = [
  stock({ concept: 'us-gaap:CryptoAssetFairValue', value: '179688082', decimals: 0 }),
  stock({ concept: 'us-gaap:CryptoAssetNumberOfUnits', value: '1575', unit: 'Bitcoin' }),
];
const gained = flow({
  concept: 'us-gaap:CryptoAssetUnrealizedGainLossOperating',
  value: '31200000',
  decimals: -5,
});
const stockOf = (facts: readonly InstanceFact[], coins = '179688082') => resolved(facts, { coins }).stocks[0];

describe('the cost of coins (M18.73)', () => {
  const cost = (value: string, rest: Partial<Stated> = {}) =>
    stock({ concept: 'us-gaap:CryptoAssetCost', value, decimals: 0, ...rest });

  it('is refused where it is the fair value again beside a gain, rounded or not (BTCS, FLD)', () => {
    const refused = { reason: 'conflict', part: 'cost_equals_fair_value' };
    expect(stockOf([...held, gained, cost('179688082')])?.costBasis).toMatchObject(refused);
    expect(stockOf([...held, gained, cost('179700000', { decimals: -5 })])?.costBasis).toMatchObject(refused);
    expect(`${stockOf([...held, cost('179688082')])?.costBasis.value}`).toBe('179688082');
    expect(`${stockOf([...held, gained, cost('114300000')])?.unrealisedGain.value}`).toBe('65388082');
  });

  it('is refused where it is what the period has bought beside an earlier cost (NXTT)', () => {
    const bought = flow({ concept: 'us-gaap:CryptoAssetPurchase', value: '158083667', decimals: 0 });
    const earlier = loanFact({ concept: 'us-gaap:CryptoAssetCost', value: '24990000', end: '2023-12-31' });
    const facts = [...held, bought, cost('158083667')];
    expect(stockOf([...facts, earlier])?.costBasis).toMatchObject({ part: 'cost_equals_purchases' });
    expect(`${stockOf(facts)?.costBasis.value}`).toBe('158083667');
  });

  it('is no cost under another class of assets (CLSK miners)', () => {
    const members = ['us-gaap:PropertyPlantAndEquipmentByTypeAxis=x:MinersAndMiningEquipmentMember'];
    expect(stockOf([...held, cost('7717000', { members })])?.costBasis).toMatchObject({
      reason: 'not_filed',
    });
  });

  it('is none where two differ, or where a part has cost more than the whole (FLD)', () => {
    const other = stock({ concept: 'x:CostBasisOfBitcoin', value: '120000000', decimals: 0 });
    const conflict = { reason: 'conflict', part: 'cost_conflict' };
    expect(stockOf([...held, cost('114300000'), other])?.costBasis).toMatchObject(conflict);
    const same = stock({ concept: 'x:CostBasisOfBitcoin', value: '114000000', decimals: -6 });
    expect(`${stockOf([...held, cost('114300000'), same])?.costBasis.value}`).toBe('114300000');
    const members = [
      'us-gaap:CryptoAssetAxis=us-gaap:BitcoinMember',
      'x:InvestmentTypeAxis=x:TreasuryMember',
    ];
    const part = cost('170400000', { members, decimals: -5 });
    expect(stockOf([...held, cost('114300000'), part])?.costBasis).toMatchObject(conflict);
  });
});

describe('free coins (M18.75)', () => {
  const debt = 'us-gaap:LongtermDebtTypeAxis=';
  const pledge = (value: string, member: string, rest: Partial<Stated> = {}) =>
    stock({
      concept: 'x:NumberOfBitcoinHeldAsCollateral',
      value,
      unit: 'Bitcoin',
      members: [`${debt}${member}`],
      ...rest,
    });
  const restricted = (value: string) =>
    stock({ concept: 'us-gaap:CryptoAssetNumberOfRestrictedUnits', value, unit: 'Bitcoin' });
  const freeOf = (facts: readonly InstanceFact[]) => {
    const found = stockOf([...held, ...facts]);
    return [found?.pledged, found?.restricted, found?.free].map((figure) => `${figure?.value}`);
  };

  it('read a pledge that is filed on a period at its end, and none of an earlier period (MSTR)', () => {
    const now = pledge('557', 'x:NotesMember', { start: '2025-07-01' });
    const then = pledge('161', 'x:NotesMember', { start: '2024-01-01', end: '2024-12-31' });
    expect(freeOf([now, then])).toEqual(['557', 'null', '1018']);
  });

  it('count a restriction of as many coins once, another beside the pledge (RIOT, FLD)', () => {
    const notes = [pledge('300', 'x:DecemberNoteMember'), pledge('500', 'x:MarchNoteMember')];
    expect(freeOf([...notes, restricted('800')])).toEqual(['800', '0', '775']);
    expect(freeOf([...notes, restricted('200')])).toEqual(['800', '200', '575']);
  });

  it('count two spellings of one note once, and nothing where they contradict each other (FLD)', () => {
    const spelled = [
      pledge('500', 'x:MarchTwoThousandAndTwentyFiveMember'),
      pledge('500', 'x:MarchTwoThousandTwentyFiveMember'),
    ];
    expect(freeOf(spelled)[0]).toBe('500');
    const other = [
      pledge('500', 'x:MarchTwoThousandAndTwentyFiveMember'),
      pledge('475', 'x:MarchTwoThousandTwentyFiveMember'),
    ];
    expect(freeOf(other)).toEqual(['null', 'null', 'null']);
  });

  it('are none where more is pledged than held, and all only as stated where no pledge is filed', () => {
    const beyond = stockOf([...held, pledge('1600', 'x:NotesMember')]);
    expect(beyond?.free).toMatchObject({ reason: 'conflict' });
    expect(beyond?.freeValue).toMatchObject({ reason: 'missing', part: 'free' });
    expect(stockOf(held)?.free).toMatchObject({ status: 'stated', basis: 'nothing_pledged_filed' });
  });

  it('are proven where the filing states as many without restriction (RIOT 15,987)', () => {
    const free = stock({
      concept: 'us-gaap:CryptoAssetNumberOfUnrestrictedUnits',
      value: '775',
      unit: 'Bitcoin',
    });
    const notes = [pledge('800', 'x:NotesMember'), restricted('800')];
    expect(stockOf([...held, ...notes, free])?.free).toMatchObject({ status: 'proven' });
    expect(stockOf([...held, ...notes])?.free).toMatchObject({ status: 'stated' });
  });
});
