import type { IssuerInputs } from './rows.ts';
import type { FilingDefect, XbrlFiling } from './xbrlFiling.ts';

type Inputs = Pick<IssuerInputs, 'filing' | 'xbrl'>;

/**
 * The files of the filing in force as far as they may be relied on (M1.44c); null when none are at hand, they belong
 * to another filing (M1.45), or there is no instance to rely on: a linkbase alone shows how lines add up, not the
 * filer's own lines, and beside companyfacts it would pass for a whole balance sheet.
 *
 * A spoiled schema or calculation linkbase leaves the instance, whose order of facts then decides (M1.24c).
 */
export function filingAtHand(inputs: Inputs): XbrlFiling | null {
  const { xbrl } = inputs;
  if (xbrl === null || !isThisFiling(inputs)) return null;
  const faults = filingFaults(inputs);
  const spoiled = new Set(faults.filter(({ state }) => state === 'unusable').map(({ part }) => part));
  const isWithoutInstance = faults.some(({ part }) => part === 'instance');
  if (isWithoutInstance || (spoiled.has('archive') && xbrl.facts.length === 0)) return null;
  const isSchemaSpoiled = spoiled.has('schema');
  return {
    ...xbrl,
    arcs: isSchemaSpoiled || spoiled.has('calculation') ? [] : xbrl.arcs,
    presentations: spoiled.has('presentation') ? [] : xbrl.presentations,
    concepts: isSchemaSpoiled ? [] : xbrl.concepts,
  };
}

/** A part of a filing that is at hand and unusable, or is missing beside the others. */
export type FilingFault = Required<Pick<FilingDefect, 'part' | 'state'>>;

/** What is wrong with the files of the filing in force, each part once; nothing where none are at hand (M1.44c). */
export function filingFaults({ filing, xbrl }: Inputs): readonly FilingFault[] {
  if (xbrl === null || !isThisFiling({ filing, xbrl })) return [];
  const faults = new Map<string, FilingFault>();
  for (const { part, state } of xbrl.defects) {
    if (state !== undefined) faults.set(`${part} ${state}`, { part, state });
  }
  const states = (day: string) =>
    xbrl.facts.some(({ start, end, dimensions }) => start === null && end === day && dimensions.length === 0);
  // the instance of another period
  if (xbrl.facts.length > 0 && !states(filing.period)) {
    faults.set('instance unusable', { part: 'instance', state: 'unusable' });
  }
  return [...faults.values()];
}

function isThisFiling({ filing, xbrl }: Inputs): boolean {
  if (xbrl === null) return false;
  return digits(xbrl.cik) === digits(filing.cik) && digits(xbrl.accession) === digits(filing.accession);
}

function digits(text: string): string {
  return text.replaceAll(/\D/g, '').replace(/^0+/, '');
}
