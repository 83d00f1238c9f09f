import type { debtAndCoins } from '../../calculators/visual/chart/debtAndCoins.ts';
import type { stressHistory } from '../../calculators/visual/chart/stressHistory.ts';
import type { stressLadder } from '../../calculators/visual/chart/stressLadder.ts';
import type { FiguresBasis, RiskTier, TreasuryRelevance } from '../../data/contract/values/enums.ts';
import { findIssuer } from '../explain/findRow.ts';
import { isPeriodicForm } from '../fetch/filings/chooseFilingsToFetch.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { newestMethodFirst } from '../warehouse/derived/newestMethod.ts';
import { type ChartRequest, type Input, nothingToDraw, subjectOf } from './chartRequest.ts';
import { numberCell } from './numberCell.ts';
import { withMissingPeriods } from './withMissingPeriods.ts';

// what the warehouse says of issuers, night by night; of a night only the newest method counts (M10.6)
const newestMethod = `QUALIFY row_number() OVER (PARTITION BY source_date, cik ORDER BY ${newestMethodFirst}) = 1`;

/** Stress of one issuer by slice, with the filings of the time. @throws IssuerError `usage`, `input_missing` */
export async function readHistory(chartRequest: ChartRequest): Promise<Input<typeof stressHistory>> {
  const { connection, width } = chartRequest;
  const { cik, ticker } = await findIssuer(connection, subjectOf(chartRequest, 'issuer'));
  const rows = await readRows(
    connection,
    `SELECT source_date::VARCHAR AS day, stress_50pct, risk_tier, live_stress_50pct, live_risk_tier, figures_basis,
      treasury_relevance
    FROM stress WHERE cik = $cik ${newestMethod} ORDER BY source_date`,
    { cik },
  );
  if (rows.length === 0) throw nothingToDraw(`The warehouse has no slice with ${ticker ?? cik}.`);
  const filings = await readRows(
    connection,
    `SELECT DISTINCT filed::VARCHAR AS day, form FROM filing_events WHERE cik = $cik ORDER BY day, form`,
    { cik },
  );
  return {
    ticker: ticker ?? cik,
    rows: rows.map((row) => ({
      source_date: String(row['day']),
      stress_50pct: numberCell(row['stress_50pct']) ?? 0,
      risk_tier: row['risk_tier'] as RiskTier,
      live_stress_50pct: numberCell(row['live_stress_50pct']),
      live_risk_tier: row['live_risk_tier'] as RiskTier | null,
      figures_basis: row['figures_basis'] as FiguresBasis,
      treasury_relevance: row['treasury_relevance'] as TreasuryRelevance | null,
    })),
    filings: filings.map(({ day, form }) => ({
      date: String(day),
      label: isPeriodicForm(String(form)) ? String(form) : null,
    })),
    bands: bandsOf(chartRequest),
    width,
  };
}

/** The most stressed issuers of the newest slice, in the order of I2.49. @throws IssuerError `input_missing` */
export async function readLadder(chartRequest: ChartRequest): Promise<Input<typeof stressLadder>> {
  const rows = await readRows(
    chartRequest.connection,
    `SELECT source_date::VARCHAR AS day, ticker, risk_tier, stress_30pct, stress_50pct, stress_70pct,
      live_risk_tier, live_stress_30pct, live_stress_50pct, live_stress_70pct
    FROM (SELECT * FROM stress WHERE source_date = (SELECT max(source_date) FROM stress) ${newestMethod})
    ORDER BY coalesce(live_stress_50pct, stress_50pct) DESC NULLS LAST,
      coalesce(CASE WHEN live_stress_50pct IS NULL THEN ecs_z ELSE live_ecs_z END, -3.5), ticker`,
  );
  const sourceDate = rows[0]?.['day'];
  if (sourceDate === undefined) throw nothingToDraw('The warehouse has no slice.');
  return {
    // unproven, incidental and coinless rows have no tier and no rank (I2.5a)
    rows: rows
      .filter((row) => row['risk_tier'] !== 'UNCLASSIFIED')
      .map((row) => ({
        ticker: String(row['ticker']),
        risk_tier: row['risk_tier'] as RiskTier,
        stress_30pct: numberCell(row['stress_30pct']) ?? 0,
        stress_50pct: numberCell(row['stress_50pct']) ?? 0,
        stress_70pct: numberCell(row['stress_70pct']) ?? 0,
        live_risk_tier: row['live_risk_tier'] as RiskTier | null,
        live_stress_30pct: numberCell(row['live_stress_30pct']),
        live_stress_50pct: numberCell(row['live_stress_50pct']),
        live_stress_70pct: numberCell(row['live_stress_70pct']),
      })),
    bands: bandsOf(chartRequest),
    sourceDate: String(sourceDate),
    width: chartRequest.width,
  };
}

/** Debt beside coins of one issuer by balance-sheet date, as the newest slice of each says. @throws IssuerError as above */
export async function readDebt(chartRequest: ChartRequest): Promise<Input<typeof debtAndCoins>> {
  const { connection, width } = chartRequest;
  const { cik, ticker } = await findIssuer(connection, subjectOf(chartRequest, 'issuer'));
  const rows = await readRows(
    connection,
    `SELECT period::VARCHAR AS day, total_long_term_debt::DOUBLE AS debt, total_crypto_fair_value::DOUBLE AS coins
    FROM (SELECT * FROM stress WHERE cik = $cik AND period IS NOT NULL ${newestMethod})
    QUALIFY row_number() OVER (PARTITION BY period ORDER BY source_date DESC) = 1 ORDER BY period`,
    { cik },
  );
  if (rows.length === 0) throw nothingToDraw(`The warehouse has no slice with ${ticker ?? cik}.`);
  return {
    ticker: ticker ?? cik,
    periods: withMissingPeriods(
      rows.map((row) => ({
        period: String(row['day']),
        debt: numberCell(row['debt']),
        coins: numberCell(row['coins']),
      })),
    ),
    width,
  };
}

function bandsOf({ parameters }: ChartRequest) {
  return { ...parameters.stressBands, covenant: parameters.referenceCovenantLtv };
}
