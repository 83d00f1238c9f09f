import { compareText } from '../../data/contract/values/compareText.ts';
import { medianOf } from '../exact/decimals.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type BusinessCalendar, businessDaysAfter, isBusinessDay } from './businessCalendar.ts';

/** What became of one scan of the archive: compared with an earlier one, or the reason why not. */
export const scanStatuses = ['baseline', 'compared', 'incomplete', 'uncompared'] as const;
export type ScanStatus = (typeof scanStatuses)[number];

/** One scan of the archive and what differed from the scan before it (M6.4). */
export type ArchiveScan = {
  readonly date: string;
  readonly status: ScanStatus;
  /** The earlier scan it was compared with. */
  readonly baseline: string | null;
  readonly entries: number;
  readonly changedFiles: number;
  readonly newFiles: number;
  readonly removedFiles: number;
  /** Company files that could not be parsed. */
  readonly quarantined: number;
  /** Fact rows of the files read. */
  readonly totalFacts: number;
};

/** Why a delta did not pass the daily-change gate. */
export type GateReason =
  | 'no_scan'
  | 'archive_incomplete'
  | 'archive_not_compared'
  | 'shards_not_parsed'
  | 'changed_files_out_of_bounds'
  | 'no_meaningful_delta';

export type GateVerdict = {
  readonly passed: boolean;
  /** Every test that failed, in the order of M6.6. */
  readonly reasons: readonly GateReason[];
  readonly notes: readonly string[];
};

type GateInput = {
  scan: ArchiveScan | null;
  earlier: readonly ArchiveScan[];
  meaningfulRows: number;
  calendar: BusinessCalendar;
  parameters: Pick<Parameters, 'dailyChangeGate'>;
};

/**
 * The daily-change gate on one scan (M6.6, M6.12): every company file parsed, the number of changed files within
 * bounds of its recent median, and at least one meaningful tracked-crypto row. The baseline passes by definition.
 *
 * Files are counted per business day a scan covers: after a gap of n days up to n times as many may differ. The bounds
 * are not tested on weekends and holidays, with fewer than five business days of history (`gate_history_short`), and
 * when the median is 0 (`gate_median_zero`).
 *
 * @param earlier compared scans before this one
 * @param meaningfulRows added or revised rows in a tracked family of an issuer of the universe
 */
export function changeGate(input: GateInput): GateVerdict {
  const { scan } = input;
  if (scan === null) return { passed: false, reasons: ['no_scan'], notes: [] };
  if (scan.status === 'baseline') return { passed: true, reasons: [], notes: [] };
  const reasons: GateReason[] = [];
  if (scan.status === 'incomplete') reasons.push('archive_incomplete');
  if (scan.status === 'uncompared') reasons.push('archive_not_compared');
  if (scan.quarantined > 0) reasons.push('shards_not_parsed');
  const bounds = boundsOf(scan, input);
  const files = differingFiles(scan);
  if ('min' in bounds && (files < bounds.min || files > bounds.max))
    reasons.push('changed_files_out_of_bounds');
  if (input.meaningfulRows === 0) reasons.push('no_meaningful_delta');
  return { passed: reasons.length === 0, reasons, notes: 'note' in bounds ? [bounds.note] : [] };
}

/** Files of a scan that differ from its baseline in any way. */
export function differingFiles(scan: ArchiveScan): number {
  return scan.changedFiles + scan.newFiles + scan.removedFiles;
}

type Bounds =
  | { readonly min: number; readonly max: number }
  | { readonly note: string }
  | Record<never, never>;

function boundsOf(scan: ArchiveScan, { earlier, calendar, parameters }: GateInput): Bounds {
  const { minRatio, maxRatio, medianDays, minDays } = parameters.dailyChangeGate;
  if (!isBusinessDay(scan.date, calendar)) return {};
  const counts = earlier
    .filter((one) => one.status === 'compared' && isBusinessDay(one.date, calendar) && one.date < scan.date)
    .toSorted((a, b) => compareText(b.date, a.date))
    .slice(0, medianDays)
    .map(differingFiles);
  if (counts.length < minDays) return { note: 'gate_history_short' };
  const median = medianOf(counts) ?? 0;
  if (median === 0) return { note: 'gate_median_zero' };
  const days =
    scan.baseline === null ? 1 : Math.max(1, businessDaysAfter(scan.baseline, scan.date, calendar));
  return { min: minRatio * median, max: maxRatio * median * days };
}
