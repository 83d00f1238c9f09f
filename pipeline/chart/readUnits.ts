import type { UnitsOfDay, unitsHistory } from '../../calculators/visual/chart/unitsHistory.ts';
import { findIssuer } from '../explain/findRow.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { newestMethodFirst } from '../warehouse/derived/newestMethod.ts';
import { type ChartRequest, type Input, nothingToDraw, subjectOf } from './chartRequest.ts';

/**
 * Coins of one issuer as current reports state them and balance sheets file them; of several coins the one with most stated
 * days.
 *
 * @throws IssuerError `usage`, `input_missing` where no report states any
 */
export async function readUnits(chartRequest: ChartRequest): Promise<Input<typeof unitsHistory>> {
  const { connection, width } = chartRequest;
  const { cik, ticker } = await findIssuer(connection, subjectOf(chartRequest, 'issuer'));
  const named = ticker ?? cik;
  const stated = await readRows(
    connection,
    `WITH usable AS (
      SELECT asset, as_of, units FROM holdings_statements
      WHERE cik = $cik AND units IS NOT NULL AND NOT is_quarantined AND verdict IS DISTINCT FROM 'contradiction'),
    most AS (SELECT asset FROM usable GROUP BY asset ORDER BY count(*) DESC, asset LIMIT 1)
    SELECT asset, as_of::VARCHAR AS date, units::DOUBLE AS units FROM usable SEMI JOIN most USING (asset) ORDER BY as_of`,
    { cik },
  );
  const asset = stated[0]?.['asset'];
  if (typeof asset !== 'string') throw nothingToDraw(`No current report at hand states coins of ${named}.`);
  const filed = await readRows(
    connection,
    `SELECT s.period::VARCHAR AS date, c.units::DOUBLE AS units FROM coins c
    JOIN stress s USING (cik, source_date, method_version)
    WHERE c.cik = $cik AND c.asset = $asset AND c.units IS NOT NULL AND c.units_basis = 'reported' AND s.period IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY s.period ORDER BY source_date DESC, ${newestMethodFirst}) = 1 ORDER BY s.period`,
    { cik, asset },
  );
  const days = (rows: readonly Record<string, unknown>[]): UnitsOfDay[] =>
    rows.map((row) => ({ date: String(row['date']), units: Number(row['units']) }));
  return { ticker: named, asset, stated: days(stated), filed: days(filed), width };
}
