import type {
  CoreTier,
  CryptoUnitsBasis,
  DataSource,
  DebtCoverage,
  QualityFlag,
} from '../../contract/enums.ts';
import { ExactDecimal } from '../../contract/exactDecimal.ts';
import registry from '../../data/registry/parameters.json' with { type: 'json' };
import { readPrices } from '../../fixtures/builders/readTables.ts';
import { daysBetween } from '../civilDate.ts';
import { noHoldings } from '../crypto/cryptoHoldings.ts';
import { unresolvedDebt } from '../debt/debtResolution.ts';
import { parseParameters } from '../parameters.ts';
import type { GradedPosition } from '../position/gradePosition.ts';
import { positionIssuer } from '../position/positionIssuer.ts';
import { priceBook } from '../priceBook.ts';
import type { PriceRow } from '../rows.ts';
import type { SliceContext } from '../sliceContext.ts';
import { type GoldenIssuer, goldenIssuers } from './goldenIssuers.ts';
import { byTicker, stipulatedTable } from './goldenTables.ts';
import { issuerInputs } from './issuerInputs.ts';

export const goldenParameters = parseParameters(registry);
export const goldenDate = '2026-02-07';

/** Two years of daily closes of the eight basket assets, as the fixture nights have them. */
export async function goldenDailyCloses(): Promise<PriceRow[]> {
  return (await readPrices()).map((row) => ({ ...row, close: Number(row.close) }));
}

/** The slice of the golden live values, with two years of closes (M12.11). */
export async function goldenContext(o: Partial<SliceContext> = {}): Promise<SliceContext> {
  return {
    sourceDate: goldenDate,
    asOf: '2026-02-07T07:12:40Z',
    prices: priceBook(await goldenDailyCloses(), goldenParameters),
    parameters: goldenParameters,
    backfilled: false,
    ...o,
  };
}

/** The thirteen golden issuers with the resolver outputs the golden examples stipulate (M12.11, M13.6). */
export function goldenPositions(): GradedPosition[] {
  return goldenIssuers().map((golden) => goldenPosition(golden));
}

const template = positionIssuer(issuerInputs({}), {
  sourceDate: goldenDate,
  prices: priceBook([], goldenParameters),
  parameters: goldenParameters,
});
const stipulated = byTicker(stipulatedTable);

function goldenPosition({ inputs }: GoldenIssuer): GradedPosition {
  const [cash, currentLiabilities, ...resolver] = stipulated.get(inputs.ticker) ?? [];
  const [dataSource, quality, coverage, basis, coreTier] = resolver;
  const amount = (cell: string | undefined) => ExactDecimal.tryParse(cell ?? '');
  const { ticker, cik, period, crypto } = inputs;
  return {
    ...template,
    issuer: { ...template.issuer, cik, ticker, entityName: ticker },
    filing: { ...template.filing, cik, period },
    debt: {
      ...unresolvedDebt,
      current: inputs.currentDebt,
      noncurrent: inputs.noncurrentDebt,
      total: inputs.currentDebt.plus(inputs.noncurrentDebt),
      method: 'bs_liabilities_walk',
      coverage: coverage as DebtCoverage,
      dataSource: dataSource as DataSource,
    },
    holdings: { ...noHoldings, amount: crypto, carried: crypto, measurement: 'fair_value' },
    units: { ...template.units, basis: basis as CryptoUnitsBasis },
    mix: inputs.mix,
    balance: {
      assets: inputs.assets,
      equity: inputs.equity,
      currentLiabilities: amount(currentLiabilities),
      cash: amount(cash),
    },
    calculationArcCount: 1,
    notes: [],
    quality: quality as QualityFlag,
    coreTier: coreTier as CoreTier,
    ageDays: daysBetween(period, goldenDate),
    isAnomalous: false,
    isStressPresent: true,
    isUnclassified: false,
  };
}
