import type { DuckDBConnection } from '@duckdb/node-api';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { indexIdentities, resolveIdentity } from '../../data/contract/values/issuerIdentity.ts';
import { readRows } from '../warehouse/build/readRows.ts';

export type IssuerLabel = { readonly cik: string; readonly name: string; readonly ticker: string | null };

/** A stress row with its trail, both as stored. */
export type StoredRow = {
  readonly sourceDate: string;
  readonly methodVersion: string;
  readonly period: string | null;
  readonly payload: string;
  /** null for a row of a resolver that kept none. */
  readonly trail: string | null;
};

/**
 * The issuer a label stands for: ticker, former ticker or ten-digit CIK (I1.15).
 *
 * @throws IssuerError `usage` for a label that names no issuer, with the nearest ones, or more than one.
 */
export async function findIssuer(connection: DuckDBConnection, label: string): Promise<IssuerLabel> {
  const issuers = await readRows<IssuerLabel & { aliases: string[] }>(
    connection,
    'SELECT cik, ticker, entity_name AS name, aliases FROM issuers',
  );
  const wanted = /^\d{1,10}$/.test(label) ? label.padStart(10, '0') : label;
  const identity = resolveIdentity({ label: wanted, index: indexIdentities(issuers) });
  if (identity.kind === 'resolved') return identity.issuer;
  const shown = JSON.stringify(label.slice(0, 40));
  if (identity.kind === 'ambiguous') {
    throw new IssuerError({
      code: 'usage',
      message: `${shown} stands for more than one issuer.`,
      hint: `Give a CIK: ${identity.candidates.map(({ cik, name }) => `${cik} ${name}`).join(', ')}.`,
    });
  }
  const near = await readRows<{ text: string }>(
    connection,
    `SELECT coalesce(ticker, cik) || ' ' || entity_name AS text FROM issuers
    ORDER BY greatest(jaro_winkler_similarity(upper(ticker), upper($label)),
      jaro_winkler_similarity(upper(entity_name), upper($label))) DESC NULLS LAST, cik LIMIT 3`,
    { label: label.slice(0, 100).toWellFormed() },
  );
  const names = near.map(({ text }) => text).join(', ');
  throw new IssuerError({
    code: 'usage',
    message: `No issuer of the universe is called ${shown}.`,
    hint: names === '' ? 'The universe is empty: run `issuer nightly`.' : `Did you mean ${names}?`,
  });
}

type AskedRow = {
  readonly issuer: IssuerLabel;
  readonly period: string | null;
  readonly sourceDate: string | null;
};

/**
 * The row of the greatest source date, up to `sourceDate` where one is given, in the newest method version (M10.6).
 *
 * @throws IssuerError `input_missing` when there is none, with what there is.
 */
export async function findRow(connection: DuckDBConnection, input: AskedRow): Promise<StoredRow> {
  const { cik } = input.issuer;
  const [row] = await readRows<StoredRow>(
    connection,
    `SELECT source_date::VARCHAR AS "sourceDate", method_version AS "methodVersion", period::VARCHAR AS period, payload,
      resolution_trail::VARCHAR AS trail
    FROM stress
    WHERE cik = $cik AND ($period IS NULL OR stress.period = $period::DATE)
      AND ($day IS NULL OR source_date <= $day::DATE)
    ORDER BY source_date DESC, internal.method_order(method_version) DESC LIMIT 1`,
    { cik, period: input.period, day: input.sourceDate },
  );
  if (row === undefined) throw await noRow(connection, input);
  return row;
}

const heldSql = `SELECT u.status, u.status_date::VARCHAR AS on_day, s.cik AS successor, s.ticker, s.entity_name,
    u.cik IN (SELECT cik FROM internal.fact_entity) OR u.cik IN (SELECT cik FROM internal.periodic_filing) AS is_held,
    (SELECT count(*) FROM internal.fact_entity)::INTEGER AS companies
  FROM internal.universe_issuer u LEFT JOIN internal.universe_issuer s ON s.cik = u.successor WHERE u.cik = $cik`;

function ended(of: string, row: Readonly<Record<string, unknown>>, cik: string): IssuerError {
  const successor = row['successor'] === null ? null : `${row['ticker'] ?? row['successor']}`;
  const into = successor === null ? '' : ` into ${successor} (${row['entity_name']})`;
  return new IssuerError({
    code: 'input_missing',
    message: `${of} has no row: it ${row['status'] === 'merged' ? 'merged' : 'was liquidated'}${into} on ${row['on_day']}.`,
    hint:
      successor === null
        ? 'Slices before that day have its rows where its filings are at hand: `issuer backfill`.'
        : `What it held is in the rows of its successor: issuer explain ${successor}.`,
    details: { cik },
  });
}

async function noRow(
  connection: DuckDBConnection,
  { issuer, period, sourceDate }: AskedRow,
): Promise<IssuerError> {
  const known = await readRows<{ period: string; first: string; last: string }>(
    connection,
    `SELECT period::VARCHAR AS period, min(source_date)::VARCHAR AS first, max(source_date)::VARCHAR AS last
    FROM stress WHERE cik = $cik GROUP BY period ORDER BY period DESC LIMIT 6`,
    { cik: issuer.cik },
  );
  const of = `${issuer.ticker ?? issuer.cik} (${issuer.name})`;
  if (known.length === 0) {
    const [held] = await readRows(connection, heldSql, { cik: issuer.cik });
    if (typeof held?.['status'] === 'string') return ended(of, held, issuer.cik);
    if (held?.['is_held'] === false) {
      return new IssuerError({
        code: 'input_missing',
        message: `${of} has no row: the inputs of the last night hold ${held['companies']} companies, and it is none of them.`,
        hint: 'Those of EDGAR hold the whole universe: `issuer nightly --source edgar`, with II_EDGAR_CONTACT set.',
        details: { cik: issuer.cik },
      });
    }
    return new IssuerError({
      code: 'input_missing',
      message: `${of} has no row: no eligible filing of it was at hand on any night.`,
      hint: `See its filings: issuer query "select * from filings where cik = '${issuer.cik}'".`,
      details: { cik: issuer.cik },
    });
  }
  const asked = [
    ...(period === null ? [] : [`for the period ${period}`]),
    ...(sourceDate === null ? [] : [`on or before ${sourceDate}`]),
  ].join(' ');
  const there = known.map((one) => `${one.period} (slices ${one.first} to ${one.last})`).join(', ');
  return new IssuerError({
    code: 'input_missing',
    message: `${of} has no row ${asked}.`,
    hint: `Its periods are ${there}.`,
    details: { cik: issuer.cik },
  });
}
