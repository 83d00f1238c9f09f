import { calculationHistory } from '../../data/contract/payloads/issuer/calculationHistory.ts';
import { coreHistory } from '../../data/contract/payloads/issuer/coreHistory.ts';
import type { AnyHistory } from '../../data/contract/payloads/stored.ts';
import type { HistoryLines } from './historyLines.ts';

/** A history, and the lines one slice adds to it for one subject. */
export type HistoryKind = {
  readonly history: AnyHistory;
  /** Every form of the row in stored order, each line ended. */
  readonly text: (lines: HistoryLines) => string;
};

/** The histories of issuers. */
export const historyKinds: readonly HistoryKind[] = [
  { history: coreHistory.stored.history, text: ({ core }) => `${core}\n` },
  { history: calculationHistory.stored.history, text: ({ compact, full }) => `${compact}\n${full}\n` },
];
