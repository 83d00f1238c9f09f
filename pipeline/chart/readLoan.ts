import type { loanHistory } from '../../calculators/visual/chart/loanHistory.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { findIssuer } from '../explain/findRow.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { newestMethodFirst } from '../warehouse/derived/newestMethod.ts';
import { type ChartRequest, type Input, nothingToDraw, subjectOf } from './chartRequest.ts';
import { numberCell } from './numberCell.ts';

// of a night the newest method counts, of a loan's rows in it that of the latest day
const newest = `${newestMethodFirst}, as_of DESC, is_subsequent DESC, name`;

/**
 * Loan-to-value of one secured loan against its trigger, night by night.
 *
 * @throws IssuerError `usage` where the issuer has several loans with a value and none is named, or another is;
 * `input_missing` where it has none.
 */
export async function readLoan(chartRequest: ChartRequest): Promise<Input<typeof loanHistory>> {
  const { connection, facility, width } = chartRequest;
  const { cik, ticker } = await findIssuer(connection, subjectOf(chartRequest, 'issuer'));
  const named = ticker ?? cik;
  const loans = await readRows(
    connection,
    `SELECT facility_id, name FROM facility_history WHERE cik = $cik AND (ltv IS NOT NULL OR live_ltv IS NOT NULL)
    QUALIFY row_number() OVER (PARTITION BY facility_id ORDER BY source_date DESC, ${newest}) = 1
    ORDER BY facility_id`,
    { cik },
  );
  if (loans.length === 0)
    throw nothingToDraw(`No filing of ${named} states a loan and the value of the coins that secure it.`);
  const wanted = facility === null ? loans : loans.filter((loan) => loan['facility_id'] === facility);
  const [loan, ...more] = wanted;
  if (loan === undefined || more.length > 0)
    throw new IssuerError({
      code: 'usage',
      message:
        loan === undefined
          ? `${named} has no loan ${JSON.stringify(String(facility).slice(0, 60))}.`
          : `${named} has ${loans.length} loans; one chart is of one.`,
      hint: `Give --facility one of: ${loans.map((one) => String(one['facility_id'])).join(', ')}.`,
    });
  const rows = await readRows(
    connection,
    `SELECT source_date::VARCHAR AS day, ltv, live_ltv, trigger_ltv, trigger_kind, live_price_fall_to_call
    FROM facility_history WHERE cik = $cik AND facility_id = $loan
    QUALIFY row_number() OVER (PARTITION BY source_date ORDER BY ${newest}) = 1
    ORDER BY source_date`,
    { cik, loan: String(loan['facility_id']) },
  );
  return {
    ticker: named,
    facility: String(loan['name']),
    rows: rows.map((row) => ({
      source_date: String(row['day']),
      ltv: numberCell(row['ltv']),
      live_ltv: numberCell(row['live_ltv']),
      trigger_ltv: numberCell(row['trigger_ltv']),
      trigger_kind: row['trigger_kind'] === null ? null : String(row['trigger_kind']),
      live_price_fall_to_call: numberCell(row['live_price_fall_to_call']),
    })),
    width,
  };
}
