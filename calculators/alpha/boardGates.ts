import type { BoardGate } from '../../data/contract/values/enums.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type GradedPosition, isVehicle } from '../position/gradePosition.ts';

/** Which gates keep an issuer off the board (M5.16). */
export type GateResult = {
  /** The first that fails; null on the board. */
  readonly failedGate: BoardGate | null;
  /** The first that fails for another reason than what kind of issuer it is. */
  readonly failedGateBesidesType: BoardGate | null;
};

type Gate = { readonly gate: BoardGate; readonly fails: (position: GradedPosition) => boolean };

/** Tries the gates of the board in their order (M5.16). */
export function boardGates(position: GradedPosition, parameters: Parameters): GateResult {
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
