import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { FiledFact, IssuerInputs } from './rows.ts';
import type { FilingDefect, InstanceFact, XbrlFiling } from './xbrlFiling.ts';

type Inputs = Pick<IssuerInputs, 'filing' | 'xbrl'>;

/**
 * The files of the filing in force as far as they may be relied on (M1.44c); null when none are available, they belong
 * to another filing (M1.45), or there is no instance to rely on: a linkbase alone shows how lines add up, not the
 * filer's own lines, and beside companyfacts it would pass for a whole balance sheet.
 *
 * A spoiled schema or calculation linkbase leaves the instance, whose order of facts then decides (M1.24c).
 */
export function availableFiling(inputs: Inputs): XbrlFiling | null {
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

/** A part of a filing that is available and unusable, or is missing beside the others. */
export type FilingFault = Required<Pick<FilingDefect, 'part' | 'state'>>;

/** What is wrong with the files of the filing in force, each part once; nothing where none are available (M1.44c). */
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

/**
 * Facts of companyfacts that the filing's own instance contradicts beyond rounding, or that are a total or a line the
 * figures rest on and are missing there (M1.10b). SEC derives companyfacts from the instance, so either may be damaged.
 *
 * @param isFigure whether a concept is one the figures rest on
 */
export function contradictions(
  inputs: IssuerInputs,
  { sourceDate, isFigure }: { readonly sourceDate: string; isFigure(concept: string): boolean },
): readonly FiledFact[] {
  const { filing } = inputs;
  const whole = (availableFiling(inputs)?.facts ?? []).filter(({ dimensions }) => dimensions.length === 0);
  if (whole.length === 0) return [];
  const stated = Map.groupBy(whole, ({ concept, unit, start, end }) => `${concept} ${unit} ${start} ${end}`);
  return inputs.facts.filter((row) => {
    if (row.accession !== filing.accession || row.filed > sourceDate) return false;
    const concept = `${row.taxonomy}:${row.concept}`;
    const own = stated.get(`${concept} ${row.unit} ${row.start} ${row.end}`);
    if (own !== undefined) return !own.some((fact) => agrees(fact, row.value));
    return row.unit === 'USD' && row.start === null && row.end === filing.period && isFigure(concept);
  });
}

/** True when a row can be the fact, rounded to its decimals. */
function agrees({ value, decimals }: InstanceFact, row: ExactDecimal): boolean {
  if (value === null) return false;
  if (value.equals(row)) return true;
  if (typeof decimals !== 'number') return false;
  const half = ExactDecimal.parse(`5e${-decimals - 1}`);
  const distance = value.minus(row);
  return (distance.sign < 0 ? row.minus(value) : distance).compare(half) <= 0;
}
