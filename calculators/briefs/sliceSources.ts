import type { IssuerResult, Slice } from '../composeSlice.ts';
import type { BriefSources, IssuerSources } from './briefEvidence.ts';

type SliceMember =
  | 'readiness'
  | 'riskDistribution'
  | 'covenantRows'
  | 'topStressed'
  | 'excludedUnclassified'
  | 'board';

/** What briefs read of the slice itself; its night adds the rest. */
export function sliceSources(slice: Slice): Pick<BriefSources, SliceMember> {
  const { readiness, riskDistribution, covenantRows, topStressed, excludedUnclassified } = slice;
  return {
    readiness,
    riskDistribution,
    covenantRows,
    topStressed,
    excludedUnclassified,
    board: slice.board.flatMap(({ row, boardRank }) => (boardRank === null ? [] : [row])),
  };
}

/** What a brief on an issuer reads of the slice; its filings come beside it. */
export function issuerSliceSources(
  slice: Slice,
  { issuer: { cik }, stress, fundamentals, assessed }: IssuerResult,
): Omit<IssuerSources, 'filings'> {
  const board = slice.board.find(({ stress: row }) => row.cik === cik);
  return {
    stress,
    fundamentals,
    ranking: slice.peerRankings.find((row) => row.cik === cik) ?? null,
    signals: board?.signals ?? null,
    boardRank: board?.boardRank ?? null,
    filingAgeDays: assessed.position.ageDays,
  };
}
