import type {
  ChangedCompany,
  CompanyfactsActivity,
} from '../../data/contract/payloads/universe/dailyChanges.ts';
import type {
  DailyChangesArtifact,
  UniverseStats,
} from '../../data/contract/payloads/universe/latestDailyChanges.ts';
import { filingUrl } from '../../data/contract/values/filingUrl.ts';
import type { ArchiveScan, GateVerdict } from './changeGate.ts';
import type { CompanyChange } from './companyChange.ts';
import { type DeltaSelection, gateReasonWords } from './selectDelta.ts';
import type { SliceMoves } from './sliceMoves.ts';

/** One row of the lists R02 pages through. */
export type ListedCompany = { readonly list: 'changed' | 'new'; readonly row: ChangedCompany };

const shownRefs = 10;

type Night = {
  sourceDate: string;
  asOf: string;
  selection: DeltaSelection;
  verdict: GateVerdict;
  own: readonly CompanyChange[];
  scan: ArchiveScan | null;
  shownScan: ArchiveScan | null;
  lastScan: ArchiveScan | null;
  listed: readonly ListedCompany[];
  /** CIKs of the universe. */
  universe: ReadonlySet<string>;
  latest: {
    readonly delta: string | null;
    readonly digital: string | null;
    readonly meaningful: string | null;
    readonly activity: string | null;
    readonly summary: string | null;
  };
  comparedWith: string | null;
  moves: SliceMoves | null;
};

/**
 * Everything of LatestDailyChangesResponse but the two lists and the window (I2.22–I2.29).
 *
 * The counts are those of the delta shown, which may be an earlier night's; leaders and moves compare the slice with the
 * promoted slice before it.
 *
 * @param listed rows of the delta shown
 * @param own registrants of the night's own delta
 */
export function dailyChanges(input: Night): DailyChangesArtifact {
  const { selection, latest, moves } = input;
  const message = messageOf(input);
  return {
    request_key: 'latest_daily_changes',
    source_date: selection.shown,
    computed_at_utc: input.asOf,
    stats: statsOf(input),
    universe_stats: universeChanges(input.listed, input.universe),
    classification_summary: classificationOf(input.listed),
    ...(moves === null
      ? {}
      : {
          alpha_change_leaders: [...moves.alphaLeaders],
          stress_change_leaders: [...moves.stressLeaders],
          risk_tier_moves: [...moves.tierMoves],
          movement_summary: movementOf(moves),
        }),
    evidence_refs: input.listed.flatMap(({ row }) => row.evidence_ref ?? []).slice(0, shownRefs),
    freshness_summary: {
      slice_source_date: input.sourceDate,
      delta_source_date: selection.shown,
      scan_source_date: input.lastScan?.date ?? null,
      baseline_source_date: input.shownScan?.baseline ?? null,
      gate_passed: input.verdict.passed,
      gate_reasons: [...input.verdict.reasons],
      gate_notes: [...input.verdict.notes],
    },
    delta_basis: basisOf(input.shownScan),
    daily_change_selector_basis: selectorWords(input),
    ...(selection.fallbackReason === null ? {} : { fallback_reason: selection.fallbackReason }),
    ...(message === null ? {} : { message }),
    ...(input.scan === null ? {} : { companyfacts_activity: activityOf(input.scan, input) }),
    ...(selection.selector === null
      ? {
          daily_activity_selector_status: 'current_companyfacts_activity_available' as const,
          daily_activity_selector_basis: 'company files changed, their facts did not',
        }
      : { daily_change_selector_status: selection.selector }),
    snapshot_status: selection.snapshot,
    latest_computed_source_date: input.sourceDate,
    ...dateOf('comparison_source_date', input.comparedWith),
    ...dateOf('latest_activity_source_date', latest.activity),
    ...dateOf('latest_companyfacts_delta_source_date', latest.delta),
    ...dateOf('latest_companyfacts_digital_assets_source_date', latest.digital),
    ...dateOf('latest_companyfacts_summary_source_date', latest.summary),
    ...dateOf('latest_companyfacts_zip_source_date', input.lastScan?.date ?? null),
    ...dateOf('meaningful_tracked_crypto_delta_source_date', latest.meaningful),
  };
}

/** A release that a rollback publishes says so, when it shows a delta that passed (I3.20, I3.28). */
export function rolledBack(payload: DailyChangesArtifact): DailyChangesArtifact {
  const { daily_change_selector_status: status, snapshot_status: snapshot } = payload;
  if (status === 'fallback_unpublished' || snapshot === 'current_companyfacts_activity') return payload;
  return {
    ...payload,
    daily_change_selector_status: 'rolled_back_to_promoted_issuer_delta',
    snapshot_status: 'rolled_back_to_latest_meaningful_delta',
    daily_change_selector_basis: `The release was published by a rollback; the delta of ${payload.source_date} is shown.`,
  };
}

function dateOf<N extends string>(name: N, date: string | null): Partial<Record<N, string>> {
  return date === null ? {} : ({ [name]: date } as Record<N, string>);
}

function statsOf({ shownScan: scan, listed, selection }: Night): DailyChangesArtifact['stats'] {
  const count = (keep: (one: ListedCompany) => boolean) => listed.filter(keep).length;
  return {
    changed_files: scan?.changedFiles ?? 0,
    new_files: scan?.newFiles ?? 0,
    removed_files: scan?.removedFiles ?? 0,
    total_facts: scan?.totalFacts ?? 0,
    total_delta_size: listed.reduce((sum, { row }) => sum + (row.delta_size ?? 0), 0),
    changed_company_count: count(({ list }) => list === 'changed'),
    new_company_count: count(({ list }) => list === 'new'),
    digital_assets_company_count: count(({ row }) => row.has_digital_assets === true),
    crypto_company_count: count(({ row }) => row.is_crypto === true),
    ...(selection.selector === 'fallback_unpublished' ? { fallback_row_count: listed.length } : {}),
  };
}

function classificationOf(listed: readonly ListedCompany[]): DailyChangesArtifact['classification_summary'] {
  const of = (list: 'changed' | 'new') => listed.filter((one) => one.list === list).map(({ row }) => row);
  const [changed, added] = [of('changed'), of('new')];
  const count = (rows: readonly ChangedCompany[], is: 'is_crypto' | 'is_pre_ipo' | 'has_digital_assets') =>
    rows.filter((row) => row[is] === true).length;
  const classes = (rows: readonly ChangedCompany[]) => {
    const counts: Record<string, number> = {};
    for (const { issuer_class: name } of rows) {
      if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };
  return {
    changed_company_count: changed.length,
    new_company_count: added.length,
    changed_crypto_count: count(changed, 'is_crypto'),
    changed_pre_ipo_count: count(changed, 'is_pre_ipo'),
    changed_digital_assets_count: count(changed, 'has_digital_assets'),
    new_crypto_count: count(added, 'is_crypto'),
    new_pre_ipo_count: count(added, 'is_pre_ipo'),
    new_digital_assets_count: count(added, 'has_digital_assets'),
    available_classifications: ['crypto', 'digital_assets', 'pre_ipo'],
    issuer_classes: { changed: classes(changed), new: classes(added) },
  };
}

/** What moved between two slices, as `movement_summary` holds it. */
export type MovementSummary = ReturnType<typeof movementOf>;

function movementOf(moves: SliceMoves) {
  const named = ({ ticker, cik, entityName }: { ticker: string; cik: string; entityName: string }) => ({
    ticker,
    cik,
    entity_name: entityName,
  });
  return {
    moved_figures: [...moves.movedFigures],
    moved_facilities: [...moves.movedFacilities],
    capital_moves: [...moves.capitalMoves],
    new_filings_in_force: moves.refiled.map(({ now, before }) => ({
      ...named(now),
      filing_form: now.filingForm,
      period: now.period,
      accession_number: now.accession,
      filing_url: filingUrl(now),
      prior_accession_number: before.accession,
      prior_filing_url: filingUrl(before),
    })),
    method_changed: moves.methodChanged.map(({ now, before }) => ({
      ...named(now),
      prior_method: before.method,
      new_method: now.method,
      prior_evidence: before.evidence,
      new_evidence: now.evidence,
      same_filing: before.accession === now.accession,
      prior_tier: before.riskTier,
      new_tier: now.riskTier,
    })),
    issuers_entered: moves.entered.map(named),
    issuers_left: moves.left.map(named),
    risk_tier_move_count: moves.tierMoves.length,
  };
}

function activityOf(scan: ArchiveScan, { sourceDate, own }: Night): CompanyfactsActivity {
  const crypto = own.filter(({ families }) => (families.crypto ?? 0) > 0);
  const digital = own.filter(({ row }) => row.has_digital_assets === true);
  const files = scan.changedFiles + scan.newFiles + scan.removedFiles;
  return {
    activity_basis: 'company files of the archive by crc32 and size, their facts by value',
    selector_status: files > 0 ? 'current_companyfacts_activity_available' : 'no_companyfacts_activity',
    subscriber_signal: own.length > 0 ? 'facts_changed' : files > 0 ? 'files_changed' : 'quiet',
    changed_cik_count: own.length,
    changed_file_count: files,
    companies_with_crypto_changes: crypto.length,
    companies_with_digital_changes: own.filter(
      ({ row, families }) => row.has_digital_assets === true && (families.crypto ?? 0) > 0,
    ).length,
    crypto_changed_company_count: own.filter(({ row }) => row.is_crypto === true).length,
    digital_assets_changed_company_count: digital.length,
    total_companies_scanned: scan.entries,
    crypto_changed_companies: crypto.map(({ row, families }) => ({
      cik: row.cik,
      entity_name: row.entity_name,
      crypto_rows: families.crypto ?? 0,
    })),
    scan_date: scan.date,
    source_date: sourceDate,
    target_date: sourceDate,
  };
}

function basisOf(scan: ArchiveScan | null): string {
  const unit = 'rows: fact rows of companyfacts added, removed or revised';
  return scan?.baseline == null
    ? unit
    : `${unit} between the scan of ${scan.baseline} and that of ${scan.date}`;
}

function selectorWords({ selection, sourceDate, verdict }: Night): string {
  const notes = verdict.notes.length === 0 ? '' : ` (${verdict.notes.join(', ')})`;
  if (verdict.passed) return `The delta of ${sourceDate} passed the daily-change gate${notes}.`;
  const why = verdict.reasons.map((reason) => gateReasonWords[reason]).join('; ');
  const shown =
    selection.shown === sourceDate ? 'no delta has passed yet' : `the delta of ${selection.shown} is shown`;
  return `The delta of ${sourceDate} did not pass the daily-change gate: ${why}${notes}; ${shown}.`;
}

/** The sentence a reader needs when the lists are not simply those of last night (I4.R02.4, M6.12). */
function messageOf({ sourceDate, scan, selection, own }: Night): string | null {
  const shown = selection.shown === sourceDate ? '' : ` The delta of ${selection.shown} is shown.`;
  if (scan === null) return `No companyfacts archive was compared on ${sourceDate}.${shown}`;
  if (scan.status === 'baseline') {
    return `The scan of ${scan.date} is the baseline (${scan.entries} companies, ${scan.totalFacts} facts): it is compared with nothing, so no company counts as changed or new.`;
  }
  if (scan.status === 'uncompared') {
    return `The archive of ${scan.date} was read anew and had no earlier scan to be compared with.${shown}`;
  }
  if (scan.status === 'incomplete') {
    return `The archive of ${scan.date} lacks ${scan.removedFiles} companies of the scan of ${scan.baseline}: it is taken as incomplete and compared with nothing.${shown}`;
  }
  if (own.length > 0) return shown === '' ? null : shown.trim();
  const files = scan.changedFiles;
  return files > 0
    ? `${files} company ${files === 1 ? 'file' : 'files'} changed on ${scan.date}, but no fact in ${files === 1 ? 'it' : 'them'}.${shown}`
    : `No company file changed between the scan of ${scan.baseline} and that of ${scan.date}.${shown}`;
}

/** How many companies of the delta shown belong to the universe, and how many do not (M6.13). */
export function universeChanges(
  listed: readonly { readonly list: 'changed' | 'new'; readonly row: { readonly cik: string } }[],
  universe: ReadonlySet<string>,
): UniverseStats {
  const inside = listed.filter(({ row }) => universe.has(row.cik));
  return {
    company_count: inside.length,
    new_company_count: inside.filter(({ list }) => list === 'new').length,
    other_company_count: listed.length - inside.length,
  };
}
