import { join } from 'node:path';
import { nearestCalls } from '../../../calculators/facilities/facilityRow.ts';
import { isVehicle } from '../../../calculators/position/gradePosition.ts';
import { type TieredHolders, tieredHolders } from '../../../calculators/slice/tieredHolders.ts';
import { covenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { changedCompany } from '../../../data/contract/payloads/universe/dailyChanges.ts';
import { latestDailyChanges } from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import { readiness } from '../../../data/contract/payloads/universe/readiness.ts';
import { riskDistribution } from '../../../data/contract/payloads/universe/riskDistribution.ts';
import {
  type TopStressedRow,
  topStressed,
  topStressedRow,
} from '../../../data/contract/payloads/universe/topStressed.ts';
import { isBackfilled } from '../../../data/contract/release/releaseFiles.ts';
import { tierMeaning } from '../../../data/contract/values/disclaimer.ts';
import type { DataLayout } from '../../dataLayout.ts';
import { type OpenRelease, openRelease, readJson, readLines } from '../../release/openRelease.ts';
import { readCurrent } from '../../release/releaseStore.ts';
import type { NightOutcome } from '../runNight.ts';
import {
  type Candidates,
  candidateWords,
  changeWords,
  type PublishedChanges,
  type ReportedLine,
  readCandidates,
  reportedLines,
  reportedWords,
} from './changeWords.ts';
import {
  type MarketLine,
  marketWords,
  type ReportCount,
  readMarketLines,
  readReportCounts,
  reportCountWords,
} from './countLines.ts';
import { type NearestCall, nearestCallWords } from './facilityWords.ts';

const topRows = 5;
const callRows = 3;
const reportRows = 10;
const withoutTier = 10;

/** What a run ends with: the figures of the published release, read back from its files. */
export type NightSummary = {
  readonly source_date: string;
  readonly as_of: string;
  readonly release: string | null;
  readonly current: string | null;
  readonly slice_status: string | null;
  readonly key_id: string | null;
  readonly issuers: number;
  readonly covered: number | null;
  readonly facts: number | null;
  readonly filings: number | null;
  readonly closes: number | null;
  readonly tiers: Readonly<Record<string, { count: number; percentage: number }>> | null;
  /** Issuers whose coins matter; null for a backfill. */
  readonly coin_holders: TieredHolders | null;
  readonly top_stressed: readonly TopStressedRow[];
  /** Loans whose coins are nearest to the price at which the lender calls. */
  readonly nearest_calls: readonly NearestCall[];
  /** What issuers reported that day of coins, debt, shares sold or cash, in the order of the rows. */
  readonly reported: readonly ReportedLine[];
  /** Current reports by issuer and form: read, taken, refused and unread; null without a warehouse. */
  readonly current_reports: readonly ReportCount[] | null;
  /** Daily rows of perpetual products on that date, the highest pressure first. */
  readonly market: readonly MarketLine[];
  /** What the release says of last night's delta; null for a backfill. */
  readonly changes: PublishedChanges | null;
  /** Registrants outside the universe that report coins; null without a warehouse. */
  readonly candidates: Candidates | null;
  readonly missing_inputs: readonly string[];
  /** What the night lacked or found worse than the night before. */
  readonly degraded: readonly string[];
  /** What of the store was damaged and is made again. */
  readonly healed: readonly string[];
  readonly quarantined: readonly { name: string; reason: string }[];
  readonly steps: readonly { step: string; status: string; message: string }[];
  readonly paths: { release: string | null; warehouse: string; manifest: string | null };
};

/** Gathers the summary of one night. */
export async function summarizeNight(outcome: NightOutcome, layout: DataLayout): Promise<NightSummary> {
  const { plan, release, warehouse } = outcome;
  const directory = release === null ? null : join(layout.artifacts.releases, release);
  const published = release === null ? null : await readPublished(layout, release, plan);
  return {
    source_date: plan.sourceDate,
    as_of: plan.asOf,
    release,
    current: await readCurrent(layout.artifacts),
    slice_status: published?.sliceStatus ?? null,
    key_id: published?.keyId ?? null,
    issuers: plan.issuers.length,
    covered: published?.rows ?? null,
    facts: warehouse?.facts ?? null,
    filings: warehouse?.filings ?? null,
    closes: warehouse?.prices ?? null,
    tiers: published?.tiers ?? null,
    coin_holders: published?.holders ?? null,
    top_stressed: published?.top ?? [],
    nearest_calls: published?.calls ?? [],
    reported: published?.reported ?? [],
    current_reports: await readReportCounts(layout.database, plan.sourceDate),
    market: await readMarketLines(layout.database, { sourceDate: plan.sourceDate }),
    changes: published?.changes ?? null,
    candidates: await readCandidates(layout.database),
    missing_inputs: plan.inputs.missing,
    degraded: outcome.findings,
    healed: outcome.healed,
    quarantined: warehouse?.quarantined ?? [],
    steps: outcome.steps,
    paths: {
      release: directory,
      warehouse: layout.database,
      manifest: directory === null ? null : join(directory, 'manifest.json'),
    },
  };
}

async function readPublished(
  layout: DataLayout,
  name: string,
  { sourceDate: date, issuers }: NightOutcome['plan'],
) {
  const release = await openRelease(layout.artifacts, name);
  const { manifest } = release;
  const base = { sliceStatus: manifest.slice_status, keyId: manifest.signature.key_id };
  // a backfill holds row stores only (I4.36)
  if (isBackfilled(manifest))
    return {
      ...base,
      rows: null,
      tiers: null,
      holders: null,
      top: [],
      calls: [],
      reported: [],
      changes: null,
    };
  const parts = { slice: date };
  const { object } = readiness.stored;
  const ready = await readJson(release, { schema: object.schema, key: object.key(parts) });
  const risk = riskDistribution.stored.object.key(parts);
  const distribution = await readJson(release, { schema: riskDistribution.schema, key: risk });
  const { meta: _, ...tiers } = distribution ?? { meta: null };
  const lines = await readLines(release, topStressed.stored.rows.key(parts));
  const top = lines.slice(0, topRows).map((line) => topStressedRow.parse(JSON.parse(line)));
  const screen = await readLines(release, covenantStress.stored.rows.key(parts));
  const stress = screen.map((text) => covenantStress.schema.parse(JSON.parse(text)));
  const calls = nearestCalls(stress, callRows);
  const reported = reportedLines(stress, date);
  const vehicles = new Set(issuers.filter(isVehicle).map(({ cik }) => cik));
  const holders = tieredHolders(stress.filter(({ cik }) => !vehicles.has(cik)));
  const changes = await readPublishedChanges(release);
  return { ...base, rows: ready?.row_count ?? null, tiers, holders, top, calls, reported, changes };
}

/**
 * The summary as a credit analyst reads it.
 *
 * @param flag ` --data <dir>` as the commands to type next need it, or empty
 */
export function summaryText(s: NightSummary, { data }: { data: string | null }): string {
  const n = (value: number | null) => (value === null ? '–' : value.toLocaleString('en'));
  const without =
    s.covered === null ? '' : `, ${n(s.covered)} with a filing in force, ${n(s.issuers - s.covered)} without`;
  const flag = data === null ? '' : ` --data ${data}`;
  const environment = data === null ? '' : `II_DATA=${data} `;
  const lines = [
    '',
    `Slice ${s.source_date}, computed as of ${s.as_of}`,
    '',
    line('Issuers', `${n(s.issuers)} in the universe${without}`),
    line('Warehouse', `${n(s.facts)} facts, ${n(s.filings)} periodic filings, ${n(s.closes)} daily closes`),
    ...tierLines(s),
    ...topLines(s),
    ...callLines(s),
    ...reportLines(s),
    ...reportCountLines(s),
    ...marketLines(s),
    ...changeLines(s),
    '',
    ...candidateLines(s),
    line(
      'Missing',
      s.missing_inputs.length === 0 ? 'nothing' : `${s.missing_inputs.join(', ')} (not in the inputs)`,
    ),
    ...(s.degraded.length === 0
      ? []
      : [
          line(
            'Degraded',
            `${n(s.degraded.length)} ${s.degraded.length === 1 ? 'finding' : 'findings'}, exit code 6`,
          ),
        ]),
    ...s.degraded.slice(0, 20).map((finding) => line('', finding)),
    ...s.healed.slice(0, 20).map((sentence, i) => line(i === 0 ? 'Healed' : '', sentence)),
    line(
      'Quarantine',
      s.quarantined.length === 0
        ? 'nothing'
        : `${n(s.quarantined.length)} ${s.quarantined.length === 1 ? 'entry' : 'entries'}`,
    ),
    ...s.quarantined.slice(0, 10).map((entry) => line('', `${entry.name}: ${entry.reason}`)),
    '',
    line('Release', releaseLine(s)),
    line('Manifest', s.paths.manifest ?? '–'),
    line('Database', s.paths.warehouse),
    '',
    line('Next', `${environment}npx issuer-serve start --env-file serve/demo.env`),
    line('', `npx issuer query${flag} "${exampleQuery}"`),
    line('', `npx issuer release verify${flag}`),
    line('', `npx issuer release ls${flag}`),
    '',
  ];
  return lines.join('\n');
}

function changeLines(s: NightSummary): string[] {
  if (s.changes === null) return [];
  return ['', ...changeWords(s.changes).map(([label, text]) => line(label, text))];
}

function candidateLines({ candidates }: NightSummary): string[] {
  if (candidates === null) return [];
  return candidateWords(candidates).map((text, i) => line(i === 0 ? 'Candidates' : '', text));
}

function tierLines(s: NightSummary): string[] {
  if (s.tiers === null) return [];
  const rows = Object.entries(s.tiers).map(([tier, share]) =>
    line(
      '',
      `${tier.padEnd(13)}${String(share.count).padStart(5)}${share.percentage.toFixed(2).padStart(9)} %`,
    ),
  );
  return [
    '',
    line('Risk tiers', 'as filed     issuers    share'),
    ...rows,
    ...(s.coin_holders === null ? [] : [line('', holderWords(s.coin_holders))]),
    line('', tierMeaning),
  ];
}

function holderWords({ with_tier: tiered, total, without }: TieredHolders): string {
  const named = without.length === 0 ? '' : ` (without: ${without.slice(0, withoutTier).join(', ')}`;
  const more = without.length > withoutTier ? ` and ${without.length - withoutTier} more` : '';
  return `coin holders with a tier: ${tiered} of ${total}${named === '' ? '' : `${named}${more})`}`;
}

function topLines(s: NightSummary): string[] {
  if (s.top_stressed.length === 0) return [];
  const rows = s.top_stressed.map((row) => {
    const live = row.live_stress_50pct ?? null;
    const cells = [
      String(row.rank).padStart(2),
      row.ticker.padEnd(6),
      row.period,
      ageCell(row).padStart(5),
      row.stress_50pct.toFixed(6).padStart(9),
      (live === null ? '–' : live.toFixed(6)).padStart(9),
      ` ${row.risk_tier.padEnd(8)}`,
      row.quality_flag,
    ];
    return line('', cells.join(' '));
  });
  const head = ' # ticker period       age    filing      live  tier     quality';
  const overdue = s.top_stressed.flatMap((row) => overdueWords(row, s.source_date));
  return [
    '',
    line('Most at risk', 'debt ÷ coins after a 50 % fall (1.0 = debt equals coins)'),
    line('', head),
    ...rows,
    ...overdue.map((text) => line('', text)),
  ];
}

function ageCell({ filing_age_days: days }: TopStressedRow): string {
  return days === undefined ? '–' : `${days} d`;
}

/** What should have replaced the balance sheet of a row by now. */
function overdueWords({ ticker, next_report_due: due = null }: TopStressedRow, date: string): string[] {
  return due === null || due >= date ? [] : [`${ticker}: the report after this one was due ${due}`];
}

function callLines(s: NightSummary): string[] {
  if (s.nearest_calls.length === 0) return [];
  const [first = '', ...rest] = s.nearest_calls.map(nearestCallWords);
  return ['', line('Margin calls', `closest: ${first}`), ...rest.map((text) => line('', `         ${text}`))];
}

function reportLines({ reported }: NightSummary): string[] {
  const shown = reported.slice(0, reportRows).map(reportedWords);
  const more = reported.length - shown.length;
  if (more > 0) shown.push(`and ${more} more`);
  if (shown.length === 0) return [];
  return ['', ...shown.map((text, i) => line(i === 0 ? 'Reported' : '', text))];
}

function reportCountLines({ current_reports: counts }: NightSummary): string[] {
  const words = reportCountWords(counts ?? []);
  return words.length === 0 ? [] : ['', ...words.map((text, i) => line(i === 0 ? 'Reports read' : '', text))];
}

function marketLines(s: NightSummary): string[] {
  const [first, ...rest] = marketWords(s.market);
  if (first === undefined) return [];
  return ['', line('Market', first), ...rest.map((text) => line('', text))];
}

function releaseLine(s: NightSummary): string {
  if (s.release === null) return 'nothing was published';
  const facts = [s.release === s.current ? 'current' : `current is ${s.current}`, `${s.slice_status} slice`];
  return `${s.release} (${facts.join(', ')}, signed by ${s.key_id})`;
}

const exampleQuery = 'select ticker, coins, debt, stress_50pct, risk_tier from holders limit 10';

function line(label: string, text: string): string {
  return `  ${label.padEnd(13)} ${text}`;
}

/** Reads what a release says of its delta; null for a release without (a backfill). */
export async function readPublishedChanges(release: OpenRelease): Promise<PublishedChanges | null> {
  const { object, rows, days } = latestDailyChanges.stored;
  const slice = release.manifest.source_date;
  const payload = await readJson(release, { schema: object.schema, key: object.key({ slice }) });
  if (payload === null) return null;
  const lines = await readLines(release, rows.key({ slice }));
  return {
    payload,
    rows: lines.map((line) => changedCompany.parse(JSON.parse(line))),
    day: await readJson(release, { schema: days.schema, key: days.key({ day: payload.source_date }) }),
  };
}
