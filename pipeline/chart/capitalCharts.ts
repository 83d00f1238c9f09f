import type { claimWaterfall, PaidClass } from '../../calculators/visual/chart/claimWaterfall.ts';
import type { coinsPerShare, PerShareDay } from '../../calculators/visual/chart/coinsPerShare.ts';
import type { DueYear, maturityWall } from '../../calculators/visual/chart/maturityWall.ts';
import { findIssuer } from '../explain/findRow.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { type ChartRequest, type Input, nothingToDraw, subjectOf } from './chartRequest.ts';

// charts of the capital structure (M18.88), from the views of M18.84

/** The issuer that a view is of, by the name that it is shown under. @throws IssuerError `usage` */
export async function issuerOf(
  request: ChartRequest,
): Promise<{ readonly cik: string; readonly named: string }> {
  const { cik, ticker } = await findIssuer(request.connection, subjectOf(request, 'issuer'));
  return { cik, named: ticker ?? cik };
}

/** The newest slice of an issuer that a view has rows of. */
const newestSlice = (view: string) =>
  `SELECT source_date, method_version FROM ${view} WHERE cik = $cik ORDER BY source_date DESC, internal.method_order(method_version) DESC LIMIT 1`;

type WallRow = {
  readonly mark: string;
  readonly due: string;
  readonly is_open: boolean;
  readonly amount: number | null;
  readonly status: string | null;
  readonly proof: string | null;
  readonly coverage_of_debt: number | null;
  readonly period: string;
};

/** What falls due by year in the newest slice. @throws IssuerError `usage`, `input_missing` */
export async function readWall(request: ChartRequest): Promise<Input<typeof maturityWall>> {
  const { connection, width } = request;
  const { cik, named } = await issuerOf(request);
  const rows = await readRows<WallRow>(
    connection,
    `SELECT m.mark, m.due_from::VARCHAR AS due, m.due_to IS NULL AS is_open, m.amount::DOUBLE AS amount, m.status,
      i.principal_status AS proof, m.coverage_of_debt, m.period::VARCHAR AS period
    FROM maturities m SEMI JOIN (${newestSlice('shares')}) USING (source_date, method_version)
    LEFT JOIN instruments i USING (source_date, method_version, cik, instrument_id)
    WHERE m.cik = $cik AND m.is_on_wall ORDER BY due, m.mark`,
    { cik },
  );
  const [first] = rows;
  if (first === undefined)
    throw nothingToDraw(`No maturity date and no bucket of ${named} is filed as a fact.`);
  const years = new Map<string, DueYear>();
  for (const { mark, due, is_open, amount, status, proof } of rows) {
    const isBucket = mark === 'bucket';
    const year = isBucket && is_open ? 'later' : due.slice(0, 4);
    const before = years.get(year) ?? { year, proven: 0, unproven: 0, early: 0 };
    const isProven = (isBucket ? status : proof) === 'proven';
    const kind = mark === 'put' || mark === 'springing' ? 'early' : isProven ? 'proven' : 'unproven';
    years.set(year, { ...before, [kind]: before[kind] + (amount ?? 0) });
  }
  return {
    ticker: named,
    period: first.period,
    // `later` sorts behind every year
    years: [...years.values()].sort((a, b) => (a.year < b.year ? -1 : 1)),
    coverage: first.coverage_of_debt,
    width,
  };
}

type ClaimsInput = Input<typeof claimWaterfall>;

/** Who is paid what after one fall of the coins, in the newest slice. @throws IssuerError as above */
export async function readClaims(request: ChartRequest): Promise<ClaimsInput> {
  const { connection, fall, width } = request;
  const { cik, named } = await issuerOf(request);
  const rows = await readRows<PaidClass & Omit<ClaimsInput, 'classes'>>(
    connection,
    `SELECT class, coalesce(claim::DOUBLE, 0) AS claim, paid::DOUBLE AS paid, recovery, coalesce(pool::DOUBLE, 0) AS pool,
      coalesce(common_residual::DOUBLE, 0) AS residual, is_lower_bound AS "isLowerBound", period::VARCHAR AS period
    FROM claims SEMI JOIN (${newestSlice('claims')}) USING (source_date, method_version)
    WHERE cik = $cik AND lens = 'coins_only' AND shock = $fall ORDER BY rank NULLS LAST, class`,
    { cik, fall },
  );
  const [first] = rows;
  if (first === undefined) throw nothingToDraw(`The filing of ${named} gives no coins and claims to divide.`);
  const { period, pool, residual, isLowerBound } = first;
  const classes = rows.filter((row) => row.class !== 'common');
  return { ticker: named, period, shock: fall, pool, classes, residual, isLowerBound, width };
}

/** Coins a thousand shares by balance-sheet date, on the split basis of the newest. @throws IssuerError as above */
export async function readPerShare(request: ChartRequest): Promise<Input<typeof coinsPerShare>> {
  const { connection, width } = request;
  const { cik, named } = await issuerOf(request);
  const rows = await readRows<PerShareDay & { readonly asset: string; readonly splits: string | null }>(
    connection,
    `WITH of_night AS (
      SELECT n.period, n.source_date, n.method_version, n.asset, n.gross, n.coins_per_share, n.coins_per_share_diluted, n.units, s.classes
      FROM nav n JOIN shares s USING (source_date, method_version, cik)
      WHERE n.cik = $cik AND n.basis = 'filed' AND n.asset IS NOT NULL
      QUALIFY row_number() OVER (PARTITION BY n.period, n.asset ORDER BY source_date DESC, internal.method_order(method_version) DESC) = 1
    ), main AS (
      SELECT asset FROM of_night GROUP BY asset ORDER BY count(coins_per_share) DESC, max(units) DESC, asset LIMIT 1
    )
    SELECT period::VARCHAR AS period, asset, coins_per_share * 1000 AS basic, coins_per_share_diluted * 1000 AS diluted,
      (classes->'splits')::VARCHAR AS splits
    FROM of_night SEMI JOIN main USING (asset) ORDER BY period`,
    { cik },
  );
  const last = rows.at(-1);
  if (last === undefined) throw nothingToDraw(`No filing states coins and shares of ${named}.`);
  const splits = new Map(rows.flatMap((row) => splitsOf(row.splits)));
  return {
    ticker: named,
    asset: last.asset,
    rows: rows.map(({ period, basic, diluted }) => {
      const ratio = [...splits]
        .filter(([date]) => date > period && date <= last.period)
        .reduce((product, [, one]) => product * one, 1);
      const onNewBasis = (value: number | null) => (value === null ? null : value / ratio);
      return { period, basic: onNewBasis(basic), diluted: onNewBasis(diluted) };
    }),
    width,
  };
}

/** New shares for one old by day of the split. */
function splitsOf(text: string | null): [string, number][] {
  const splits = JSON.parse(text ?? '[]') as { date: string; ratio: number }[];
  return splits.flatMap(({ date, ratio }) => (ratio > 0 ? [[date, ratio] as [string, number]] : []));
}
