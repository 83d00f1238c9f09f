import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import type { ChangedCompany, DeltaDay } from '../../../data/contract/payloads/universe/dailyChanges.ts';
import {
  type DailyChangesArtifact,
  toldChanges,
} from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import { accessionText } from '../../../data/contract/values/filingUrl.ts';
import { cik10, ticker } from '../../../data/contract/values/primitives.ts';
import { printable } from '../../../data/contract/values/printable.ts';
import { openForReading } from '../../warehouse/build/openDatabase.ts';
import { readRows } from '../../warehouse/build/readRows.ts';
import { movedFacility, movedFacilityWords } from './facilityWords.ts';

/** What the release says of its delta, as far as the words need it. */
export type PublishedChanges = {
  readonly payload: DailyChangesArtifact;
  readonly rows: readonly ChangedCompany[];
  /** The recorded day of the delta shown; null when the release holds none. */
  readonly day: DeltaDay | null;
};

/** One line of the words: its label, empty for a line that goes on, and its text. */
type WordLine = readonly [label: string, text: string];

const filing = z.object({
  cik: cik10,
  accession_number: z.string(),
  form: z.string().nullable(),
  filed: z.string().nullable(),
  fact_rows: z.number(),
});
const moved = z.object({
  ticker,
  field: z.enum(['total_long_term_debt', 'total_crypto_fair_value', 'cash_and_equivalents', 'total_equity']),
  prior_value: z.number().nullable(),
  new_value: z.number().nullable(),
  accession_number: z.string(),
});
const named = z.object({ ticker });
const evidence = z.object({ debt: z.string().nullable(), coins: z.string().nullable() });
const reread = named.extend({
  prior_evidence: evidence,
  new_evidence: evidence,
  prior_method: z.string(),
  new_method: z.string(),
  same_filing: z.boolean(),
});
const capitalMove = z.object({ ticker, text: z.string(), accession_number: z.string() });
const movement = z.object({
  // a release of an older program does not say what figures rest on
  method_changed: z.array(reread).catch([]),
  moved_figures: z.array(moved),
  moved_facilities: z.array(movedFacility).catch([]),
  capital_moves: z.array(capitalMove).catch([]),
  issuers_entered: z.array(named),
  issuers_left: z.array(named),
});

const figureNames = {
  total_long_term_debt: 'debt',
  total_crypto_fair_value: 'coins',
  cash_and_equivalents: 'cash',
  total_equity: 'equity',
} as const;
const shownFilings = 8;

/**
 * What changed last night in a credit analyst's words: who filed what, which debt, coin, cash and equity figures moved
 * from what to what, which tiers moved, who came and went; or that nothing changed, and since when.
 */
export function changeWords(publishedChanges: PublishedChanges): WordLine[] {
  const { payload, rows } = publishedChanges;
  const lines = [...headline(publishedChanges), ...filingLines(publishedChanges)];
  const moves = movement.safeParse(payload.movement_summary);
  if (moves.success) {
    lines.push(...movedLines(moves.data.moved_figures));
    lines.push(...labelled('Loans', moves.data.moved_facilities.slice(0, shownFilings).map(loanWords)));
    lines.push(...labelled('Capital', moves.data.capital_moves.slice(0, shownFilings).map(capitalWords)));
    lines.push(...labelled('Tier moves', payload.risk_tier_moves?.map(tierWords) ?? []));
    lines.push(...labelled('Method', moves.data.method_changed.map(methodWords)));
    lines.push(...labelled('Rows', rowWords(moves.data, payload.comparison_source_date)));
  }
  const removed = payload.stats.removed_files;
  if (removed > 0 && rows.length > 0)
    lines.push(['', `${removed} ${removed === 1 ? 'company is' : 'companies are'} gone from the archive`]);
  return lines;
}

function headline({ payload, rows }: PublishedChanges): WordLine[] {
  const { message, stats } = payload;
  const { company_count: ours, new_company_count: added, other_company_count: others } = toldChanges(payload);
  const lines: WordLine[] = message === undefined ? [] : [['Last night', message]];
  if (rows.length === 0) {
    const since = payload.meaningful_tracked_crypto_delta_source_date;
    if (since !== undefined && message !== undefined)
      lines.push(['', `No debt, coin, cash or equity figure of an issuer has changed since ${since}.`]);
    return lines;
  }
  const parts = [
    `${ours} ${ours === 1 ? 'company' : 'companies'} of the universe with changed facts`,
    ...(added > 0 ? [`${added} new`] : []),
    ...(others > 0 ? [`${others} outside it`] : []),
    `${stats.total_delta_size.toLocaleString('en')} rows`,
  ];
  const baseline = z.object({ baseline_source_date: z.string() }).safeParse(payload.freshness_summary);
  const since = baseline.success ? ` since the scan of ${baseline.data.baseline_source_date}` : '';
  return [...lines, [lines.length === 0 ? 'Last night' : '', `${parts.join(', ')}${since}`]];
}

function filingLines({ rows, day }: PublishedChanges): WordLine[] {
  const filings = z
    .array(filing)
    .catch([])
    .parse(day?.changed_filings ?? []);
  const touched = rows.filter((row) => row.evidence_available === true);
  const lines = touched.slice(0, shownFilings).map((row): WordLine => {
    const own = filings.filter((one) => one.cik === row.cik).sort((a, b) => b.fact_rows - a.fact_rows);
    const what = own
      .slice(0, 2)
      .map(
        (one) => `${one.form ?? 'filing'} filed ${one.filed ?? '?'} (${accessionText(one.accession_number)})`,
      );
    const more = own.length > 2 ? ` and ${own.length - 2} more filings` : '';
    const label = (row.ticker ?? row.cik).padEnd(10);
    const said = what.length === 0 ? 'facts revised or removed, no new filing' : `${what.join(', ')}${more}`;
    return ['', `  ${label} ${said}, ${row.delta_size ?? 0} rows, ${row.issuer_class ?? 'unclassified'}`];
  });
  if (touched.length > shownFilings) lines.push(['', `  and ${touched.length - shownFilings} more issuers`]);
  const others = rows.filter((row) => row.evidence_available !== true);
  const names = others.slice(0, 5).map((row) => row.ticker ?? row.entity_name);
  const rest = others.length > 5 ? `, and ${others.length - 5} more` : '';
  if (others.length > 0) lines.push(['', `  outside the universe: ${names.join(', ')}${rest}`]);
  return lines;
}

function movedLines(figures: readonly z.infer<typeof moved>[]): WordLine[] {
  const byFiling = [...Map.groupBy(figures, (one) => `${one.ticker} ${one.accession_number}`).values()];
  return labelled(
    'Figures',
    byFiling.slice(0, shownFilings).map((own) => {
      const words = own.map(
        (one) => `${figureNames[one.field]} ${amounts(one.prior_value, one.new_value).join(' → ')}`,
      );
      return `${(own[0]?.ticker ?? '').padEnd(10)} ${words.join(', ')} (${accessionText(own[0]?.accession_number ?? '')})`;
    }),
  );
}

/** What one row is read from and the row before was not: their comparison is none of the issuer alone (M13.2). */
function methodWords(changed: z.infer<typeof reread>): string {
  const sides = (['debt', 'coins'] as const).flatMap((side) => {
    const [is, was] = [changed.new_evidence[side], changed.prior_evidence[side]];
    return is === null || was === null || is === was
      ? []
      : [`${side} from ${is.replace('_', ' ')}, before from ${was.replace('_', ' ')}`];
  });
  const versions =
    changed.prior_method === changed.new_method
      ? []
      : [`${changed.new_method}, before ${changed.prior_method}`];
  const filing = changed.same_filing ? 'the same filing' : 'another filing';
  return `${changed.ticker.padEnd(10)} ${[...sides, ...versions].join('; ')} (${filing})`;
}

function loanWords(moved: z.infer<typeof movedFacility>): string {
  return `${moved.ticker.padEnd(10)} ${movedFacilityWords(moved)} (${accessionText(moved.accession_number)})`;
}

function capitalWords({
  ticker: of,
  text,
  accession_number: accession,
}: z.infer<typeof capitalMove>): string {
  return `${of.padEnd(10)} ${text} (${accessionText(accession)})`;
}

function tierWords(move: { ticker: string; prior_tier: string; new_tier: string }): string {
  return `${move.ticker.padEnd(10)} ${move.prior_tier} → ${move.new_tier}`;
}

function rowWords(
  { issuers_entered, issuers_left }: z.infer<typeof movement>,
  since: string | undefined,
): string[] {
  const list = (issuers: readonly { ticker: string }[]) => issuers.map((one) => one.ticker).join(', ');
  const than = since === undefined ? '' : ` that the slice of ${since} did not have`;
  return [
    ...(issuers_entered.length === 0 ? [] : [`${list(issuers_entered)}: a row${than}`]),
    ...(issuers_left.length === 0 ? [] : [`${list(issuers_left)}: no row any more`]),
  ];
}

function labelled(label: string, texts: readonly string[]): WordLine[] {
  return texts.map((text, i) => [i === 0 ? label : '', text]);
}

/** Two amounts with as many digits as tell them apart. */
function amounts(prior: number | null, now: number | null): readonly [string, string] {
  for (let more = 0; more < 6; more += 1) {
    const [before, after] = [amount(prior, more), amount(now, more)];
    if (before !== after) return [before, after];
  }
  return [String(prior), String(now)];
}

/** USD in billions, millions or thousands; the exact figures are in the release. */
function amount(value: number | null, more: number): string {
  if (value === null) return 'unknown';
  const size = Math.abs(value);
  if (size >= 1e9) return `${(value / 1e9).toFixed(3 + more)} B`;
  if (size >= 1e6) return `${(value / 1e6).toFixed(1 + more)} M`;
  if (size >= 1e3) return `${(value / 1e3).toFixed(more)} K`;
  return String(value);
}

/** Registrants outside the universe that report coins. */
export type Candidates = {
  readonly count: number;
  /** Those with the largest amounts. */
  readonly first: readonly Candidate[];
};

type Candidate = {
  readonly name: string;
  readonly ticker: string | null;
  readonly amount: number | null;
  readonly share: number | null;
  readonly form: string;
  readonly filed: string;
};

const shown = 3;

/** Reads view `candidates` of the warehouse; null without a warehouse. */
export async function readCandidates(path: string): Promise<Candidates | null> {
  if (!existsSync(path)) return null;
  const { connection, close } = await openForReading(path);
  try {
    const rows = await readRows<Candidate & { n: number }>(
      connection,
      `SELECT entity_name AS name, tickers[1] AS ticker, amount, share_of_assets AS share, form, filed::VARCHAR AS filed,
        count(*) OVER ()::INTEGER AS n
      FROM main.candidates LIMIT ${shown}`,
    );
    return { count: rows[0]?.n ?? 0, first: rows.map(({ n: _, ...row }) => row) };
  } finally {
    close();
  }
}

/** The line of the summary, one text a row. */
export function candidateWords({ count, first }: Candidates): readonly string[] {
  if (count === 0) return ['no registrant outside the universe reports coins in its newest filing'];
  const one = count === 1 ? 'registrant' : 'registrants';
  return [
    `${count.toLocaleString('en')} ${one} outside the universe ${count === 1 ? 'reports' : 'report'} coins (issuer query "from candidates")`,
    ...first.map(words),
  ];
}

function words({ name, ticker, amount, share, form, filed }: Candidate): string {
  const coins = amount === null ? 'no amount' : `${(amount / 1e6).toFixed(1)} M USD`;
  const of = share === null ? '' : `, ${(share * 100).toFixed(1)} % of assets`;
  return `${ticker ?? name}: ${coins}${of}, ${form} filed ${filed}`;
}

type Event = NonNullable<CovenantStress['reported_events']>[number];

/** An event that became known on the day of the slice, and whose it is. */
export type ReportedLine = { readonly ticker: string } & Pick<Event, 'text' | 'accession_number' | 'place'>;

/** The events of a slice's day, one line each, in the order of its rows. */
export function reportedLines(rows: readonly CovenantStress[], day: string): ReportedLine[] {
  return rows.flatMap(({ ticker, reported_events: events = [] }) =>
    events
      .filter(({ known_on }) => known_on === day)
      .map(({ text, accession_number, place }) => ({ ticker, text, accession_number, place })),
  );
}

/** `MSTR bought 855 BTC …; holds 713,502 (0001193125-26-032731, 8-K#3)`. */
export function reportedWords({ ticker, text, accession_number, place }: ReportedLine): string {
  return printable(`${ticker} ${text} (${accession_number}, ${place})`);
}
