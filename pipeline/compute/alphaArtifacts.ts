import { auditRows, auditViews, boardAudit } from '../../calculators/alpha/boardAudit.ts';
import type { BoardEntry } from '../../calculators/alpha/opportunityBoard.ts';
import type { Slice } from '../../calculators/composeSlice.ts';
import { alphaOpportunitiesAuditArtifact } from '../../contract/alphaOpportunitiesAudit.ts';
import { alphaSignals } from '../../contract/alphaSignals.ts';
import { peerRanking } from '../../contract/peerRanking.ts';
import * as stores from '../../contract/rowStores.ts';
import type { Artifact } from '../release/artifact.ts';
import { rowStore } from '../release/rowStore.ts';
import { singleArtifact } from './singleArtifact.ts';

/** Board, audit, signals and ranks of one slice: the artifacts of R06, R07, R09 and R10. */
export function alphaArtifacts(slice: Slice, d: string): Artifact[] {
  return [
    ...alphaBoardStore(slice, d),
    ...rowStore({ store: stores.alphaBoardAudit, key: [d], rows: auditRows(slice.board), meta: {} }),
    ...auditViews.map((view) =>
      singleArtifact(
        `alpha-board-audit/${d}/${view}.json`,
        alphaOpportunitiesAuditArtifact,
        boardAudit(slice.board, {
          ...{ view, sourceDate: d, tower: slice.tower },
          regime: slice.regime.confirmed ?? 'unavailable',
        }),
      ),
    ),
    ...slice.alphaSignals.map((row) =>
      singleArtifact(`alpha-signals/${d}/CIK${row.cik}.json`, alphaSignals, row),
    ),
    ...slice.peerRankings.map((row) =>
      singleArtifact(`peer-ranking/${d}/CIK${row.cik}.json`, peerRanking, row),
    ),
  ];
}

/** What a backfilled release holds of them: row stores, signals and ranks by CIK (I4.36). */
export function backfilledAlphaArtifacts(slice: Slice, d: string): Artifact[] {
  const ranked = slice.peerRankings.toSorted((a, b) => (a.cik < b.cik ? -1 : 1));
  return [
    ...alphaBoardStore(slice, d),
    ...rowStore({ store: stores.alphaSignalsSlice, key: [d], rows: slice.alphaSignals, meta: {} }),
    ...rowStore({ store: stores.peerRankingSlice, key: [d], rows: ranked, meta: {} }),
  ];
}

function alphaBoardStore(slice: Slice, d: string): readonly Artifact[] {
  const entries: readonly BoardEntry[] = slice.board;
  const entryOf = (i: number) => {
    const entry = entries[i];
    if (entry === undefined) throw new RangeError(`the board has no row ${i}`);
    return entry;
  };
  return rowStore({
    store: stores.alphaBoard,
    key: [d],
    rows: entries.map(({ row }) => row),
    beside: (_, i) => {
      const { position, signals, failedGate, failedGateBesidesType } = entryOf(i);
      return {
        issuerType: position.issuer.issuerType,
        quality: signals.score_inputs.quality_flag_normalized,
        ...{ failedGate, failedGateBesidesType },
      };
    },
    meta: {
      market_regime: slice.regime.confirmed ?? 'unavailable',
      tower_status: slice.tower.status,
      tower_coherence: slice.tower.coherence,
    },
  });
}
