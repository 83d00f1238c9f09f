import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { type CoinFiling, coinFilings } from '../../../fixtures/builders/coinTables.ts';
import { registryParameters as parameters } from '../../../fixtures/builders/registryParameters.ts';
import { conceptNames } from '../../../pipeline/xbrl/conceptNames.ts';
import { filingDefects } from '../../../pipeline/xbrl/filingDefects.ts';
import { readInstance } from '../../../pipeline/xbrl/readInstance.ts';
import { statedFacts } from '../../crypto/statedFacts.ts';
import type { InstanceFact } from '../../filing/xbrlFiling.ts';
import { priceBook } from '../../prices/priceBook.ts';
import type { Figure } from '../figure.ts';
import type { CoinFlows } from '../parts.ts';
import { resolveCoinFlows } from './resolveCoinFlows.ts';

const closes = ['BTC', 'ETH', 'SOL'].flatMap((asset) =>
  parse<Readonly<Record<string, string>>>(
    readFileSync(new URL(`../../../fixtures/tables/prices/${asset}.csv`, import.meta.url)),
    { columns: true },
  ).map(({ date = '', close = '', source = '' }) => ({ date, asset, close: Number(close), source })),
);
const prices = priceBook(closes, parameters);
const filings = coinFilings();

function flowsOf(filing: CoinFiling, instance: readonly InstanceFact[] = filing.facts): CoinFlows {
  const facts = statedFacts(instance, parameters.concepts);
  const { holdings, mix } = filing;
  return resolveCoinFlows({ filing, facts, instance, holdings, mix, prices, parameters });
}

function members(dimensions: CoinFlows['flows'][number]['dimensions']): string {
  return dimensions
    .map(({ member }) => member.slice(member.indexOf(':') + 1).replace(/Member$/, ''))
    .join('+');
}

function rolls({ flows }: CoinFlows): string[] {
  return flows.map(({ status, measure, asset, dimensions, start, opening, closing, residual, notes }) =>
    [
      status,
      measure,
      asset,
      members(dimensions),
      start,
      `${opening} to ${closing}`,
      `missing ${residual}`,
      ...notes,
    ]
      .filter((text) => text !== '')
      .join(' '),
  );
}

function text(figure: Figure): string {
  return figure.value === null ? (figure.part ?? figure.reason) : `${figure.value}`;
}

/** asset | units | cost | unrealised gain | pledged | restricted | free | free value */
function stocks({ stocks: found }: CoinFlows): string[] {
  return found.map((stock) =>
    [
      stock.asset,
      text(stock.units),
      text(stock.costBasis),
      text(stock.unrealisedGain),
      text(stock.pledged),
      text(stock.restricted),
      text(stock.free),
      text(stock.freeValue),
    ].join(' | '),
  );
}

/** Worked out from the facts as filed; residuals of closed rolls are zero to the dollar and to the coin. */
const expected: Readonly<
  Record<string, { readonly rolls: readonly string[]; readonly stocks: readonly string[] }>
> = {
  'clsk-20250630': {
    rolls: [
      'proven value BTC 2024-10-01 431661000 to 1079754000 missing 0 roll_row_excluded:clsk:BitcoinTransferredFromCollateralAccount roll_row_excluded:clsk:DigitalCurrencyIssuedForServices roll_row_excluded:clsk:MinersAndDerivativesPurchasedWithBitcoin roll_row_excluded:us-gaap:CryptoAssetDisposition',
      'proven value BTC 2025-04-01 979635000 to 1079754000 missing 0 roll_row_excluded:us-gaap:CryptoAssetDisposition',
    ],
    stocks: ['BTC | not_filed | 947625000 | 132129000 | not_filed | not_filed | units | 1079754000'],
  },
  'mstr-20240331': {
    rolls: [
      'proven units BTC 2024-01-01 189150 to 214278 missing 0',
      'proven value BTC 2024-01-01 3626476000 to 5074152000 missing 0',
    ],
    stocks: ['BTC | 214278 | 7534798000 | 7745989729 | 38557 | not_filed | 175721 | 12531175858'],
  },
  'riot-20250930': {
    rolls: [
      'proven units BTC 2025-01-01 17722 to 19287 missing 0',
      'proven value BTC 2025-01-01 1654468000 to 2200053000 missing 0 roll_row_excluded:riot:RealizedGainOnExchangeOfCryptocurrencies',
    ],
    stocks: ['BTC | 19287 | 1277024000 | 923029000 | 3300 | 0 | 15987 | 1823630000'],
  },
  'lits-20250930': {
    rolls: ['proven value LTC 2025-07-01 0 to 99369000 missing 0'],
    stocks: ['LTC | 929548 | 100000000 | -631000 | not_filed | not_filed | 929548 | 99369000'],
  },
  'tsla-20241231': {
    rolls: ['proven value BTC 2024-01-01 487000000 to 1076000000 missing 0'],
    stocks: ['BTC | 11509 | 387000000 | 689000000 | not_filed | not_filed | 11509 | 1076000000'],
  },
  'btcs-20250930': {
    rolls: [
      'proven value ETH 2025-01-01 36056683 to 293180682 missing 0 roll_item_unnamed:us-gaap:UnrealizedGainLossOnInvestments roll_row_excluded:BTCS:PurchaseOfNonproductiveCryptoAssets roll_row_excluded:BTCS:RealizedGainsLossesOnCryptoAssetCurrencyTransactions roll_row_excluded:us-gaap:CryptoAssetRealizedGainLossOperating',
    ],
    stocks: ['ETH | not_filed | 214110440 | 79070242 | not_filed | not_filed | units | 293180682'],
  },
  'tmb-20250930': {
    rolls: ['proven value BTC 2025-01-01 20281184 to 120523261 missing 0'],
    stocks: ['BTC | 1056.69 | 106785454 | 13737807 | 70 | not_filed | 986.69 | 112539271'],
  },
  'btbt-20250930': {
    rolls: [
      'unproven value * 2025-01-01 161377344 to 423682364 missing 90695813 roll_proven_by_members',
      'proven value BTC BTC 2025-01-01 69319731 to 693468 missing 0',
      'proven value ETH ETH 2025-01-01 92057613 to 422988896 missing 0',
    ],
    stocks: [
      'BTC | not_filed | 679409 | 14059 | not_filed | not_filed | units | 693468',
      'ETH | unit_price_mismatch | 264254817 | 158734079 | not_filed | not_filed | units | 422988896',
      '* | not_applicable | 264934226 | 158748138 | not_applicable | not_applicable | not_applicable | 423682364',
    ],
  },
  'game-20250930': {
    rolls: [
      'proven value * 2025-01-01 0 to 4020415 missing 0 roll_row_excluded:GAME:YieldOnDigitalAssets',
      'proven value ETH Ethereum 2025-01-01 0 to 215612 missing 0',
      'proven value GAME:AnimecoinMember Animecoin 2025-01-01 0 to 2468577 missing 0',
      'proven value GAME:WreckedMember Wrecked 2025-01-01 0 to 1336226 missing 0',
    ],
    stocks: [
      'GAME:AnimecoinMember | units | 3375000 | -906423 | not_filed | not_filed | units | 2468577',
      'ETH | 52.01 | 479600 | -263988 | not_filed | not_filed | 52.01 | 215612',
      'GAME:WreckedMember | 2280638667003 | 1978086 | -641860 | not_filed | not_filed | 2280638667003 | 1336226',
      '* | not_applicable | 5832686 | -1812271 | not_applicable | not_applicable | not_applicable | 4020415',
    ],
  },
  'nxtt-20250331': {
    rolls: [
      'proven units BTC NumberOfBitcoinHeld 2025-01-01 833 to 5833 missing 0',
      'proven value BTC 2025-01-01 78322430 to 481717253 missing 0 roll_label_suspect roll_row_excluded:us-gaap:CryptoAssetUnrealizedGainOperating',
    ],
    stocks: ['BTC | 5833 | cost_equals_purchases | cost_basis | not_filed | not_filed | 5833 | 481717253'],
  },
  'dfdv-20250630': {
    rolls: [
      'proven value SOL 2025-01-01 0 to 89239000 missing 0 roll_row_excluded:us-gaap:CryptoAssetRealizedAndUnrealizedGainLossOperating',
    ],
    stocks: ['SOL | 573000 | 66964000 | 22275000 | not_filed | not_filed | 573000 | 97130000'],
  },
  'dfdv-20250930': {
    rolls: ['unproven value SOL 2025-01-01 0 to 453719000 missing 110317000'],
    stocks: ['SOL | unit_price_mismatch | 169339000 | 74932000 | not_filed | not_filed | units | 301471000'],
  },
  'ddc-20241231': {
    rolls: [],
    stocks: [],
  },
  'bmnr-20251130': {
    rolls: [
      'unproven value * 2025-09-01 8281530000 to 10561789000 missing 125982000',
      'proven value BTC Bitcoin 2025-09-01 20923000 to 17450000 missing 0',
      'proven value ETH Ethereum 2025-09-01 8260610000 to 10544339000 missing 0',
    ],
    stocks: [
      'BTC | 193 | 21380000 | -3930000 | not_filed | not_filed | 193 | 17450000',
      'ETH | 3737140 | 14953824000 | -4409485000 | not_filed | not_filed | 3737140 | 10544339000',
      '* | not_applicable | 14975204000 | -4413415000 | not_applicable | not_applicable | not_applicable | 10561789000',
    ],
  },
  'fld-20250630': {
    rolls: [
      'proven value BTC DigitalAssets 2025-01-01 102138351 to 169230684 missing 0',
      'proven value BTC InvestmentTreasury 2025-01-01 93568700 to 159861386 missing 0',
      'proven value BTC RewardsTreasury 2025-01-01 8569651 to 9369298 missing 0',
    ],
    stocks: ['BTC | 1579 | cost_conflict | cost_basis | 800 | 0 | 779 | 78867650'],
  },
  'fld-20250930': {
    rolls: [
      'proven value BTC DigitalAssets 2025-01-01 102138351 to 179688082 missing 0',
      'proven value BTC InvestmentTreasury 2025-01-01 93568700 to 170392495 missing 0',
      'proven value BTC RewardsTreasury 2025-01-01 8569651 to 9295587 missing 0',
    ],
    stocks: ['BTC | 1575 | cost_conflict | cost_basis | 800 | 0 | 775 | 88417945'],
  },
  'purr-20250930': {
    rolls: [],
    stocks: [],
  },
};

describe.each(filings)('coins of $stem', (filing) => {
  it('come and go as the facts add up (M18.71)', () => {
    expect(rolls(flowsOf(filing))).toEqual(expected[filing.stem]?.rolls);
  });

  it('have the cost and the freedom that is filed (M18.73, M18.75)', () => {
    expect(stocks(flowsOf(filing))).toEqual(expected[filing.stem]?.stocks);
  });

  it('are the same in the whole instance, whose facts the table quotes', (ctx) => {
    const folder = `../../../../shared/data/edgar/instances/${Number(filing.cik)}/${filing.stem}_htm.xml.gz`;
    const path = new URL(folder, import.meta.url);
    if (!existsSync(path)) return ctx.skip('no ../shared/data/edgar/instances');
    const bytes = gunzipSync(readFileSync(path));
    const instance = readInstance({ bytes, names: conceptNames(), defects: filingDefects() });
    const whole = flowsOf(filing, instance?.facts ?? []);
    expect({ rolls: rolls(whole), stocks: stocks(whole) }).toEqual(expected[filing.stem]);
  });
});

describe('coins carried at cost (MSTR, M18.73)', () => {
  const filing = filings.find(({ stem }) => stem === 'mstr-20240331');
  if (filing === undefined) throw new Error('no table of mstr-20240331');
  const isImpairment = ({ concept }: InstanceFact) => concept.includes('CumulativeImpairment');
  const costOf = (facts: readonly InstanceFact[]) =>
    text(flowsOf(filing, facts).stocks[0]?.costBasis ?? none);
  const none: Figure = { value: null, reason: 'not_filed', facts: [] };

  it('have cost what was written down besides, filed on a day or on a period (as in 2022)', () => {
    const onPeriod = filing.facts.map((fact) =>
      isImpairment(fact) ? { ...fact, start: '2024-01-01' } : fact,
    );
    expect(costOf(filing.facts)).toBe('7534798000');
    expect(costOf(onPeriod)).toBe('7534798000');
    expect(costOf(filing.facts.filter((fact) => !isImpairment(fact)))).toBe('not_filed');
  });
});
