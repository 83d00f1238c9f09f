import type { DuckDBConnection } from '@duckdb/node-api';
import type { Issuer } from '../../calculators/filing/rows.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import type { IssuerPosition } from '../../calculators/position/positionIssuer.ts';
import { priceBook } from '../../calculators/prices/priceBook.ts';
import {
  factKey,
  factsBehind,
  isEstimate,
  type LaterReading,
  recordedFigure,
} from '../../calculators/record/recordedFigure.ts';
import type { TrailFact } from '../../calculators/trail/resolutionTrail.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { Resolving } from '../compute/resolveVintages.ts';
import { closesAround, resolveVintages } from '../compute/resolveVintages.ts';
import type { LogEvent } from '../effects.ts';
import { parseExactJson, trailSchema } from '../explain/trailSchema.ts';
import type { Row } from '../warehouse/build/insertRows.ts';
import { insertRows } from '../warehouse/build/insertRows.ts';
import { inTransaction, readRows, readSql } from '../warehouse/build/readRows.ts';
import { selectPrices } from '../warehouse/select/selectPrices.ts';
import { askFor, dropVintages, readVintages } from '../warehouse/select/selectVintages.ts';

/** Filings whose facts are in memory at once. */
const batch = 64;

/**
 * Compares what was published as proven with the comparatives of the first later filing that shows the same date, and
 * keeps the verdicts behind view `record` (M12.18). What was judged is not read again, what is open is.
 *
 * @returns how many figures were judged
 */
export async function keepRecord({
  connection,
  sourceDate,
  parameters,
  ...resolving
}: Resolving & {
  /** Filings known by this day are read. */
  sourceDate: string;
  issuers: readonly Issuer[];
}): Promise<number> {
  const method = parameters.version;
  await askFor(
    connection,
    resolving.issuers.map(({ cik }) => cik),
  );
  await connection.run(await readSql('supportingSeries.sql'));
  await connection.run(await readSql('comparatives.sql'), { method, last: sourceDate });
  await connection.run('DROP TABLE asked');
  const vintages = await readVintages(connection);
  const rows = await selectPrices(connection, { upTo: sourceDate });
  const request = {
    ...resolving,
    connection,
    parameters,
    prices: priceBook(rows, parameters),
    closes: closesAround(rows, parameters),
    issuers: new Map(resolving.issuers.map((issuer) => [issuer.cik, issuer])),
    log: (event: LogEvent) => (event.level === 'info' ? undefined : resolving.log(event)),
  };
  const positions = new Map<number, IssuerPosition>();
  for (let at = 0; at < vintages.length; at += batch) {
    const { known } = await resolveVintages({ ...request, vintages: vintages.slice(at, at + batch) });
    for (const { vintage, position } of known) positions.set(vintage.id, position);
  }
  const values = await laterValues(connection);
  const published = await readRows<PublishedRow>(connection, publishedRows, { method });
  const judged = published.flatMap((row) => {
    const position = positions.get(row.vintage);
    const later = values.get(row.vintage) ?? new Map();
    return position === undefined ? [] : recordRows(row, { position, parameters, values: later });
  });
  await inTransaction(connection, async () => {
    await connection.run(
      `DELETE FROM record_row
      WHERE method_version = $method AND (cik, accession) IN (SELECT (cik, published_accession) FROM vintage)`,
      { method },
    );
    await insertRows(connection, { table: 'record_row', rows: judged });
  });
  await dropVintages(connection);
  return judged.length;
}

const publishedRows = `SELECT v.vintage, s.method_version, s.cik, s.accession_number AS accession, s.ticker,
    s.period::VARCHAR AS period, v.accession AS later_accession,
    v.form AS later_form, v.since::VARCHAR AS later_known_on, s.figures_basis, s.crypto_units_basis,
    s.total_long_term_debt::VARCHAR AS debt, s.total_crypto_fair_value::VARCHAR AS coins,
    f.total_assets::VARCHAR AS assets, s.resolution_trail AS trail
  FROM vintage v
  JOIN stress_row s ON s.cik = v.cik AND s.accession_number = v.published_accession
    AND s.source_date = v.published_on AND s.method_version = $method
  LEFT JOIN fundamental_row f ON f.cik = s.cik AND f.source_date = s.source_date AND f.method_version = s.method_version
  WHERE s.resolution_trail IS NOT NULL
  ORDER BY s.cik, s.period, s.accession_number`;

/** What was published of a balance sheet, and which later filing shows it again; amounts are digits. */
type PublishedRow = {
  readonly vintage: number;
  readonly period: string;
  readonly figures_basis: string | null;
  readonly crypto_units_basis: string | null;
  readonly debt: string;
  readonly coins: string;
  readonly assets: string | null;
  readonly trail: string;
};

type Values = ReadonlyMap<string, readonly ExactDecimal[]>;

/** Every amount the later filings state at the compared date, by vintage and fact. */
async function laterValues(connection: DuckDBConnection): Promise<ReadonlyMap<number, Values>> {
  const rows = await readRows<LaterFact>(
    connection,
    `SELECT v.vintage, s.taxonomy || ':' || s.concept AS concept, s.unit, [] AS dimensions, f.value, x.value_exact AS digits
    FROM vintage v
    JOIN fact f ON f.cik = v.cik_number AND f.end_date = v.period AND f.start_date = DATE '-infinity'
    JOIN fact_series s USING (series_id)
    LEFT JOIN fact_exact x ON x.code = f.accession
    WHERE coalesce(x.accession, accession_text(f.accession)) = v.accession
    UNION ALL
    SELECT v.vintage, i.concept, i.unit, i.dimensions, i.value, i.value_exact
    FROM vintage v
    JOIN instance_fact i ON i.cik = v.cik AND i.accession = v.accession AND i.end_date = v.period
      AND i.start_date IS NULL AND i.value IS NOT NULL`,
  );
  const byVintage = new Map<number, Map<string, ExactDecimal[]>>();
  for (const { vintage, value, digits, ...fact } of rows) {
    const values = byVintage.get(vintage) ?? new Map<string, ExactDecimal[]>();
    byVintage.set(vintage, values);
    const key = factKey(fact);
    const exact = digits === null ? ExactDecimal.fromNumber(value) : ExactDecimal.parse(digits);
    values.set(key, [...(values.get(key) ?? []), exact]);
  }
  return byVintage;
}

type LaterFact = Pick<TrailFact, 'concept' | 'unit' | 'dimensions'> & {
  readonly vintage: number;
  readonly value: number;
  readonly digits: string | null;
};

/** The rows of one published balance sheet, a row for each figure that was proven; none by a trail of an older program. */
function recordRows(
  row: PublishedRow,
  { position, values, parameters }: { position: IssuerPosition; values: Values; parameters: Parameters },
): Row[] {
  const trail = trailSchema.safeParse(parseExactJson(row.trail));
  if (!trail.success) return [];
  const [debt, coins] = trail.data.ratio.children;
  const assets = row.assets === null ? null : ExactDecimal.parse(row.assets);
  const isAtCost = row.crypto_units_basis === 'carrying_value_lower_bound';
  const sides = [
    { figure: 'debt', unproven: 'debt_unproven', total: debt, isAtCost: false, later: laterDebt(position) },
    { figure: 'coins', unproven: 'crypto_unproven', total: coins, isAtCost, later: laterCoins(position) },
  ] as const;
  return sides.flatMap(({ figure, unproven, total, isAtCost, later }) => {
    if (row.figures_basis === unproven) return [];
    const amount = ExactDecimal.parse(row[figure]);
    const facts = factsBehind(total, row.period);
    const again = isAtCost ? later.carried : later.amount;
    const { verdict, compared, changed, absent, finding } = recordedFigure({
      later,
      published: { amount, isAtCost, assets, isEstimate: isEstimate(total) },
      tolerance: parameters.priceCheck,
      facts: facts.map((fact) => ({ fact, later: values.get(factKey(fact)) ?? [] })),
    });
    return {
      ...{ ...row, figure, amount: amount.toString(), verdict, finding },
      later_amount: later.isProven ? again.toString() : null,
      ...{ facts_compared: compared, facts_changed: changed, facts_absent: absent },
    };
  });
}

function laterDebt({ debt, balance }: IssuerPosition): LaterReading {
  const { total: amount } = debt;
  const isProven = debt.coverage !== 'low_confidence_missing_debt';
  return { amount, carried: amount, isAtCost: false, isProven, assets: balance.assets };
}

function laterCoins({ holdings, balance }: IssuerPosition): LaterReading {
  const { amount, carried, isProven, measurement } = holdings;
  return {
    amount,
    carried,
    isProven,
    isAtCost: measurement === 'carrying_lower_bound',
    assets: balance.assets,
  };
}
