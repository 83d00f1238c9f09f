import type { CapitalFigure, CapitalReason, FigureStatus } from '../payloads/issuer/capitalParts.ts';
import words from './words.json' with { type: 'json' };

// the words of status and reason on every surface (M18.81)

const statuses: Readonly<Record<FigureStatus, string>> = words.capital_statuses;

const reasons: Readonly<Record<CapitalReason, string>> = words.capital_reasons;

/** Why a figure is null, with the part that is meant. */
export function reasonWords(reason: CapitalReason, part?: string): string {
  return part === undefined ? reasons[reason] : `${reasons[reason]}: ${part.replaceAll('_', ' ')}`;
}

/** `proven`, `stated by one tag`; of a figure that is null why. */
export function proofWords(figure: CapitalFigure): string {
  if (figure === null) return reasons.not_filed;
  if (figure.value !== null && figure.status !== undefined) return statuses[figure.status];
  return reasonWords(figure.null_reason ?? 'not_filed', figure.part);
}

/** Where no instrument is known: none only where debt is a resolved zero. */
export function absenceWords(absent: 'none' | 'not_filed'): string {
  return absent === 'none' ? 'none: the balance sheet proves that there is no debt' : reasons.not_filed;
}
