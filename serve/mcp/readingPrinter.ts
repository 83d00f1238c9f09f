import { ageInUnits, ageInWords } from '../../data/contract/tools/ageInUnits.ts';
import { readingText } from '../../data/contract/tools/readingText.ts';
import type { FollowUpCall } from '../../data/contract/tools/toolResult.ts';
import type { Provenance } from './resultLead.ts';

/** What a reading text says beside its figures. */
export type Said = {
  /** Members that the data gets when it is sent (I4.29). */
  readonly serveTime: Readonly<Record<string, unknown>>;
  readonly provenance: Provenance;
  /** Minutes since the data was computed. */
  readonly ageMinutes: number | null;
  readonly caveats: readonly string[];
};

/** Prints the reading text of a result, quoted as JSON. */
export type ReadingPrinter = (said: Said) => string;

/** Makes the printer of one prepared result; calls that say the same get the text of the one before. */
export function readingPrinter(figures: string, followUps: readonly FollowUpCall[]): ReadingPrinter {
  const next = followUps.slice(0, 2).map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`);
  const goesOn = next.length === 0 ? [] : [`Next: ${next.join(' or ')}.`];
  let last: { readonly said: Said; readonly text: string } | null = null;
  return (said) => {
    if (last !== null && isSame(last.said, said)) return last.text;
    const tail = [...told(said.serveTime), ...ageLine(said), ...caveatLine(said), ...goesOn].join('\n');
    const text = JSON.stringify(readingText(figures, tail));
    last = { said, text };
    return text;
  };
}

function isSame(before: Said, { serveTime, provenance, ageMinutes, caveats }: Said): boolean {
  return (
    before.ageMinutes === ageMinutes &&
    before.caveats === caveats &&
    hasSameMembers(before.provenance, provenance) &&
    hasSameMembers(before.serveTime, serveTime)
  );
}

function hasSameMembers(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

// the age has a line of its own, and how the call was served says nothing of the data
const quiet = new Set(['age_minutes', 'latency_ms', 'cache_hit', 'free_tier_applied']);

function told(serveTime: Said['serveTime']): string[] {
  const shown = Object.entries(serveTime)
    .filter(([name, value]) => !quiet.has(name) && ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name} ${value}`);
  return shown.length === 0 ? [] : [`${shown.join('; ')}.`];
}

function caveatLine({ caveats }: Said): string[] {
  return caveats.length === 0 ? [] : [`Caveats: ${caveats.join(', ')}.`];
}

function ageLine({ provenance, ageMinutes: age }: Said): string[] {
  const { source_date: date, computed_at_utc: computed, freshness_window_hours: window } = provenance;
  if (date === null) return [];
  const when = computed === null ? '' : `, computed ${computed}`;
  const words = ageInWords(ageInUnits(age));
  const old = words === null ? '' : `, ${words} old`;
  if (age === null || window === null) return [`Slice ${date}${when}${old}.`];
  const fresh = age <= window * 60 ? 'within' : 'beyond';
  return [`Slice ${date}${when}${old}, ${fresh} its freshness window of ${window} hours.`];
}
