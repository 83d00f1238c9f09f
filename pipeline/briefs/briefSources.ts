import type { BriefSources, IssuerSources } from '../../calculators/briefs/briefEvidence.ts';
import { type PlacedEvent, publishedEvent } from '../../calculators/choreography/filingChoreography.ts';
import type { IssuerResult } from '../../calculators/composeSlice.ts';
import { compareText } from '../../contract/values/compareText.ts';
import { sliceStatus } from '../compute/sliceHistory.ts';
import type { NightFacts } from '../families/familyContexts.ts';

const newestFilings = 3;

/** What a night publishes, as its briefs read it. */
export function briefSources(night: NightFacts): BriefSources {
  const { slice, sourceDate, parameters, history } = night;
  const ciks = new Set(slice.issuers.map(({ issuer }) => issuer.cik));
  return {
    sourceDate,
    sliceStatus: sliceStatus({ history, ciks, parameters }),
    universeCount: night.issuers.length,
    readiness: slice.readiness,
    riskDistribution: slice.riskDistribution,
    covenantRows: slice.covenantRows,
    topStressed: slice.topStressed,
    excludedUnclassified: slice.excludedUnclassified,
    board: slice.board.flatMap(({ row, boardRank }) => (boardRank === null ? [] : [row])),
    changes: night.changes.payload,
    market: night.market,
    parameters,
  };
}

/** What a night publishes of one issuer, as its brief reads it. */
export function issuerSources(
  { slice, choreographies }: NightFacts,
  { issuer: { cik }, stress, fundamentals }: IssuerResult,
): IssuerSources {
  const board = slice.board.find(({ stress: row }) => row.cik === cik);
  return {
    stress,
    fundamentals,
    ranking: slice.peerRankings.find((row) => row.cik === cik) ?? null,
    signals: board?.signals ?? null,
    boardRank: board?.boardRank ?? null,
    filings: newest(choreographies.get(cik)?.events ?? []).map(publishedEvent),
  };
}

function newest(events: readonly PlacedEvent[]): readonly PlacedEvent[] {
  return events
    .toSorted((a, b) => compareText(b.instant, a.instant) || compareText(b.accession, a.accession))
    .slice(0, newestFilings);
}
