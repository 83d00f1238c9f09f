import { chooseDuplicate } from '../filing/chooseDuplicate.ts';
import type { RelatedPartyLine } from '../filing/relatedPartyLines.ts';
import type { InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import { assetsConcepts } from '../network/conceptNames.ts';

/** More of them before total assets are a breakdown and no lines; each costs a search of its own. */
const candidatesMax = 12;

/**
 * Lines before total assets that a filer shows with one member of any axis and never for the whole entity (M1.24c 8): TSLA's
 * solar energy systems. Candidates for a gap of the assets; an amount that another concept or member states too is none,
 * since nothing says which of them the line is.
 */
export function gapLines(
  { facts }: XbrlFiling,
  { period, isFiled }: { readonly period: string; isFiled(concept: string): boolean },
): readonly RelatedPartyLine[] {
  const atPeriod = facts.filter(({ unit, start, end }) => unit === 'USD' && start === null && end === period);
  const total = atPeriod
    .filter(({ concept, dimensions }) => dimensions.length === 0 && isTotal(concept))
    .reduce((first, { position = 0 }) => Math.min(first, position), Number.POSITIVE_INFINITY);
  const single = [...Map.groupBy(atPeriod.filter(hasOneMember), keyOf).values()].flatMap((stated) => {
    const [first, ...rest] = stated;
    const chosen = first === undefined ? null : chooseDuplicate([first, ...rest]);
    if (first === undefined || chosen?.kind !== 'fact' || chosen.value.sign <= 0) return [];
    const line: RelatedPartyLine = {
      concept: first.concept,
      value: chosen.value,
      members: first.dimensions.map(({ member }) => member),
      facts: [first, ...rest],
    };
    return [line];
  });
  const found = single.filter(
    (line) =>
      !isFiled(line.concept) &&
      line.facts.some(({ position = total }) => position < total) &&
      single.every((other) => other === line || !other.value.equals(line.value)),
  );
  return found.length > candidatesMax ? [] : found;
}

function isTotal(concept: string): boolean {
  return assetsConcepts.some((assets) => assets === concept);
}

function hasOneMember({ dimensions: [only, second] }: InstanceFact): boolean {
  return only !== undefined && !only.typed && second === undefined;
}

function keyOf({ concept, dimensions }: InstanceFact): string {
  return [concept, ...dimensions.map(({ axis, member }) => `${axis}=${member}`)].join(' ');
}
