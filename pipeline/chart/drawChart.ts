import { isPeriodicForm } from '../../calculators/filing/periodicForms.ts';
import { type Chart, type SheetOfSlice, withSheetAge } from '../../calculators/visual/chart/chart.ts';
import { claimWaterfall } from '../../calculators/visual/chart/claimWaterfall.ts';
import { coinsPerShare } from '../../calculators/visual/chart/coinsPerShare.ts';
import { debtAndCoins, type PeriodAmounts } from '../../calculators/visual/chart/debtAndCoins.ts';
import { factorRows } from '../../calculators/visual/chart/factorRows.ts';
import { fieldMapRows } from '../../calculators/visual/chart/fieldMapRows.ts';
import { type FacilityDay, loanHistory } from '../../calculators/visual/chart/loanHistory.ts';
import { maturityWall } from '../../calculators/visual/chart/maturityWall.ts';
import { pressureRows } from '../../calculators/visual/chart/pressureRows.ts';
import { priceRows } from '../../calculators/visual/chart/priceRows.ts';
import { type StressDay, stressHistory } from '../../calculators/visual/chart/stressHistory.ts';
import { type LadderRow, stressLadder } from '../../calculators/visual/chart/stressLadder.ts';
import { type UnitsOfDay, unitsHistory } from '../../calculators/visual/chart/unitsHistory.ts';
import { headingMargins, withHeading, writeChartSvg } from '../../calculators/visual/chart/writeChartSvg.ts';
import { outlinedTexts } from '../../calculators/visual/scene/outlinedTexts.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { findIssuer } from '../explain/findRow.ts';
import { readParameters } from '../modelCard/readRegistry.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { issuerOf, readClaims, readPerShare, readWall } from './capitalCharts.ts';
import { type ChartRequest, type ChartView, type Input, nothingToDraw } from './chartRequest.ts';
import { readFactors, readPressure, readPrices } from './marketRows.ts';
import { readField } from './readField.ts';

// what the warehouse says of issuers, night by night; of a night only the newest method counts (M10.6)
const newestMethod = `QUALIFY row_number() OVER (PARTITION BY source_date, cik ORDER BY internal.method_order(method_version) DESC) = 1`;

/** Stress of one issuer by slice, with the filings of the time. @throws IssuerError `usage`, `input_missing` */
export async function readHistory(chartRequest: ChartRequest): Promise<Input<typeof stressHistory>> {
  const { connection, width } = chartRequest;
  const { cik, named } = await issuerOf(chartRequest);
  const rows = await readRows<StressDay>(
    connection,
    `SELECT source_date::VARCHAR AS source_date, coalesce(stress_50pct, 0) AS stress_50pct, risk_tier, live_stress_50pct,
      live_risk_tier, figures_basis, treasury_relevance
    FROM stress WHERE cik = $cik ${newestMethod} ORDER BY source_date`,
    { cik },
  );
  if (rows.length === 0) throw nothingToDraw(`The warehouse has no slice with ${named}.`);
  const filings = await readRows<{ date: string; form: string }>(
    connection,
    `SELECT DISTINCT filed::VARCHAR AS date, form FROM filing_events WHERE cik = $cik ORDER BY date, form`,
    { cik },
  );
  return {
    ticker: named,
    rows,
    filings: filings.map(({ date, form }) => ({ date, label: isPeriodicForm(form) ? form : null })),
    bands: bandsOf(chartRequest),
    width,
  };
}

/** The most stressed issuers of the newest slice, in the order of I2.49. @throws IssuerError `input_missing` */
export async function readLadder(chartRequest: ChartRequest): Promise<Input<typeof stressLadder>> {
  const rows = await readRows<LadderRow & { source_date: string }>(
    chartRequest.connection,
    `SELECT source_date::VARCHAR AS source_date, ticker, risk_tier, stress_30pct, stress_50pct, stress_70pct,
      live_risk_tier, live_stress_30pct, live_stress_50pct, live_stress_70pct, filing_age_days::INTEGER AS filing_age_days
    FROM (SELECT * FROM stress WHERE source_date = (SELECT max(source_date) FROM stress) ${newestMethod})
    ORDER BY coalesce(live_stress_50pct, stress_50pct) DESC NULLS LAST,
      coalesce(CASE WHEN live_stress_50pct IS NULL THEN ecs_z ELSE live_ecs_z END, -3.5), ticker`,
  );
  const sourceDate = rows[0]?.source_date;
  if (sourceDate === undefined) throw nothingToDraw('The warehouse has no slice.');
  return {
    // unproven, incidental and coinless rows have no tier and no rank (I2.5a)
    rows: rows.filter((row) => row.risk_tier !== 'UNCLASSIFIED'),
    bands: bandsOf(chartRequest),
    sourceDate,
    width: chartRequest.width,
  };
}

/** Debt beside coins of one issuer by balance-sheet date, as the newest slice of each says. @throws IssuerError as above */
export async function readDebt(chartRequest: ChartRequest): Promise<Input<typeof debtAndCoins>> {
  const { connection, width } = chartRequest;
  const { cik, named } = await issuerOf(chartRequest);
  const rows = await readRows<PeriodAmounts>(
    connection,
    `SELECT period::VARCHAR AS period, total_long_term_debt::DOUBLE AS debt, total_crypto_fair_value::DOUBLE AS coins
    FROM (SELECT * FROM stress WHERE cik = $cik AND period IS NOT NULL ${newestMethod}) newest
    QUALIFY row_number() OVER (PARTITION BY newest.period ORDER BY source_date DESC) = 1 ORDER BY newest.period`,
    { cik },
  );
  if (rows.length === 0) throw nothingToDraw(`The warehouse has no slice with ${named}.`);
  return { ticker: named, periods: withMissingPeriods(rows), width };
}

function bandsOf({ parameters }: ChartRequest) {
  return { ...parameters.stressBands, covenant: parameters.referenceCovenantLtv };
}

/**
 * The periods with a place for each that the issuer's rhythm would have had and no slice holds: its month without amounts
 * (V51). The rhythm is a quarter, half a year or a year, by the shortest step. Ascending by date.
 */
export function withMissingPeriods(periods: readonly PeriodAmounts[]): PeriodAmounts[] {
  const steps = periods
    .slice(1)
    .map(({ period }, i) => months(period) - months(periods[i]?.period ?? period));
  const shortest = Math.min(...steps.filter((step) => step > 1));
  // quarters of 52 weeks may end in the first days of the next month
  const rhythm = shortest <= 4 ? 3 : shortest <= 8 ? 6 : 12;
  return periods.flatMap((one, i) => {
    const step = steps[i - 1] ?? 0;
    const missing = i === 0 ? 0 : Math.max(0, Math.round(step / rhythm) - 1);
    const places = Array.from({ length: missing }, (_, k) => ({
      period: monthText(months(one.period) - (missing - k) * rhythm),
      debt: null,
      coins: null,
    }));
    return [...places, one];
  });
}

const months = (period: string): number => Number(period.slice(0, 4)) * 12 + Number(period.slice(5, 7)) - 1;
const monthText = (month: number): string =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;

// of a night the newest method counts, of a loan's rows in it that of the latest day
const newest = `internal.method_order(method_version) DESC, as_of DESC, is_subsequent DESC, name`;

/**
 * Loan-to-value of one secured loan against its trigger, night by night.
 *
 * @throws IssuerError `usage` where the issuer has several loans with a value and none is named, or another is;
 * `input_missing` where it has none.
 */
export async function readLoan(chartRequest: ChartRequest): Promise<Input<typeof loanHistory>> {
  const { connection, facility, width } = chartRequest;
  const { cik, named } = await issuerOf(chartRequest);
  const loans = await readRows<{ facility_id: string; name: string }>(
    connection,
    `SELECT facility_id, name FROM facility_history WHERE cik = $cik AND (ltv IS NOT NULL OR live_ltv IS NOT NULL)
    QUALIFY row_number() OVER (PARTITION BY facility_id ORDER BY source_date DESC, ${newest}) = 1
    ORDER BY facility_id`,
    { cik },
  );
  if (loans.length === 0)
    throw nothingToDraw(`No filing of ${named} states a loan and the value of the coins that secure it.`);
  const wanted = facility === null ? loans : loans.filter((loan) => loan.facility_id === facility);
  const [loan, ...more] = wanted;
  if (loan === undefined || more.length > 0)
    throw new IssuerError({
      code: 'usage',
      message:
        loan === undefined
          ? `${named} has no loan ${JSON.stringify(String(facility).slice(0, 60))}.`
          : `${named} has ${loans.length} loans; one chart is of one.`,
      hint: `Give --facility one of: ${loans.map((one) => one.facility_id).join(', ')}.`,
    });
  const rows = await readRows<FacilityDay>(
    connection,
    `SELECT source_date::VARCHAR AS source_date, ltv, live_ltv, trigger_ltv, trigger_kind, live_price_fall_to_call
    FROM facility_history WHERE cik = $cik AND facility_id = $loan
    QUALIFY row_number() OVER (PARTITION BY source_date ORDER BY ${newest}) = 1
    ORDER BY source_date`,
    { cik, loan: loan.facility_id },
  );
  return { ticker: named, facility: loan.name, rows, width };
}

/** Reading a view's rows, and drawing them. */
function view<Rows>(read: (chartRequest: ChartRequest) => Promise<Rows>, draw: (rows: Rows) => Chart) {
  return async (chartRequest: ChartRequest): Promise<Chart> => draw(await read(chartRequest));
}

/** Views of one issuer; a field map may be of a product. */
const ofIssuer: ReadonlySet<ChartView> = new Set([
  ...(['history', 'debt', 'loan', 'units', 'field', 'wall', 'claims', 'per-share'] as const),
]);

/** The balance sheet of the newest slice of the issuer a chart is of; null for a view of no issuer (V39b). */
async function sheetOf(view: ChartView, { connection, subject }: ChartRequest): Promise<SheetOfSlice | null> {
  if (!ofIssuer.has(view) || subject === null) return null;
  const issuer = await findIssuer(connection, subject).catch((error: unknown) => {
    if (view === 'field' && error instanceof IssuerError && error.code === 'usage') return null;
    throw error;
  });
  if (issuer === null) return null;
  const [sheet = null] = await readRows<SheetOfSlice>(
    connection,
    `SELECT source_date::VARCHAR AS "sourceDate", period::VARCHAR AS period FROM stress WHERE cik = $cik AND period IS NOT NULL
    ORDER BY source_date DESC, internal.method_order(method_version) DESC LIMIT 1`,
    { cik: issuer.cik },
  );
  return sheet;
}

const views: Record<ChartView, (chartRequest: ChartRequest) => Promise<Chart>> = {
  history: view(readHistory, stressHistory),
  ladder: view(readLadder, stressLadder),
  debt: view(readDebt, debtAndCoins),
  loan: view(readLoan, loanHistory),
  units: view(readUnits, unitsHistory),
  field: view(readField, fieldMapRows),
  factors: view(readFactors, factorRows),
  pressure: view(readPressure, pressureRows),
  prices: view(readPrices, priceRows),
  wall: view(readWall, maturityWall),
  claims: view(readClaims, claimWaterfall),
  'per-share': view(readPerShare, coinsPerShare),
};

type Drawing = Omit<ChartRequest, 'connection' | 'parameters' | 'fall'> & {
  readonly view: ChartView;
  readonly fall?: number;
  readonly theme: 'light' | 'dark';
  /** As text in embedded faces, or as outlines of its glyphs (V10a). */
  readonly text: 'faces' | 'outlines';
};

/**
 * Draws one chart of the last complete build or the current release and writes it as an SVG that stands alone, with its
 * finding above it and the faces in it (V38).
 *
 * @param width of the whole picture, px.
 * @throws IssuerError `usage` for a subject that is none, `input_missing` where there is nothing to draw.
 */
export async function drawChart({
  view,
  theme,
  text,
  width,
  ...subject
}: Drawing): Promise<{ readonly chart: Chart; readonly svg: string }> {
  const parameters = await readParameters();
  const database = await openWarehouse(subject.layout.database);
  try {
    const { connection } = database;
    const asked = { fall: 0.5, ...subject, connection, parameters, width: width - headingMargins };
    const drawnChart = await views[view](asked);
    if (drawnChart.isEmpty) throw nothingToDraw(`${drawnChart.finding}: ${drawnChart.desc}`);
    const chart = withSheetAge(drawnChart, await sheetOf(view, asked));
    const headed = withHeading(chart);
    const drawn = text === 'outlines' ? { ...headed, scene: await outlinedTexts(headed.scene) } : headed;
    const faces = text === 'outlines' ? 'none' : 'embedded';
    return { chart, svg: writeChartSvg(drawn, { theme, idPrefix: 'chart-', faces }) };
  } finally {
    database.close();
  }
}

/**
 * Coins of one issuer as current reports state them and balance sheets file them; of several coins the one with most stated
 * days.
 *
 * @throws IssuerError `usage`, `input_missing` where no report states any
 */
export async function readUnits(chartRequest: ChartRequest): Promise<Input<typeof unitsHistory>> {
  const { connection, width } = chartRequest;
  const { cik, named } = await issuerOf(chartRequest);
  const stated = await readRows<UnitsOfDay & { asset: string }>(
    connection,
    `WITH usable AS (
      SELECT asset, as_of, units FROM holdings_statements
      WHERE cik = $cik AND units IS NOT NULL AND NOT is_quarantined AND verdict IS DISTINCT FROM 'contradiction'),
    most AS (SELECT asset FROM usable GROUP BY asset ORDER BY count(*) DESC, asset LIMIT 1)
    SELECT asset, as_of::VARCHAR AS date, units::DOUBLE AS units FROM usable SEMI JOIN most USING (asset) ORDER BY as_of`,
    { cik },
  );
  const asset = stated[0]?.asset;
  if (asset === undefined) throw nothingToDraw(`No current report at hand states coins of ${named}.`);
  const filed = await readRows<UnitsOfDay>(
    connection,
    `SELECT s.period::VARCHAR AS date, c.units::DOUBLE AS units FROM coins c
    JOIN stress s USING (cik, source_date, method_version)
    WHERE c.cik = $cik AND c.asset = $asset AND c.units IS NOT NULL AND c.units_basis = 'reported' AND s.period IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY s.period ORDER BY source_date DESC, internal.method_order(method_version) DESC) = 1 ORDER BY s.period`,
    { cik, asset },
  );
  const days = stated.map(({ date, units }) => ({ date, units }));
  return { ticker: named, asset, stated: days, filed, width };
}

/** A picture as PNG, `scale` times its size; its texts have to be outlines: no font of the machine is read. */
export async function writePng(svg: string, scale: number): Promise<Buffer> {
  const { Resvg } = await import('@resvg/resvg-js');
  const picture = new Resvg(svg, { fitTo: { mode: 'zoom', value: scale }, font: { loadSystemFonts: false } });
  return picture.render().asPng();
}
