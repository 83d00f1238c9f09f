import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type ChainLink,
  chainStocks,
  netOf,
  stocksByDay,
} from '../../../calculators/currentReports/chainStocks.ts';
import { type CloseRange, checkAmount } from '../../../calculators/currentReports/checkAmount.ts';
import { newestUnits } from '../../../calculators/currentReports/currentUnits.ts';
import type { Statement } from '../../../calculators/currentReports/statement.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { type Cell, insertRows } from '../build/insertRows.ts';
import { readRows } from '../build/readRows.ts';
import { type StoredStatement, statementKey, storedStatements } from './storedStatements.ts';

/** Makes again what follows from all statements and closes of a build: amounts that do not fit, and the links of stocks. */
export async function deriveStatements(connection: DuckDBConnection): Promise<void> {
  await connection.run('DELETE FROM amount_mismatch');
  await connection.run('DELETE FROM holdings_link');
  await connection.run('DELETE FROM stated_units');
  const stored = await storedStatements(connection, null);
  if (stored.length === 0) return;
  const closes = await closeRanges(connection);
  const mismatched = stored.filter(
    (one) =>
      !one.statement.notes.includes('price_mismatch') &&
      checkAmount(one.statement, closes.get(statementKey(one)) ?? null) !== one.statement,
  );
  await insertRows(connection, {
    table: 'amount_mismatch',
    rows: mismatched.map(({ statement: { source }, position }) => [source.cik, source.accession, position]),
  });
  const byCoin = Map.groupBy(
    stored.filter(({ statement }) => statement.units !== null && statement.asset !== 'shares'),
    ({ statement: { source, asset } }) => `${source.cik} ${asset}`,
  );
  const coins = [...byCoin.values()].map(coinRows);
  await insertRows(connection, {
    table: 'holdings_link',
    rows: coins.flatMap(({ links }) => links),
  });
  await insertRows(connection, {
    table: 'stated_units',
    rows: coins.flatMap(({ units }) => units),
  });
}

/** Lowest and highest close over the days of a purchase or sale, where the closes reach from its first day to its last. */
async function closeRanges(connection: DuckDBConnection): Promise<ReadonlyMap<string, CloseRange>> {
  const rows = await readRows<{ key: string; low: number; high: number }>(
    connection,
    `SELECT concat(s.cik, '/', s.accession, '/', s.position) AS key, min(p.close) AS low, max(p.close) AS high
    FROM (SELECT *, coalesce(period_from, as_of) AS first_day FROM coin_statement WHERE kind IN ('purchase', 'sale')) s
    JOIN (FROM price_close ANTI JOIN close_refused USING (date, asset, source)) p
      ON p.asset = s.asset AND p.date BETWEEN s.first_day AND s.as_of
    GROUP BY key, s.first_day, s.as_of HAVING min(p.date) = s.first_day AND max(p.date) = s.as_of`,
  );
  return new Map(
    rows.map(({ key, low, high }) => [
      key,
      { low: ExactDecimal.fromNumber(low), high: ExactDecimal.fromNumber(high) },
    ]),
  );
}

/**
 * The links and the newest units of one issuer and coin, each from the day on which it is known as it stands (M17.37): a later report about an
 * earlier day changes no link for the days before it.
 */
function coinRows(stored: readonly StoredStatement[]): { links: Cell[][]; units: Cell[][] } {
  const places = new Map(stored.map((one) => [one.statement, one]));
  const days = [...new Set(stored.map(({ knownFrom }) => knownFrom))].sort(compareText);
  const held = new Map<string, string>();
  const units: Cell[][] = [];
  const links = days.flatMap((day) => {
    const known = stored.filter(({ knownFrom }) => knownFrom <= day).map(({ statement }) => statement);
    const newest = unitsRow(known, day);
    if (JSON.stringify(newest.slice(3)) !== JSON.stringify(units.at(-1)?.slice(3))) units.push(newest);
    return stockRows(known, places).flatMap(({ asOf, head, cells }) => {
      const text = JSON.stringify([head, cells]);
      if (held.get(asOf) === text) return [];
      held.set(asOf, text);
      return [[...head.slice(0, 3), day, ...head.slice(3), ...cells]];
    });
  });
  return { links, units };
}

/** What one issuer had stated last of one coin by a day. */
function unitsRow(known: readonly Statement[], day: string): Cell[] {
  const [first] = known;
  const asset = first?.asset ?? '';
  const newest = newestUnits({ statements: known, asset, day });
  const head = [first?.source.cik ?? '', asset, day];
  if (newest === null) return [...head, null, null, null, null, null];
  const { stock, asOf, units, basis, confidence } = newest;
  return [...head, stock.asOf, asOf, units.toString(), basis, confidence];
}

type StockRow = { readonly asOf: string; readonly head: readonly Cell[]; readonly cells: readonly Cell[] };

/** A row a stock: it, and its link to the one before it. */
function stockRows(known: readonly Statement[], places: ReadonlyMap<Statement, StoredStatement>): StockRow[] {
  const [first] = known;
  if (first === undefined) return [];
  const links = new Map<Statement, ChainLink>(chainStocks(known, first.asset).map((link) => [link.to, link]));
  return stocksByDay(known.filter(({ confidence }) => confidence !== 'Low')).map((stock) => {
    const link = links.get(stock);
    const { cik, accession } = stock.source;
    const head = [cik, stock.asset, stock.asOf, accession, places.get(stock)?.position ?? 0];
    if (link === undefined) return { asOf: stock.asOf, head, cells: [null, null, null, null, null, false] };
    const { from, flows, difference, verdict, isQuarantined } = link;
    const net = netOf(flows).toString();
    return {
      asOf: stock.asOf,
      head,
      cells: [
        ...[from.asOf, from.units?.toString() ?? null, net, difference.toString()],
        ...[verdict, isQuarantined],
      ],
    };
  });
}
