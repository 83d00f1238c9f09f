import type { OutputMode } from './reportLegs.ts';

/** What a report is asked to hold beside its legs. */
export type ReportChoice = {
  readonly outputMode: OutputMode;
  readonly segments: boolean;
  readonly relatedParty: boolean;
};

const partSuffixes = { segments: '+seg', relatedParty: '+rpt' } as const;

/** Variant of an artifact with these optional parts: of fundamentals, and behind the output mode of a report. */
export function partsVariant({ segments, relatedParty }: Omit<ReportChoice, 'outputMode'>): string {
  return `${segments ? partSuffixes.segments : ''}${relatedParty ? partSuffixes.relatedParty : ''}`;
}

/** Last part of the key of a stored report (I4.R29.2). */
export function reportVariant(choice: ReportChoice): string {
  return `${choice.outputMode}${partsVariant(choice)}`;
}

/**
 * Variants that may answer a choice, the one with most parts first: a report is stored once for parts that the filing
 * does not have, so the first that is stored holds all of them that there are (I4.R29.2b).
 */
export function reportVariants(choice: ReportChoice): readonly string[] {
  const held = [
    choice,
    { ...choice, relatedParty: false },
    { ...choice, segments: false },
    { ...choice, segments: false, relatedParty: false },
  ];
  return [...new Set(held.map(reportVariant))];
}
