import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import {
  type AlphaOpportunityRow,
  alphaOpportunityRow,
} from '../../data/contract/payloads/universe/alphaOpportunities.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { type BoardGate, qualityFlags } from '../../data/contract/values/enums.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type GradedPosition, isVehicle } from '../position/gradePosition.ts';
import { listRow } from '../slice/filingAge.ts';
import type { ScoredSignals } from './alphaSignalsOf.ts';

/** A scored issuer of the slice. */
export type BoardSubject = {
  readonly position: GradedPosition;
  readonly stress: CovenantStress;
  readonly signals: ScoredSignals;
};

/** One issuer and its place on the board and in the raw order. */
export type BoardEntry = BoardSubject &
  GateResult & {
    readonly row: AlphaOpportunityRow;
    /** Place among all issuers by alpha score alone (M5.19). */
    readonly rawRank: number;
    /** null when a gate keeps it off the board. */
    readonly boardRank: number | null;
    /** Raw rank − board rank; negative is demoted, null off the board (M5.19). */
    readonly rankDelta: number | null;
  };

/** Every scored issuer in board order; those that pass the gates are numbered (M5.16–M5.19). */
export function opportunityBoard(
  subjects: readonly BoardSubject[],
  parameters: Parameters,
): readonly BoardEntry[] {
  const raw = subjects.toSorted(byAlpha).map(({ stress }) => stress.cik);
  let onBoard = 0;
  return subjects.toSorted(byBoardOrder).map((subject) => {
    const gates = boardGates(subject.position, parameters);
    if (gates.failedGate === null) onBoard += 1;
    const boardRank = gates.failedGate === null ? onBoard : null;
    const rawRank = raw.indexOf(subject.stress.cik) + 1;
    return {
      ...subject,
      ...gates,
      row: boardRow(subject, boardRank),
      rawRank,
      boardRank,
      rankDelta: boardRank === null ? null : rawRank - boardRank,
    };
  });
}

/** Raw order: alpha score descending, ticker ascending (M5.19). */
function byAlpha(a: BoardSubject, b: BoardSubject): number {
  return b.signals.alpha_score - a.signals.alpha_score || byIdentity(a, b);
}

/** Board order, total (M5.17). */
function byBoardOrder(a: BoardSubject, b: BoardSubject): number {
  return (
    b.signals.alpha_score - a.signals.alpha_score ||
    a.signals.score_inputs.live_stress_50pct - b.signals.score_inputs.live_stress_50pct ||
    b.signals.stress_resilience_score - a.signals.stress_resilience_score ||
    b.signals.treasury_strength_score - a.signals.treasury_strength_score ||
    qualityFlags.indexOf(a.stress.quality_flag) - qualityFlags.indexOf(b.stress.quality_flag) ||
    byIdentity(a, b)
  );
}

function byIdentity(a: BoardSubject, b: BoardSubject): number {
  return compareText(a.stress.ticker, b.stress.ticker) || compareText(a.stress.cik, b.stress.cik);
}

function boardRow({ stress, signals }: BoardSubject, boardRank: number | null): AlphaOpportunityRow {
  const { alpha_score, treasury_strength, research_posture, data_quality_notes, score_inputs } = signals;
  return listRow(alphaOpportunityRow, stress, {
    ...{ alpha_score, treasury_strength, research_posture, data_quality_notes },
    board_rank: boardRank ?? undefined,
    resilience_percentile: score_inputs.peer_percentile,
    live_stress_50pct: score_inputs.live_stress_50pct,
  });
}

/** Which gates keep an issuer off the board (M5.16). */
type GateResult = {
  /** The first that fails; null on the board. */
  readonly failedGate: BoardGate | null;
  /** The first that fails for another reason than what kind of issuer it is. */
  readonly failedGateBesidesType: BoardGate | null;
};

type Gate = { readonly gate: BoardGate; readonly fails: (position: GradedPosition) => boolean };

/** Tries the gates of the board in their order (M5.16). */
function boardGates(position: GradedPosition, parameters: Parameters): GateResult {
  const first = (gates: readonly Gate[]) => gates.find(({ fails }) => fails(position))?.gate ?? null;
  const besidesType = first([...dataGates, staleGate(parameters)]);
  return {
    failedGate: isVehicle(position.issuer)
      ? 'issuer_type'
      : (besidesType ?? first([{ gate: 'unclassified', fails: ({ isUnclassified }) => isUnclassified }])),
    failedGateBesidesType: besidesType,
  };
}

// a vehicle is unclassified by its type alone (M3.10), so that gate is tried for the others only
const dataGates: readonly Gate[] = [
  {
    gate: 'identity_unresolved',
    fails: ({ issuer }) => issuer.ticker === null || issuer.issuerType === 'unresolved_identifier',
  },
  { gate: 'stress_missing', fails: ({ isStressPresent }) => !isStressPresent },
  { gate: 'quality_low', fails: ({ quality }) => quality === 'Low' },
  { gate: 'debt_low_confidence', fails: ({ debt }) => debt.coverage === 'low_confidence_missing_debt' },
  { gate: 'anomalous_assets', fails: ({ isAnomalous }) => isAnomalous },
];

function staleGate({ boardMaxAgeDays }: Parameters): Gate {
  return { gate: 'stale_filing', fails: ({ ageDays }) => ageDays > boardMaxAgeDays };
}
