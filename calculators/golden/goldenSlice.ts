import type {
  CoreTier,
  CryptoUnitsBasis,
  DataSource,
  DebtCoverage,
  IssuerType,
  QualityFlag,
} from '../../contract/enums.ts';
import { ExactDecimal } from '../../contract/exactDecimal.ts';
import registry from '../../data/registry/parameters.json' with { type: 'json' };
import { readPrices } from '../../fixtures/builders/readTables.ts';
import { daysBetween } from '../civilDate.ts';
import { noHoldings } from '../crypto/cryptoHoldings.ts';
import { unresolvedDebt } from '../debt/debtResolution.ts';
import { parseParameters } from '../parameters.ts';
import { type GradedPosition, isVehicle } from '../position/gradePosition.ts';
import { positionIssuer } from '../position/positionIssuer.ts';
import { priceBook } from '../priceBook.ts';
import type { PriceRow } from '../rows.ts';
import type { SliceContext } from '../sliceContext.ts';
import type { CoinMix } from '../stress/coinMix.ts';
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
  return gradedPosition({
    ...inputs,
    currentLiabilities: amount(currentLiabilities),
    cash: amount(cash),
    dataSource: dataSource as DataSource,
    quality: quality as QualityFlag,
    coverage: coverage as DebtCoverage,
    basis: basis as CryptoUnitsBasis,
    coreTier: coreTier as CoreTier,
  });
}

/** A position stated by its figures alone. */
export type StatedPosition = {
  readonly ticker: string;
  readonly cik: string;
  readonly period: string;
  readonly currentDebt: ExactDecimal;
  readonly noncurrentDebt: ExactDecimal;
  readonly crypto: ExactDecimal;
  readonly assets: ExactDecimal | null;
  readonly equity: ExactDecimal | null;
  readonly currentLiabilities: ExactDecimal | null;
  readonly cash: ExactDecimal | null;
  readonly mix: CoinMix;
  readonly dataSource: DataSource;
  readonly quality: QualityFlag;
  readonly coverage: DebtCoverage;
  readonly basis: CryptoUnitsBasis;
  readonly coreTier: CoreTier;
  readonly issuerType?: IssuerType;
};

/** A graded position on the golden date; what follows from its figures does, the rest is as stated. */
export function gradedPosition(o: StatedPosition): GradedPosition {
  const ageDays = daysBetween(o.period, goldenDate);
  const isStressPresent = o.coverage !== 'low_confidence_missing_debt' && o.crypto.sign > 0;
  const issuerType = o.issuerType ?? 'operating_company';
  const issuer = { ...template.issuer, cik: o.cik, ticker: o.ticker, entityName: o.ticker, issuerType };
  return {
    ...template,
    issuer,
    filing: { ...template.filing, cik: o.cik, period: o.period },
    debt: {
      ...unresolvedDebt,
      current: o.currentDebt,
      noncurrent: o.noncurrentDebt,
      total: o.currentDebt.plus(o.noncurrentDebt),
      method: 'bs_liabilities_walk',
      coverage: o.coverage,
      dataSource: o.dataSource,
    },
    holdings: { ...noHoldings, amount: o.crypto, carried: o.crypto, measurement: 'fair_value' },
    units: { ...template.units, basis: o.basis },
    mix: o.mix,
    balance: {
      ...{ assets: o.assets, equity: o.equity },
      ...{ currentLiabilities: o.currentLiabilities, cash: o.cash },
    },
    calculationArcCount: 1,
    notes: [],
    ...{ quality: o.quality, coreTier: o.coreTier, ageDays, isStressPresent },
    isAnomalous: false,
    isUnclassified:
      !isStressPresent || isVehicle(issuer) || ageDays > goldenParameters.filingAgeDays.unclassified,
  };
}
