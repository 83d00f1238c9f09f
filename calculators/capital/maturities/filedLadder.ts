import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import type { Dimension, InstanceFact } from '../../filing/xbrlFiling.ts';
import { agree, type Rounded, roundedOf, roundedSum } from '../filedAmounts.ts';
import {
  type BucketName,
  bucketOfConcept,
  bucketOfMember,
  isDebtAxis,
  isYearlyPrincipal,
} from '../instruments/bucketNames.ts';
import { isBareClass, isStandardMember } from '../instruments/memberNames.ts';
import type { Instrument } from '../parts.ts';

/** One part of a ladder as filed. */
export type FiledBucket = {
  readonly name: BucketName;
  readonly fact: StatedFact;
  /** null for the whole entity. */
  readonly instrumentId: string | null;
};

/** The parts of one ladder, before days and totals are judged. */
export type FiledLadder = {
  readonly entity: readonly FiledBucket[];
  readonly ofInstruments: readonly FiledBucket[];
  /** What the ladder itself states as its total. */
  readonly totals: readonly StatedFact[];
  readonly open: readonly StatedFact[];
  /** Parts that are filed as nil: reported, nothing due. */
  readonly nil: readonly BucketName[];
  readonly notes: readonly string[];
};

type LadderInput = {
  readonly period: string;
  readonly currency: string;
  readonly facts: readonly StatedFact[];
  /** Facts at the period end without a value; a remainder among them says that years are fiscal. */
  readonly nil: readonly InstanceFact[];
  readonly instruments: readonly Instrument[];
};

/** The ladder by names of concepts, else by a year axis; null where neither is filed. */
export function filedLadder(input: LadderInput): FiledLadder | null {
  const byConcept = ladderOf(input, conceptParts(input));
  return byConcept ?? ladderOf(input, axisParts(input));
}

type Part = {
  readonly name: BucketName;
  readonly fact: StatedFact;
  readonly dimensions: readonly Dimension[];
};

function conceptParts({ period, currency, facts }: LadderInput): Part[] {
  return facts.flatMap((fact) => {
    if (fact.end !== period || fact.start !== null || fact.unit !== currency) return [];
    const name = bucketOfConcept(fact.concept);
    return name === null ? [] : [{ name, fact, dimensions: fact.dimensions }];
  });
}

/** One principal over an axis whose members are years; the concept without the axis is the total. */
function axisParts({ period, currency, facts }: LadderInput): Part[] {
  const now = facts.filter(({ end, unit }) => end === period && unit === currency);
  const dated = now.flatMap((fact) =>
    fact.dimensions.flatMap((dimension) => {
      const name = dimension.typed ? null : bucketOfMember(dimension.member);
      return name !== null && isYearlyPrincipal(fact.concept, dimension.axis)
        ? [{ fact, dimension, name }]
        : [];
    }),
  );
  const series = Map.groupBy(dated, ({ fact, dimension }) => `${fact.concept} ${dimension.axis}`);
  const [longest] = [...series.values()].toSorted((a, b) => b.length - a.length);
  const first = longest?.[0];
  if (longest === undefined || first === undefined) return [];
  const years = new Set(longest.map(({ dimension }) => dimension.member));
  if (years.size < 2) return [];
  const parts = longest.map(({ fact, dimension, name }) => ({
    name,
    fact,
    dimensions: fact.dimensions.filter((one) => one !== dimension),
  }));
  const totals = now
    .filter(({ concept, start }) => concept === first.fact.concept && start === first.fact.start)
    .filter(({ dimensions }) => !dimensions.some(({ axis }) => axis === first.dimension.axis))
    .map((fact) => ({ name: { kind: 'total' } as const, fact, dimensions: fact.dimensions }));
  if (!isDebtAxis(first.dimension.axis) && !isProvenBySum(parts, totals)) return [];
  return [...parts, ...totals];
}

/** True where the years of the whole entity, each once, add up to the one amount it states without them. */
function isProvenBySum(parts: readonly Part[], totals: readonly Part[]): boolean {
  const whole = ({ dimensions }: Part) => dimensions.length === 0;
  const { chosen, conflicts } = onceEach(parts.filter(whole));
  const [total, ...others] = totals.filter(whole);
  if (total === undefined || others.length > 0 || conflicts.length > 0) return false;
  return agree(roundedSum(chosen.map(({ fact }) => roundedOf(fact))), roundedOf(total.fact));
}

function ladderOf({ nil, period, instruments }: LadderInput, parts: readonly Part[]): FiledLadder | null {
  if (parts.length === 0) return null;
  const owners = new Map(
    instruments.flatMap(({ id, members }) =>
      // what is filed on a class of debt is no instrument's bucket
      members.filter(isSpecific).map((member) => [localName(member), id] as const),
    ),
  );
  const whole = parts.filter(({ dimensions }) => dimensions.length === 0);
  const { chosen, conflicts } = onceEach(whole);
  const owned = parts.flatMap((part) => {
    const ids = [...new Set(part.dimensions.flatMap(({ member }) => owners.get(localName(member)) ?? []))];
    const [id] = ids;
    return ids.length === 1 && id !== undefined ? [{ ...part, instrumentId: id }] : [];
  });
  const ofInstruments = [...Map.groupBy(owned, ({ instrumentId }) => instrumentId)].flatMap(([id, own]) =>
    onceEach(own).chosen.map((part) => ({ ...part, instrumentId: id })),
  );
  const isDated = ({ name }: Part) => name.kind !== 'total' && name.kind !== 'open';
  const entity = chosen.filter(isDated);
  return {
    entity: entity.map(({ name, fact }) => ({ name, fact, instrumentId: null })),
    ofInstruments: ofInstruments
      .filter(isDated)
      .map(({ name, fact, instrumentId }) => ({ name, fact, instrumentId })),
    totals: chosen.filter(({ name }) => name.kind === 'total').map(({ fact }) => fact),
    open: chosen.filter(({ name }) => name.kind === 'open').map(({ fact }) => fact),
    nil: nil.flatMap(({ concept, end, dimensions, value }) => {
      const name =
        value === null && end === period && dimensions.length === 0 ? bucketOfConcept(concept) : null;
      return name === null ? [] : [name];
    }),
    notes: conflicts.map((concept) => `bucket_conflict:${concept}`),
  };
}

function isSpecific(member: string): boolean {
  return !isStandardMember(member) && !isBareClass(member);
}

/** One fact for each part; two that contradict each other are none. Of two series the longer one counts. */
function onceEach(parts: readonly Part[]): { chosen: Part[]; conflicts: string[] } {
  const isRolling = ({ name }: Part) => 'isRolling' in name && name.isRolling;
  const rolling = parts.filter(isRolling);
  const plain = parts.filter((part) => 'isRolling' in part.name && !part.name.isRolling);
  const dropped = new Set(rolling.length > plain.length ? plain : plain.length > 0 ? rolling : []);
  const groups = Map.groupBy(
    parts.filter((part) => !dropped.has(part)),
    ({ name }) => JSON.stringify(name),
  );
  const chosen: Part[] = [];
  const conflicts: string[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const differs = group.some(({ fact }) => !fact.value.equals(first.fact.value));
    if (differs) conflicts.push(localName(first.fact.concept));
    else chosen.push(first);
  }
  return { chosen, conflicts };
}

/** What the buckets of the entity add up to, and by how much rounding may move it. */
export function ladderSum(buckets: readonly FiledBucket[]): Rounded {
  return roundedSum(buckets.map(({ fact }) => roundedOf(fact)));
}
