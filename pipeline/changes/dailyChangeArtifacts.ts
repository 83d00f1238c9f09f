import { dailyChangesArtifact, deltaDay } from '../../contract/dailyChanges.ts';
import * as stores from '../../contract/rowStores.ts';
import { singleArtifact } from '../compute/singleArtifact.ts';
import type { Artifact } from '../release/artifact.ts';
import { rowStore } from '../release/rowStore.ts';
import type { NightChanges } from './nightChanges.ts';

/**
 * The artifacts of R02 and R03: the payload without its lists, the rows of both lists, the evidence of the delta they
 * show, and one document for each recorded day a window may ask for (I4.R02.2, I4.R03.2).
 */
export function dailyChangeArtifacts(night: NightChanges): Artifact[] {
  const d = night.delta.sourceDate;
  const days = night.windowDays;
  return [
    singleArtifact(`daily-changes/${d}.json`, dailyChangesArtifact, night.payload),
    ...rowStore({
      store: stores.dailyChanges,
      key: [d],
      rows: night.listed.map(({ row }) => row),
      beside: (_, i) => ({ list: night.listed[i]?.list ?? 'changed' }),
      meta: {
        source_date: night.payload.source_date,
        window_source: 'companyfacts_daily',
        window_days: days.map((day) => day.date),
        window_change_blob_counts: days.map((day) => day.change_blob_count),
        window_changed_filing_counts: days.map((day) => day.changed_filing_count),
        window_complete: days.map((day) => day.companyfacts_zip_exists && day.summary_exists),
      },
    }),
    // only ever read as parts of a window
    ...days.map((day) => ({
      ...singleArtifact(`daily-window/${day.date}.json`, deltaDay, day),
      coded: false,
    })),
    ...night.evidence.flatMap((issuer) =>
      rowStore({
        store: stores.dailyEvidence,
        key: [d, issuer.cik],
        rows: issuer.lines,
        meta: {
          cik: issuer.cik,
          ticker: issuer.ticker,
          entity_name: issuer.entityName,
          source_date: night.payload.source_date,
        },
      }),
    ),
  ];
}
