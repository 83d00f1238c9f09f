import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { filedReading, unmeasuredRatio, verdictSentence } from '../../calculators/briefs/verdict.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { noteSentence } from '../../data/contract/meanings/noteMeanings.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { tierMeaning } from '../../data/contract/values/disclaimer.ts';
import { accessionText, filingUrl } from '../../data/contract/values/filingUrl.ts';
import { date, isCivilDate } from '../../data/contract/values/primitives.ts';
import { printable } from '../../data/contract/values/printable.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { explainCapital } from './capitalTree.ts';
import { facilityTree } from './facilityTree.ts';
import { findIssuer, findRow, type IssuerLabel, type StoredRow } from './findRow.ts';
import { parseExactJson, plain, trailSchema } from './trailSchema.ts';
import { trailTree } from './trailTree.ts';
import { foldLine, terminalColumns } from './treeText.ts';
import { type RefusedNumber, unitsTree } from './unitsTree.ts';

export type ExplainRequest = {
  readonly databasePath: string;
  /** Ticker, former ticker or CIK. */
  readonly label: string;
  /** Balance-sheet date; null for the newest row. */
  readonly period: string | null;
  /** Latest slice looked at; null for the newest. */
  readonly sourceDate: string | null;
  /** What is explained: the ratio, the loans that coins secure, or the capital structure. */
  readonly of?: 'ratio' | 'facilities' | 'capital';
  readonly format: 'text' | 'json';
};

/**
 * Explains one row of the last complete build, `issuer explain` in effect: the trail from the ratio to the totals
 * to each filed fact with its accession number, and why each step of the ladders was taken or not.
 *
 * Returns a tree for a terminal, or one line of canonical JSON. @throws IssuerError `usage` for a label or date
 * that is none, `input_missing` without a warehouse, row or trail.
 */
export async function explainIssuer(explainRequest: ExplainRequest): Promise<string> {
  checkDate('--period', explainRequest.period);
  checkDate('--source-date', explainRequest.sourceDate);
  const database = await openWarehouse(explainRequest.databasePath);
  try {
    const issuer = await findIssuer(database.connection, explainRequest.label);
    const row = await findRow(database.connection, { ...explainRequest, issuer });
    if (explainRequest.of === 'capital')
      return await explainCapital(database.connection, { issuer, row, format: explainRequest.format });
    if (explainRequest.format === 'json') return jsonOf(issuer, row, explainRequest);
    const text = textOf(issuer, row, explainRequest);
    const { statedUnits } = trailOf(issuer, row);
    if (statedUnits === undefined || explainRequest.of === 'facilities') return text;
    const refused = await refusedNumbers(database.connection, statedUnits.stock.accession);
    return `${text}\n${unitsTree(statedUnits, { cik: issuer.cik, refused })}`;
  } finally {
    database.close();
  }
}

function textOf(issuer: IssuerLabel, row: StoredRow, { sourceDate, of }: ExplainRequest): string {
  const stress = parseExactJson(row.payload) as Readonly<Record<string, unknown>>;
  const head = explainHead({
    issuer,
    stress,
    slice: `slice of ${row.sourceDate}${sourceDate === null || sourceDate === row.sourceDate ? '' : `, asked for ${sourceDate}`} (${row.methodVersion})`,
  });
  const trail = trailOf(issuer, row);
  const tree =
    of === 'facilities'
      ? facilityTree(stress['facilities'], trail)
      : trailTree(trail, unmeasuredRatio(stress));
  return `${head.map(headLine).join('\n')}\n\n${tree}`;
}

function headLine(text: string): string {
  return foldLine(printable(text), terminalColumns).join('\n  ');
}

function jsonOf(issuer: IssuerLabel, row: StoredRow, { sourceDate, of }: ExplainRequest): string {
  const { facilitiesLeftOut = [] } = trailOf(issuer, row);
  const stress = parseExactJson(row.payload) as Readonly<Record<string, unknown>>;
  const explained =
    of === 'facilities'
      ? { facilities: plain(stress['facilities'] ?? []), left_out: facilitiesLeftOut }
      : { stress: plain(stress), trail: plain(parseExactJson(row.trail ?? 'null')) };
  const value = {
    cik: issuer.cik,
    ticker: issuer.ticker,
    entity_name: issuer.name,
    source_date: row.sourceDate,
    requested_source_date: sourceDate,
    method_version: row.methodVersion,
    ...explained,
  };
  return `${canonicalJson(value as CanonicalValue)}\n`;
}

/** The trail of a row; @throws IssuerError `input_missing` when it has none that can be read. */
function trailOf(issuer: IssuerLabel, row: StoredRow) {
  const trail = row.trail === null ? null : trailSchema.safeParse(parseExactJson(row.trail));
  if (trail?.success === true) return trail.data;
  throw new IssuerError({
    code: 'input_missing',
    message: `The row of ${issuer.ticker ?? issuer.cik} of ${row.sourceDate} has no trail this version can read.`,
    hint: `Compute it again: issuer nightly --date ${row.sourceDate} --from compute --force, with its --source.`,
    details: {
      cik: issuer.cik,
      source_date: row.sourceDate,
      reason: trail?.error.issues[0]?.message ?? null,
    },
  });
}

function checkDate(option: string, text: string | null): void {
  if (text === null || isCivilDate(text)) return;
  throw new IssuerError({
    code: 'usage',
    message: `${option} ${text.slice(0, 40)} is not a day.`,
    hint: 'Write it as YYYY-MM-DD.',
  });
}

/** What a row says, in words: the verdict, filing and where to read it, ratio and tier as filed and live, quality, each note. */
function explainHead({
  issuer,
  stress,
  slice,
}: {
  readonly issuer: IssuerLabel;
  readonly stress: Readonly<Record<string, unknown>>;
  readonly slice: string;
}): string[] {
  const has = (name: string) => stress[name] !== undefined && stress[name] !== null;
  const member = (name: string) => (has(name) ? String(stress[name]) : '–');
  const accession = member('accession_number');
  const url = filingUrl({ cik: issuer.cik, accession });
  const arcs =
    stress['is_linkbase_backed'] === true
      ? `read through ${member('calculation_arc_count')} arcs of its calculation linkbase${stress['arcs_authored'] === true ? ', authored by the project and not filed' : ''}`
      : 'read without a calculation linkbase';
  const notes = Array.isArray(stress['data_quality_notes']) ? stress['data_quality_notes'].map(String) : [];
  return [
    verdictSentence(issuer.ticker ?? issuer.cik, stress),
    `${issuer.ticker ?? issuer.cik}  ${issuer.name}  CIK ${issuer.cik}`,
    `${member('filing_form')} ${accessionText(accession)}, period ${member('period')}; ${slice}`,
    ...(url === null ? [] : [url]),
    ...ageLines(stress),
    filedReading(stress),
    ...(unmeasuredRatio(stress) === null ? [liveReading({ notes, has, member })] : []),
    tierMeaning,
    `quality ${member('quality_flag')}, core tier ${member('core_tier')}; ${member('resolution_status').replaceAll('_', ' ')}, ${arcs}`,
    ...notes.map((note) => `note: ${noteWords(note)}`),
  ];
}

/** Why the coins have no value at the closes of the slice's day (M3.18). */
function whyNotLive(notes: readonly string[]): string {
  if (notes.includes('live_overlay_on_cost_refused')) return 'coins at cost are not repriced';
  if (notes.some((note) => note.startsWith('units_none:')))
    return 'the issuer reported that it holds no coins any more';
  if (notes.includes('coins_not_split')) return 'the coins are not split by kind';
  return 'the slice has no close for these coins';
}

/** The reading at the slice's closes, or why there is none (M3.18). */
function liveReading({
  notes,
  has,
  member,
}: {
  notes: readonly string[];
  has: (name: string) => boolean;
  member: (name: string) => string;
}): string {
  if (!has('live_stress_50pct')) return `live: not known, ${whyNotLive(notes)}`;
  const tier = member('live_risk_tier');
  const words = tier === 'UNCLASSIFIED' ? 'no tier' : `risk tier ${tier}`;
  const stated = has('live_units')
    ? `; on ${member('live_units')} ${member('live_units_asset')} of ${member('live_units_as_of')}, ${member('live_stress_50pct_filed_units')} on filed units`
    : '';
  return `live: ${member('live_stress_50pct')} at the closes of ${member('source_date')}, ${words}${stated}`;
}

/** The sentence of a note, and its code last. */
function noteWords(note: string): string {
  const [code = ''] = note.split(':');
  const said = noteSentence(note);
  return said === note ? note : `${said} (${code})`;
}

const whyUnknown: Readonly<Record<string, string>> = {
  submissions_not_at_hand: 'the list of submissions is not at hand',
  submissions_begin_later: 'the list of submissions begins after the balance sheet',
};

const storedReports = z.object({
  current_reports: z
    .array(z.object({ kind: z.string(), count: z.unknown(), filed: date, filing_url: z.string().nullable() }))
    .nullable(),
  current_reports_missing: z.string().optional(),
});
type StoredReports = z.infer<typeof storedReports>;

/** Rows of older programs say none of it. */
const storedAge = storedReports.extend({
  source_date: date,
  filed: date.nullable(),
  filing_age_days: z.unknown(),
  next_report_due: date.nullable(),
});

/** How old the balance sheet is, when the report after it is due, and what was reported since (M1.60, M1.61). */
export function ageLines(stress: Readonly<Record<string, unknown>>): string[] {
  const told = storedAge.safeParse(stress);
  if (!told.success) return [];
  const { filing_age_days: days, source_date: date, filed, next_report_due: due, ...since } = told.data;
  const on = filed === null ? 'on a day that no source has' : filed;
  const next = due === null ? '' : `; the report after it ${due < date ? 'was' : 'is'} due ${due}`;
  return [
    `filed ${on}, its balance sheet ${days} ${String(days) === '1' ? 'day' : 'days'} old on ${date}${next}`,
    ...sinceLines(since),
  ];
}

function sinceLines({ current_reports: reports, current_reports_missing: why }: StoredReports): string[] {
  if (reports === null)
    return [`current reports since: not known, ${whyUnknown[why ?? ''] ?? 'no list says'}`];
  if (reports.length === 0) return ['current reports since: none'];
  return [
    'current reports since, by item:',
    // an address stands on a line of its own, so that it can be copied
    ...reports.flatMap(({ kind, count, filed, filing_url: url }) => [
      `  ${count} × ${kind}, newest ${filed}`,
      ...(url === null ? [] : [url]),
    ]),
  ];
}

const shown = 12;

/** What was read in a filing and refused, at most twelve in document order; none in a build without that view. */
async function refusedNumbers(connection: DuckDBConnection, accession: string): Promise<RefusedNumber[]> {
  const views = await readRows(
    connection,
    "SELECT 1 AS there FROM duckdb_views() WHERE view_name = 'refused_statements'",
  );
  if (views.length === 0) return [];
  return readRows(
    connection,
    `SELECT reason, document, block::INTEGER AS block, left(quote, 600) AS quote FROM refused_statements
    WHERE accession = $accession ORDER BY document, block, quote LIMIT ${shown}`,
    { accession },
  );
}
