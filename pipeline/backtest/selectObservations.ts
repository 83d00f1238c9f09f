import type { DuckDBConnection } from '@duckdb/node-api';
import { altmanZ } from '../../calculators/backtest/altmanZ.ts';
import {
  type CryptoUnitsBasis,
  cryptoUnitsBases,
  type FiguresBasis,
  figuresBases,
  type RiskTier,
  riskTiers,
} from '../../data/contract/values/enums.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import type { Observation } from './observation.ts';

/**
 * Selects the first row each filing in force gave an issuer, in the newest method version of its source date: one
 * observation a filing, known on that source date (M10.2). Balance-sheet items of the same filing stand beside it.
 */
export async function selectObservations(connection: DuckDBConnection): Promise<Observation[]> {
  const rows = await readRows(connection, observations);
  return rows.map((row) => {
    const num = (name: string) => (row[name] === null ? null : Number(row[name]));
    const [debt, crypto, assets] = [num('debt'), num('crypto'), num('assets')];
    return {
      origin: 'warehouse',
      scope: 'entity',
      cik: String(row['cik']),
      ticker: String(row['ticker']),
      period: String(row['period']),
      knownOn: String(row['known_on']),
      figuresBasis: figuresBasisOf(row['figures_basis']),
      coinsBasis: coinsBasisOf(row['crypto_units_basis']),
      selectedOnOutcome: false,
      tier: tierOf(row['risk_tier']),
      stress50: num('stress_50pct'),
      breachProbability: num('breach_probability_1y'),
      loanToValue: ratioOf(debt, crypto),
      debtToAssets: ratioOf(debt, assets),
      coinShare: num('crypto_share_of_assets'),
      altmanZ: zOf({
        totalAssets: assets,
        currentAssets: num('current_assets'),
        currentLiabilities: num('current_liabilities'),
        retainedEarnings: num('retained_earnings'),
        operatingIncome: num('operating_income'),
        equity: num('equity'),
        totalLiabilities: num('liabilities'),
      }),
    };
  });
}

const item = (concept: string) => `max(f.value) FILTER (WHERE f.concept = '${concept}' AND f.start IS NULL)`;

const observations = `WITH newest AS (
    SELECT * FROM stress
    -- version numbers compare as numbers: 1.10 is newer than 1.9
    QUALIFY row_number() OVER (PARTITION BY source_date, cik ORDER BY
      list_transform(regexp_extract_all(method_version, '\\d+'), n -> n::HUGEINT) DESC, method_version DESC) = 1
  ), first_of_filing AS (
    SELECT * FROM newest
    QUALIFY row_number() OVER (PARTITION BY cik, accession ORDER BY source_date) = 1
  )
  SELECT s.cik, any_value(s.ticker) AS ticker, strftime(any_value(s.period), '%Y-%m-%d') AS period,
    strftime(any_value(s.source_date), '%Y-%m-%d') AS known_on, any_value(s.risk_tier) AS risk_tier,
    any_value(s.figures_basis) AS figures_basis, any_value(s.crypto_units_basis) AS crypto_units_basis,
    any_value(s.crypto_share_of_assets) AS crypto_share_of_assets,
    -- as published: of an issuer with debt and without coins the cap (M3.3)
    any_value(CASE WHEN s.figures_basis <> 'resolved' THEN NULL
      ELSE (s.payload->>'stress_50pct')::DOUBLE END) AS stress_50pct, any_value(s.breach_probability_1y) AS breach_probability_1y,
    any_value(s.total_long_term_debt)::DOUBLE AS debt, any_value(s.total_crypto_fair_value)::DOUBLE AS crypto,
    ${item('Assets')} AS assets,
    ${item('AssetsCurrent')} AS current_assets,
    ${item('LiabilitiesCurrent')} AS current_liabilities,
    ${item('RetainedEarningsAccumulatedDeficit')} AS retained_earnings,
    ${item('StockholdersEquity')} AS equity,
    ${item('Liabilities')} AS liabilities,
    max(f.value) FILTER (WHERE f.concept = 'OperatingIncomeLoss'
      AND datediff('day', f.start, f."end") + 1 BETWEEN 350 AND 380) AS operating_income
  FROM first_of_filing s
  LEFT JOIN facts f ON f.cik = s.cik AND f.accession = s.accession AND f."end" = s.period
    AND f.taxonomy = 'us-gaap' AND f.unit = 'USD'
  GROUP BY s.cik, s.accession
  ORDER BY s.cik, known_on, s.accession`;

type Sheet = { readonly [K in keyof Parameters<typeof altmanZ>[0]]: number | null };

function zOf(sheet: Sheet): number | null {
  const { totalAssets, currentAssets, currentLiabilities, retainedEarnings, operatingIncome, equity } = sheet;
  const { totalLiabilities } = sheet;
  if (totalAssets === null || currentAssets === null || currentLiabilities === null) return null;
  if (retainedEarnings === null || operatingIncome === null || equity === null) return null;
  if (totalLiabilities === null) return null;
  return altmanZ({
    totalAssets,
    currentAssets,
    currentLiabilities,
    retainedEarnings,
    operatingIncome,
    equity,
    totalLiabilities,
  });
}

function ratioOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole <= 0 ? null : part / whole;
}

// a row without its basis was published before there was one: nothing of it is known to be proven
function figuresBasisOf(value: unknown): FiguresBasis {
  return figuresBases.find((basis) => basis === value) ?? 'both_unproven';
}

function coinsBasisOf(value: unknown): CryptoUnitsBasis {
  return cryptoUnitsBases.find((basis) => basis === value) ?? 'unavailable';
}

function tierOf(value: unknown): RiskTier {
  return riskTiers.find((tier) => tier === value) ?? 'UNCLASSIFIED';
}
