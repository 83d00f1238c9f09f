import { type Html, html } from '../../../calculators/visual/page/html.ts';
import type { WithdrawnSlice } from '../../../data/contract/release/releaseFiles.ts';
import type { OperatorView, ReleaseLine } from '../admin/operatorView.ts';
import { shownCount, shownDuration } from './figures.ts';
import { type Cell, facts, long, notThere, section, state, table } from './table.ts';

/** Whether paid calls can be served, check by check. */
export function readinessSection({ ready, freshness }: OperatorView): Html {
  if (!ready.ok) return section('readiness', 'Readiness', notThere(ready.why));
  const { checks, source_date, manifest } = ready.value;
  const words = { ok: 'good', degraded: 'warn', failing: 'bad', disabled: 'off' } as const;
  const rows = Object.entries(checks).map(
    ([name, check]) =>
      [
        name.replaceAll('_', ' '),
        state(words[check.status], check.status),
        long(check.detail ?? '–'),
      ] as const,
  );
  const serving = facts([
    ['Slice', source_date ?? 'none'],
    ['Manifest', manifest?.version ?? 'none'],
    ['Age of the slice', sliceAge(freshness)],
  ]);
  const caption = 'What /ready says, check by check';
  return section(
    'readiness',
    'Readiness',
    html`${serving}${table({ caption, columns: ['Check', 'State', 'Detail'], rows, none: 'No checks.' })}`,
  );
}

function sliceAge(freshness: OperatorView['freshness']): Cell {
  if (!freshness.ok) return long(`not known: ${freshness.why}`);
  if (freshness.value === null) return 'none';
  const { ageMs, windowMs, stale } = freshness.value;
  const shown = shownDuration(ageMs);
  return stale ? state('bad', `${shown}, stale after ${shownDuration(windowMs)}`) : shown;
}

/** The newest releases and the manifest each date answers from. */
export function releasesSection({ releases, atMs }: OperatorView): Html {
  if (!releases.ok) return section('releases', 'Releases', notThere(releases.why));
  const { dates, newest, withdrawn } = releases.value;
  const rows = newest.map((part) =>
    part.ok
      ? releaseRow(part.value, atMs)
      : (['–', state('bad', 'unreadable'), long(part.why), '–'] as const),
  );
  const caption = `The newest ${newest.length} of ${shownCount(dates)} slices with a promoted release`;
  const columns = ['Slice', 'Manifest', 'Artifacts', 'Made'];
  return section(
    'releases',
    'Releases',
    html`${table({ caption, columns, rows, none: 'Nothing is promoted yet; run issuer nightly.' })}${withdrawnFacts(withdrawn)}`,
  );
}

function withdrawnFacts(withdrawn: readonly WithdrawnSlice[]): Html | null {
  if (withdrawn.length === 0) return null;
  return facts(
    withdrawn.map(({ source_date, withdrawn_at_utc, reason }): [string, string] => [
      `Withdrawn ${source_date}`,
      `${withdrawn_at_utc}: ${reason}`,
    ]),
  );
}

function releaseRow(line: ReleaseLine, atMs: number) {
  const kind = line.rowStoresOnly ? 'row stores' : line.sliceStatus;
  const mark = line.current ? html` ${state('good', 'current')}` : null;
  return [
    html`<span class="whole">${line.sourceDate}</span>`,
    html`${line.name}${mark} <code>${line.manifestSha256.slice(0, 12)}</code>`,
    `${shownCount(line.artifactCount)}, ${kind}`,
    `${shownDuration(atMs - Date.parse(line.generatedAt))} ago`,
  ] as const;
}

/** How the last night ended, and what the newest audit found. */
export function nightSection({ lastRun, audit }: OperatorView): Html {
  return section('night', 'Night and audit', html`${lastRunFacts(lastRun)}${auditFacts(audit)}`);
}

function lastRunFacts(lastRun: OperatorView['lastRun']): Html {
  if (!lastRun.ok) return notThere(lastRun.why);
  const run = lastRun.value;
  if (run === null) return html`<p class="none">No night has run here.</p>`;
  const isWhole = run.status === 'ok' && run.degraded.length === 0;
  const kind = isWhole ? 'good' : run.status === 'failed' ? 'bad' : 'warn';
  return facts([
    ['Last night', run.source_date],
    ['It ended', state(kind, run.reason === null ? run.status : `${run.status}: ${run.reason}`)],
    ['At', run.finished_at_utc ?? 'still running'],
    ['Exit code', run.exit_code === null ? '–' : String(run.exit_code)],
    ['Published', run.published_release ?? 'nothing'],
    ...run.degraded.map((finding): [string, string] => ['Degraded', finding]),
    ...run.healed.map((sentence): [string, string] => ['Healed', sentence]),
  ]);
}

function auditFacts(audit: OperatorView['audit']): Html {
  if (!audit.ok) return notThere(audit.why);
  if (audit.value === null) return html`<p class="none">No audit has run here.</p>`;
  const { status, stale, operation_count, age_hours } = audit.value;
  const failed =
    audit.value.failed_count + audit.value.composite_failed_count + audit.value.historical_failed_count;
  return facts([
    ['Audit', state(status === 'healthy' ? 'good' : 'bad', stale ? `${status}, stale` : status)],
    ['Operations', `${shownCount(operation_count)}, ${shownCount(failed)} failed`],
    ['Age', age_hours === undefined ? '–' : shownDuration(age_hours * 3_600_000)],
  ]);
}
