import type { CapitalFigure, CapitalReason, FigureStatus } from '../payloads/issuer/capitalParts.ts';

// the words of status and reason on every surface (M18.81)

const statuses: Readonly<Record<FigureStatus, string>> = {
  proven: 'proven',
  supported: 'supported',
  stated: 'stated by one tag',
  partial: 'partial',
  unproven: 'unproven',
};

const reasons: Readonly<Record<CapitalReason, string>> = {
  not_filed: 'not filed as a fact',
  not_applicable: 'does not apply',
  conflict: 'filed facts contradict each other',
  unconfirmed: 'not confirmed by the balance sheet',
  price_missing: 'no close is available',
  price_basis_unknown: 'the split basis of the close is not known',
  no_instance: 'the facts of the filing are not available',
  status_unproven: 'rests on a figure that is not proven',
  cash_flow_positive: 'operations bring cash in',
  lower_bound: 'known as a lower bound only',
  par_only: 'par value alone is filed: stock of votes',
  missing: 'a part is missing',
};

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
